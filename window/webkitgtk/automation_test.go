//go:build webkit && linux

package webkitgtk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/elyra-go/elyra/window"
)

// driver is a WebKitWebDriver that runs this test's own program as the browser.
type driver struct {
	t    *testing.T
	base string
}

func startDriver(t *testing.T, env ...string) *driver {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	cmd := exec.Command("WebKitWebDriver", fmt.Sprintf("--port=%d", port), "--host=127.0.0.1")
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	d := &driver{t, fmt.Sprintf("http://127.0.0.1:%d", port)}
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if _, err := d.try("GET", "/status", nil); err == nil {
			return d
		} else if time.Now().After(deadline) {
			t.Fatalf("the driver does not answer: %v", err)
		}
	}
}

func (d *driver) try(method, path string, body any) (json.RawMessage, error) {
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequest(method, d.base+path, &content)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if response.StatusCode != 200 {
		return nil, fmt.Errorf("%s %s: %s", method, path, answer.Value)
	}
	return answer.Value, nil
}

func (d *driver) session() (string, error) {
	value, err := d.try("POST", "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": map[string]any{"binary": os.Args[0], "args": []string{"-test.run=^TestAutomation$"}},
	}}})
	if err != nil {
		return "", err
	}
	var session struct{ SessionID string }
	return session.SessionID, json.Unmarshal(value, &session)
}

func TestAutomation(t *testing.T) {
	if os.Getenv("WEBKITGTK_TEST_CHILD") != "" {
		c := newCounter()
		done := runApp(t, c, Options{}, `document.querySelector("h1").onclick = async () => { document.title = "clicked " + await call("add"); };`,
			window.Options{ID: "a"}, window.Options{ID: "b"})
		next(t, done, "the driver to close the windows")
		return
	}
	d := startDriver(t, "WEBKITGTK_TEST_CHILD=1", "ELYRA_AUTOMATION=1")
	id, err := d.session()
	if err != nil {
		t.Fatal(err)
	}
	path := "/session/" + id
	must := func(method, path string, body any) (value any) {
		t.Helper()
		raw, err := d.try(method, path, body)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &value); err != nil {
			t.Fatal(err)
		}
		return value
	}
	if handles := must("GET", path+"/window/handles", nil).([]any); len(handles) != 2 {
		t.Errorf("the driver sees %d windows, want 2", len(handles))
	}
	title := must("POST", path+"/execute/async", map[string]any{"args": []any{}, "script": `
		const done = arguments[arguments.length - 1];
		const wait = () => document.querySelector("h1")?.onclick ? document.querySelector("h1").onclick().then(() => done(document.title)) : setTimeout(wait, 20);
		wait();`})
	if title != "clicked 1" {
		t.Errorf("the page's title is %q", title)
	}
	if _, err := d.try("DELETE", path, nil); err != nil {
		t.Error(err)
	}
}
