//go:build webkit && linux

package e2e

import (
	"strings"
	"testing"

	"github.com/elyra-go/elyra/internal/webdriver"
)

// attacks are what a page does that runs a stranger's script, each with what it must be told. They run in the real
// window with all that a page has, its own token too.
var attacks = map[string]struct{ script, want string }{
	"guesses the token": {`
		const guess = () => fetch("/call/customers_index", { method: "POST", headers: { "X-Elyra-Body": "bytes",
			"X-Elyra-Token": btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))).replaceAll("+", "-").replaceAll("/", "_").replace("=", "") } });
		return said(await Promise.all(Array.from({ length: 500 }, guess)));`, "500 × 403"},
	"sends no token":    {`return said([await fetch("/call/customers_index", { method: "POST", headers: { "X-Elyra-Body": "bytes" } })]);`, "1 × 403"},
	"posts a Blob":      {`return said([await fetch("/call/customers_index", { method: "POST", headers: { "X-Elyra-Token": token }, body: new Blob(["{}"]) })]);`, "1 × 415"},
	"posts a form":      {`return said([await fetch("/call/customers_index", { method: "POST", headers: { "X-Elyra-Token": token }, body: new FormData() })]);`, "1 × 415"},
	"posts too much":    {`return said([await post("/call/customers_index", new Uint8Array((16 << 20) + 1))]);`, "1 × 413"},
	"posts nonsense":    {`return said([await post("/call/customers_index", new Uint8Array([255, 0, 123]))]);`, "1 × 422"},
	"floods with calls": {`return said(await Promise.all(Array.from({ length: 1000 }, () => post("/call/customers_show", '{"id":1}'))));`, "1000 × 200"},
	"never reads its streams": {`
		window.streams = [];
		for (let i = 0; i < 20; i++) window.streams.push(await post("/live/stream", JSON.stringify({ stream: "s" + i })));
		const open = await post("/live/open", JSON.stringify({ stream: "s19", id: 1, command: "customers_index" }));
		return said(window.streams) + ", " + said([open]);`, "20 × 200, 1 × 204"},
	"frames a foreign page": {`
		const frame = document.createElement("iframe");
		frame.srcdoc = "<script>parent.postMessage('ran', '*')<" + "/script>";
		const ran = new Promise((resolve) => (addEventListener("message", (e) => resolve(e.data)), setTimeout(() => resolve("did not run"), 500)));
		document.body.append(frame);
		return await ran;`, "did not run"},
	"goes to another page of the app": {`location.href = "/elsewhere"; return "left";`, "left"},
	"goes to another site":            {`location.href = "data:text/html,<h1>hello"; await new Promise((r) => setTimeout(r, 300)); return location.protocol;`, "elyra:"},
}

const attackScript = `
	const token = window.__elyra.token;
	const post = (path, body) => fetch(path, { method: "POST", headers: { "X-Elyra-Token": token, "X-Elyra-Body": "bytes" }, body });
	const said = (answers) => {
		const counts = {};
		for (const a of answers) counts[a.status] = (counts[a.status] ?? 0) + 1;
		return Object.entries(counts).map(([status, n]) => n + " × " + status).join(", ");
	};
	window.attacked = "";
	(async () => { %s })().then((text) => (window.attacked = text), (error) => (window.attacked = String(error)));`

// TestAHostilePage lets one window attack the app while an agent works and another window watches.
func TestAHostilePage(t *testing.T) {
	app := openCRM(t)
	second := app.secondWindow(t)
	agent := app.agent(t, nil)
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			app := &crm{Browser: app.For(t), binary: app.binary, home: app.home}
			var text string
			app.Eval(strings.Replace(attackScript, "%s", attack.script, 1), nil)
			if attack.want != "left" {
				webdriver.Until(t, "the attack to end", func() bool {
					app.Eval(`return window.attacked ?? "the page is gone"`, &text)
					return text != ""
				})
				if text != attack.want {
					t.Errorf("the page got %q, want %q", text, attack.want)
				}
			}
			who := strings.ReplaceAll(name, " ", ".")
			if text, failed := call(t, agent, "customers_store", customer("After "+name, who+"@example.org")); failed {
				t.Fatal(text)
			}
			app.in(t, second, func() { app.shows(t, "rows", who) })
			app.Request("POST", "/refresh", map[string]any{})
			app.shows(t, "rows", who)
		})
	}
}
