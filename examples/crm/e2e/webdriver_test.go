//go:build webkit && linux

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// browser drives the app's window through WebKitWebDriver, as a browser test drives a page.
type browser struct {
	t       testing.TB
	session string // address of the session
}

// openBrowser has WebKitWebDriver start the app binary with the environment env.
func openBrowser(t testing.TB, binary string, env []string) *browser {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	driver := exec.Command("WebKitWebDriver", "--host=127.0.0.1", fmt.Sprintf("--port=%d", port))
	driver.Env = append(env, "ELYRA_AUTOMATION=1")
	driver.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	driver.Stdout, driver.Stderr = &said, &said
	if err := driver.Start(); err != nil {
		t.Fatalf("start WebKitWebDriver (package webkit2gtk-driver): %v", err)
	}
	b := &browser{t: t}
	t.Cleanup(func() {
		if b.session != "" {
			b.request(http.MethodDelete, "", nil)
		}
		syscall.Kill(-driver.Process.Pid, syscall.SIGTERM)
		driver.Wait()
		if t.Failed() {
			t.Logf("the driver and the app said:\n%s", said.String())
		}
	})
	root := fmt.Sprintf("http://127.0.0.1:%d", port)
	until(t, "the driver to listen", func() bool {
		r, err := http.Get(root + "/status")
		if err == nil {
			r.Body.Close()
		}
		return err == nil
	})
	b.session = root + "/session"
	answer := b.request(http.MethodPost, "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": map[string]any{"binary": binary, "args": []string{}},
	}}})
	var session struct{ SessionID string }
	if err := json.Unmarshal(answer, &session); err != nil || session.SessionID == "" {
		t.Fatalf("open a session: %s", answer)
	}
	b.session += "/" + session.SessionID
	return b
}

// request sends one WebDriver command and returns its value.
func (b *browser) request(method, path string, body any) json.RawMessage {
	b.t.Helper()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, b.session+path, content)
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Errorf("webdriver %s %s: %v", method, path, err)
		return nil
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != http.StatusOK {
		b.t.Errorf("webdriver %s %s: %s %s %v", method, path, response.Status, answer.Value, err)
	}
	return answer.Value
}

// eval runs the body of a function in the page and decodes what it returns into result.
func (b *browser) eval(script string, result any) {
	b.t.Helper()
	value := b.request(http.MethodPost, "/execute/sync", map[string]any{"script": script, "args": []any{}})
	if result != nil {
		if err := json.Unmarshal(value, result); err != nil {
			b.t.Errorf("the page returned %s: %v", value, err)
		}
	}
}

// rows is the text of the list's rows.
func (b *browser) rows() string {
	var text string
	b.eval(`return document.getElementById("rows").innerText`, &text)
	return text
}

// windows are the handles of the app's windows, in no order.
func (b *browser) windows() (handles []string) {
	if err := json.Unmarshal(b.request(http.MethodGet, "/window/handles", nil), &handles); err != nil {
		b.t.Error(err)
	}
	return handles
}

// in runs do with another window than the first.
func (b *browser) in(handle string, do func()) {
	var before string
	if err := json.Unmarshal(b.request(http.MethodGet, "/window", nil), &before); err != nil {
		b.t.Error(err)
	}
	b.request(http.MethodPost, "/window", map[string]string{"handle": handle})
	do()
	b.request(http.MethodPost, "/window", map[string]string{"handle": before})
}

// repaintScript has a dot that nobody sees change all the time: the driver waits for the next frame, and a page in which
// nothing changes has none.
const repaintScript = `if (!window.repainting) {
	const dot = document.body.appendChild(document.createElement("div"));
	dot.style.cssText = "position: fixed; right: 0; bottom: 0; width: 1px; height: 1px";
	let odd = false;
	window.repainting = setInterval(() => (dot.style.background = (odd = !odd) ? "#0001" : "#0002"), 20);
}`

// screenshot returns the window's content as PNG.
func (b *browser) screenshot() []byte {
	b.t.Helper()
	b.eval(repaintScript, nil)
	defer b.eval(`clearInterval(window.repainting); window.repainting = 0`, nil)
	var text string
	if err := json.Unmarshal(b.request(http.MethodGet, "/screenshot", nil), &text); err != nil {
		b.t.Fatal(err)
	}
	png, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		b.t.Fatal(err)
	}
	return png
}

// until waits for ok, for 20 s at most.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited 20 s for %s", what)
}
