//go:build linux

package webdriver

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

// Browser drives the windows of one app.
type Browser struct {
	t       testing.TB
	session string // address of the session
}

// Open has WebKitWebDriver start an app's binary with the environment env, as for exec.Cmd. The test's end closes both.
func Open(t testing.TB, binary string, env []string) *Browser {
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
	b := &Browser{t: t}
	t.Cleanup(func() {
		if b.session != "" {
			b.Request(http.MethodDelete, "", nil)
		}
		syscall.Kill(-driver.Process.Pid, syscall.SIGTERM)
		driver.Wait()
		if t.Failed() {
			t.Logf("the driver and the app said:\n%s", said.String())
		}
	})
	root := fmt.Sprintf("http://127.0.0.1:%d", port)
	Until(t, "the driver to listen", func() bool {
		r, err := http.Get(root + "/status")
		if err == nil {
			r.Body.Close()
		}
		return err == nil
	})
	b.session = root + "/session"
	answer := b.Request(http.MethodPost, "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": map[string]any{"binary": binary, "args": []string{}},
	}}})
	var session struct{ SessionID string }
	if err := json.Unmarshal(answer, &session); err != nil || session.SessionID == "" {
		t.Fatalf("open a session: %s", answer)
	}
	b.session += "/" + session.SessionID
	return b
}

// For is the same browser for a part of the test, which its failures then fail.
func (b *Browser) For(t testing.TB) *Browser { return &Browser{t: t, session: b.session} }

// Request sends one WebDriver command and returns its value. Its path is that below the session.
func (b *Browser) Request(method, path string, body any) json.RawMessage {
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

// Eval runs the body of a function in the page and decodes what it returns into result, unless that is nil.
func (b *Browser) Eval(script string, result any) {
	b.t.Helper()
	value := b.Request(http.MethodPost, "/execute/sync", map[string]any{"script": script, "args": []any{}})
	if result != nil {
		if err := json.Unmarshal(value, result); err != nil {
			b.t.Errorf("the page returned %s: %v", value, err)
		}
	}
}

// Click clicks the first element that a CSS selector finds.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	b.Request(http.MethodPost, "/element/"+b.element(selector)+"/click", map[string]any{})
}

// Type types text into the first element that a CSS selector finds.
func (b *Browser) Type(selector, text string) {
	b.t.Helper()
	b.Request(http.MethodPost, "/element/"+b.element(selector)+"/value", map[string]any{"text": text})
}

func (b *Browser) element(selector string) string {
	b.t.Helper()
	value := b.Request(http.MethodPost, "/element", map[string]any{"using": "css selector", "value": selector})
	var found map[string]string
	if err := json.Unmarshal(value, &found); err != nil {
		b.t.Fatalf("find %s: %s", selector, value)
	}
	for _, id := range found {
		return id
	}
	b.t.Fatalf("find %s: there is none", selector)
	return ""
}

// Keys that are no characters, as the protocol writes them.
const (
	Escape = "\ue00c"
	Enter  = "\ue007"
	Down   = "\ue015"
	Delete = "\ue017"
)

// Press presses keys, one after the other, where the keyboard's focus is.
func (b *Browser) Press(keys ...string) {
	b.t.Helper()
	var actions []map[string]string
	for _, key := range keys {
		actions = append(actions, map[string]string{"type": "keyDown", "value": key}, map[string]string{"type": "keyUp", "value": key})
	}
	b.Request(http.MethodPost, "/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": actions}}})
}

// repaintScript has a dot that nobody sees change all the time: the driver waits for the next frame, and a page in which
// nothing changes has none.
const repaintScript = `if (!window.repainting) {
	const dot = document.body.appendChild(document.createElement("div"));
	dot.style.cssText = "position: fixed; right: 0; bottom: 0; width: 1px; height: 1px";
	let odd = false;
	window.repainting = setInterval(() => (dot.style.background = (odd = !odd) ? "#0001" : "#0002"), 20);
}`

// Screenshot returns the window's content as PNG.
func (b *Browser) Screenshot() []byte {
	b.t.Helper()
	b.Eval(repaintScript, nil)
	defer b.Eval(`clearInterval(window.repainting); window.repainting = 0`, nil)
	var text string
	if err := json.Unmarshal(b.Request(http.MethodGet, "/screenshot", nil), &text); err != nil {
		b.t.Fatal(err)
	}
	png, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		b.t.Fatal(err)
	}
	return png
}

// Until waits for ok, for 20 s at most.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited 20 s for %s", what)
}
