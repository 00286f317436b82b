//go:build webkit && linux

package webkitgtk

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

func TestPlainTextAsMarkup(t *testing.T) {
	if got, want := asMarkup(`3 < 4 & "<b>"`), `3 &lt; 4 &amp; "&lt;b&gt;"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNotification sees on a bus of its own what the desktop is told. A process of its own does it, because GLib looks
// for its bus once. Nobody on that bus shows notifications, so what is tested, too, is that this is told.
func TestNotification(t *testing.T) {
	if os.Getenv("WEBKITGTK_TEST_CHILD") != "" {
		notifyAsChild(t)
		return
	}
	bus := startLines(t, "dbus-daemon", "--session", "--nofork", "--print-address")
	address := bus.until("unix:")
	monitor := startLines(t, "dbus-monitor", "--address", address, "interface='org.freedesktop.Notifications'")
	monitor.until("NameAcquired")
	child := exec.Command(os.Args[0], "-test.run=^TestNotification$")
	child.Env = append(os.Environ(), "WEBKITGTK_TEST_CHILD=1", "DBUS_SESSION_BUS_ADDRESS="+address)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	monitor.until("member=Notify")
	for _, want := range []string{`string "Grüße"`, `string "<b>3 & 4</b>�"`, `int32 -1`} {
		monitor.until(want)
	}
}

func notifyAsChild(t *testing.T) {
	c := newCounter()
	b := newBackend(Options{})
	notifier := b.(window.Notifier)
	if err := notifier.Notify(t.Context(), window.Notification{Title: "early"}); !errors.Is(err, window.ErrNotRunning) {
		t.Errorf("before Run: %v", err)
	}
	runAppOn(t, c, b, `await report("loaded");`, window.Options{})
	expect(t, c, `["loaded"]`)
	err := notifier.Notify(t.Context(), window.Notification{Title: "Grüße", Body: "<b>3 & 4</b>\x00"})
	if err == nil || !strings.Contains(err.Error(), "org.freedesktop.Notifications") {
		t.Errorf("a desktop without notifications: %v", err)
	}
}

// lineReader reads what a program writes.
type lineReader struct {
	t     *testing.T
	name  string
	lines *bufio.Scanner
}

func startLines(t *testing.T, name string, args ...string) lineReader {
	t.Helper()
	program := exec.Command(name, args...)
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	program.Stderr = io.Discard
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill(); _ = program.Wait() })
	return lineReader{t, name, bufio.NewScanner(out)}
}

// until reads up to a line that contains part, and gives that line.
func (r lineReader) until(part string) string {
	r.t.Helper()
	for r.lines.Scan() {
		if line := strings.TrimSpace(r.lines.Text()); strings.Contains(line, part) {
			return line
		}
	}
	r.t.Fatalf("%s ended without a line with %s", r.name, part)
	return ""
}
