//go:build webkit && linux

package webkitgtk

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// typing is a page with two inputs. It reports what they hold, and where the keyboard is, when F2 is pressed.
const typing = `
	document.body.innerHTML = "<input id=a><textarea id=b></textarea>";
	const [a, b] = [document.querySelector("#a"), document.querySelector("#b")];
	addEventListener("keydown", (event) => { if (event.key === "F2") report(a.value, b.value); });
	a.focus();
	await report("loaded");`

func press(t *testing.T, keys string) {
	t.Helper()
	xdotool(t, append([]string{"key"}, strings.Fields(keys)...)...)
}

// startTyping gives the keyboard to the page of typing.
func startTyping(t *testing.T, script string) (c *counter, done chan error) {
	c = newCounter()
	done = runApp(t, c, Options{}, typing+script, window.Options{Title: "Typing", Width: 400, Height: 300})
	expect(t, c, `["loaded"]`)
	focus(t, windowOf(t, "Typing"))
	return c, done
}

func TestEditingByKeyboard(t *testing.T) {
	c, _ := startTyping(t, "")
	for _, step := range []struct{ keys, want string }{
		{"o n e", `["one",""]`},
		{"ctrl+a ctrl+c Tab ctrl+v", `["one","one"]`},
		{"Return t w o", `["one","one\ntwo"]`},
		{"ctrl+z", `["one","one"]`},
		{"ctrl+shift+z", `["one","one\ntwo"]`},
		{"ctrl+z ctrl+y", `["one","one\ntwo"]`},
		{"ctrl+a ctrl+x shift+Tab End ctrl+v", `["oneone two",""]`},
	} {
		press(t, step.keys+" F2")
		if got := next(t, c.reports, step.keys); got != step.want {
			t.Errorf("%s: the inputs hold %s, want %s", step.keys, got, step.want)
		}
	}
}

func TestShortcutsOfWindows(t *testing.T) {
	t.Run("ctrl+w closes the window", func(t *testing.T) {
		_, done := startTyping(t, "")
		press(t, "ctrl+w")
		if err := next(t, done, "the window to close"); err != nil {
			t.Error(err)
		}
	})
	t.Run("ctrl+q closes all", func(t *testing.T) {
		c := newCounter()
		done := runApp(t, c, Options{}, `await report("loaded")`, window.Options{ID: "a"}, window.Options{ID: "b"})
		expect(t, c, `["loaded"]`)
		expect(t, c, `["loaded"]`)
		focus(t, windowOf(t, "b"))
		press(t, "ctrl+q")
		if err := next(t, done, "the windows to close"); err != nil {
			t.Error(err)
		}
	})
	t.Run("a page may use them itself", func(t *testing.T) {
		c, _ := startTyping(t, `addEventListener("keydown", (event) => {
			if (event.ctrlKey && event.key !== "Control") { event.preventDefault(); report("ctrl+" + event.key); }
		});`)
		press(t, "ctrl+w")
		expect(t, c, `["ctrl+w"]`)
		press(t, "ctrl+q")
		expect(t, c, `["ctrl+q"]`)
	})
	t.Run("other modifiers are other keys", func(t *testing.T) {
		c, _ := startTyping(t, "")
		press(t, "ctrl+shift+w ctrl+alt+q F2")
		next(t, c.reports, "the page to live on")
	})
}

func TestMaximizedWindow(t *testing.T) {
	c := newCounter()
	runApp(t, c, Options{}, `await report("loaded")`, window.Options{Title: "Large", Width: 444, Height: 333, Maximized: true})
	expect(t, c, `["loaded"]`)
	if state := xprop(t, windowOf(t, "Large"), "_NET_WM_STATE"); !strings.Contains(state, "_NET_WM_STATE_MAXIMIZED_VERT") {
		t.Errorf("the window's state is %s", state)
	}
}

func TestIcon(t *testing.T) {
	c := newCounter()
	picture := image.NewRGBA(image.Rect(0, 0, 64, 64))
	picture.Set(3, 3, color.RGBA{R: 255, A: 255})
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	for name, icon := range map[string][]byte{"Good": file.Bytes(), "Torn": file.Bytes()[:40], "Text": []byte("no picture")} {
		t.Run(name, func(t *testing.T) {
			runApp(t, c, Options{}, `await report("loaded")`, window.Options{Title: name, Icon: icon})
			expect(t, c, `["loaded"]`)
			has := !strings.Contains(xprop(t, windowOf(t, name), "_NET_WM_ICON"), "not found")
			if want := name == "Good" && !onGTK4(); has != want {
				t.Errorf("the window has an icon: %v, want %v", has, want)
			}
		})
	}
}
