//go:build webkit && linux

package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/webdriver"
)

// paintedScript notes when a row with a name is in the document, and when it is on the screen: after the frame that shows it.
const paintedScript = `const name = %q; window.painted = [];
const now = () => performance.timeOrigin + performance.now();
new MutationObserver((_, observer) => {
	if (!document.getElementById("rows").innerText.includes(name)) return;
	observer.disconnect();
	const changed = now();
	requestAnimationFrame(() => setTimeout(() => { window.painted = [changed, now()]; }));
}).observe(document.getElementById("rows"), {childList: true});`

// TestFromCallToPaintedRow prints the times from the moment when the agent sends its call until the row that the call
// added is in the document of the second of two windows, and until it has been painted there. It asserts nothing about
// time but that the row is painted.
func TestFromCallToPaintedRow(t *testing.T) {
	app := openCRM(t)
	second := app.secondWindow(t)
	app.Request(http.MethodPost, "/window", map[string]string{"handle": second})
	agent := app.agent(t, nil)
	const rounds = 25
	var replied, changed, painted []float64 // milliseconds after the call
	for i := range rounds {
		name := fmt.Sprintf("Painted %d.", i)
		app.Eval(fmt.Sprintf(paintedScript, name), nil)
		sent := time.Now()
		if text, failed := call(t, agent, "customers_store", customer(name, fmt.Sprintf("painted%d@example.org", i))); failed {
			t.Fatal(text)
		}
		replied = append(replied, float64(time.Since(sent).Microseconds())/1000)
		var seen []float64
		webdriver.Until(t, "the row to be painted", func() bool {
			app.Eval(`return window.painted`, &seen)
			return len(seen) == 2
		})
		began := float64(sent.UnixMicro()) / 1000
		changed, painted = append(changed, seen[0]-began), append(painted, seen[1]-began)
	}
	at := func(times []float64, hundredth int) float64 {
		slices.Sort(times)
		return times[len(times)*hundredth/100]
	}
	t.Logf("call sent → row painted, %d rounds: median %.1f ms, 90th percentile %.1f ms; of the median, reply after %.1f ms and row in the document after %.1f ms",
		rounds, at(painted, 50), at(painted, 90), at(replied, 50), at(changed, 50))
	for what, ms := range map[string]float64{
		"reply": at(replied, 50), "row-in-document": at(changed, 50), "row-painted": at(painted, 50), "row-painted-p90": at(painted, 90),
	} {
		t.Attr(what, fmt.Sprintf("%.1f", ms)) // for bench, in milliseconds
	}
}
