//go:build webkit && linux

package webkitgtk

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ebitengine/purego"
)

// xdotool moves the pointer and presses keys as the X server knows them, so that the toolkit sees no difference to a person.
func xdotool(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command("xdotool", args...).Output()
	if err != nil {
		t.Fatalf("xdotool %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

// onGTK runs something on GTK's thread while a Run is in progress, and waits for it.
func onGTK(run func(s *session)) {
	process.Lock()
	kit := process.kit
	process.Unlock()
	done := make(chan struct{})
	kit.post(func() { defer close(done); run(kit.session) })
	<-done
}

// eventually waits for ok. It bounds a failing test only.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// windows gives the X windows with a title that are on the screen.
func windows(title string) []string {
	out, _ := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^"+title+"$").Output()
	return strings.Fields(string(out))
}

// windowOf waits for the X window with a title.
func windowOf(t testing.TB, title string) (id string) {
	t.Helper()
	eventually(t, "a window with the title "+title, func() bool {
		if found := windows(title); len(found) == 1 {
			id = found[0]
		}
		return id != ""
	})
	return id
}

// rootWindow is the screen itself.
func rootWindow(t testing.TB) string {
	t.Helper()
	return strings.Fields(xdotool(t, "search", "--maxdepth", "0", ""))[0]
}

// focus gives the keyboard to a window.
func focus(t testing.TB, id string) { xdotool(t, "windowfocus", "--sync", id) }

// measuring holds GTK's functions that say where things are.
type measuring struct {
	width, height func(widget uintptr) int32
	// place translates a place in a widget to one in the X window of its dialog.
	place func(widget, dialog uintptr, x, y int32) (inWindowX, inWindowY int)
	// typeOfFocus gives the name of the type of the widget that has the keyboard, "" without one.
	typeOfFocus func() string
}

func measures(kit *toolkit) (m measuring) {
	gtk, err := open(stacks()[kit.gtkMajor-3].gtk)
	if err != nil {
		panic(err) // The kit has opened it already.
	}
	purego.RegisterLibFunc(&m.width, gtk, "gtk_widget_get_allocated_width")
	purego.RegisterLibFunc(&m.height, gtk, "gtk_widget_get_allocated_height")
	var allWindows func() uintptr
	var typeName func(object uintptr) string
	purego.RegisterLibFunc(&allWindows, gtk, "gtk_window_list_toplevels")
	purego.RegisterLibFunc(&typeName, gtk, "g_type_name_from_instance")
	m.typeOfFocus = func() string {
		for node := allWindows(); node != 0; {
			var gtkWindow uintptr
			gtkWindow, node = listNode(node)
			if focus := kit.windowFocus(gtkWindow); focus != 0 && kit.windowIsActive(gtkWindow) != 0 {
				return typeName(focus)
			}
		}
		return ""
	}
	if kit.gtkMajor == 3 {
		var translate func(from, to uintptr, x, y int32, toX, toY *int32) int32
		purego.RegisterLibFunc(&translate, gtk, "gtk_widget_translate_coordinates")
		m.place = func(widget, dialog uintptr, x, y int32) (int, int) {
			var toX, toY int32
			translate(widget, dialog, x, y, &toX, &toY)
			return int(toX), int(toY)
		}
		return m
	}
	var translate func(from, to uintptr, x, y float64, toX, toY *float64) int32
	var shadow func(native uintptr, x, y *float64)
	purego.RegisterLibFunc(&translate, gtk, "gtk_widget_translate_coordinates")
	purego.RegisterLibFunc(&shadow, gtk, "gtk_native_get_surface_transform")
	m.place = func(widget, dialog uintptr, x, y int32) (int, int) {
		var toX, toY, shadowX, shadowY float64
		translate(widget, dialog, float64(x), float64(y), &toX, &toY)
		shadow(dialog, &shadowX, &shadowY)
		return int(toX + shadowX), int(toY + shadowY)
	}
	return m
}

func acceptButton(a *question) uintptr { return a.accept }
func refuseButton(a *question) uintptr { return a.refuse }

// point moves the pointer to a button of the dialog with that title.
func point(t testing.TB, title string, button func(*question) uintptr) {
	t.Helper()
	id := windowOf(t, title)
	var x, y int
	onGTK(func(s *session) {
		a := s.asking()
		if a == nil {
			t.Error("no question is on the screen")
			return
		}
		f := measures(s.kit)
		x, y = f.place(button(a), a.dialog, f.width(button(a))/2, f.height(button(a))/2)
	})
	xdotool(t, "mousemove", "--window", id, fmt.Sprint(x), fmt.Sprint(y))
}

// click clicks where the pointer is.
func click(t testing.TB) {
	t.Helper()
	if onGTK4() {
		// GTK 4 finds out that a button can be pressed now when the pointer moves, as that of a person does.
		xdotool(t, "mousemove_relative", "1", "0")
	}
	xdotool(t, "click", "1")
}

// screenUser is the person of the backend suite: it looks for the dialog on the screen and clicks.
type screenUser struct{}

func (screenUser) Sees(t *testing.T) (title string) {
	t.Helper()
	eventually(t, "a question that takes input", func() bool {
		onGTK(func(s *session) {
			if s == nil {
				return
			}
			if a := s.asking(); a != nil && !a.guarded {
				title = a.Title
			}
		})
		return title != ""
	})
	return title
}

func (u screenUser) Answers(t *testing.T, accept bool) {
	t.Helper()
	button := refuseButton
	if accept {
		button = acceptButton
	}
	title := u.Sees(t)
	activate(t, title)
	point(t, title, button)
	click(t)
}

func (u screenUser) Chooses(t *testing.T, title, path string) {
	t.Helper()
	focus(t, windowOf(t, title))
	if path == "" {
		xdotool(t, "key", "Escape")
	} else {
		xdotool(t, "key", "slash") // brings up the place to type a path, if it is not there
		eventually(t, "the place to type a path", func() (there bool) {
			onGTK(func(s *session) {
				name := measures(s.kit).typeOfFocus()
				there = name == "GtkFileChooserEntry" || name == "GtkText" // of GTK 4, inside of the former
			})
			return there
		})
		xdotool(t, "key", "ctrl+a")
		// Letters that the keyboard lacks are put on a key for a moment; a program that is slow must see each before the next.
		xdotool(t, "type", "--delay", "40", path)
		xdotool(t, "key", "Return")
	}
	eventually(t, "the file dialog to close", func() bool { return len(windows(title)) == 0 })
}

// activate gives the dialog the keyboard and waits until it takes input.
func activate(t testing.TB, title string) {
	t.Helper()
	focus(t, windowOf(t, title))
	eventually(t, "the dialog to take input", func() (ready bool) {
		onGTK(func(s *session) {
			a := s.asking()
			ready = a != nil && !a.guarded && s.kit.windowIsActive(a.dialog) != 0
		})
		return ready
	})
}
