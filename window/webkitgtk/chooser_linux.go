package webkitgtk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ebitengine/purego"

	"github.com/elyra-go/elyra/window"
)

var _ window.FileDialogs = (*backend)(nil)

// chooser is a file dialog of a window. All of it but result belongs to GTK's thread.
type chooser struct {
	dialog uintptr     // a GtkFileChooserNative
	result chan choice // has room for the one that is made
}

// choice is what came of a file dialog.
type choice struct {
	paths []string
	err   error
}

// OpenFile shows a file dialog of the desktop. See window.FileDialogs.
func (b *backend) OpenFile(ctx context.Context, windowID string, d window.OpenDialog) (paths []string, err error) {
	return b.choose(ctx, windowID, func(k *toolkit, parent uintptr) uintptr {
		const open = 0
		dialog := k.newChooser(d.Title, parent, open, d.Types)
		if d.Multiple {
			k.chooserMultiple(dialog, 1)
		}
		return dialog
	})
}

// SaveFile shows a file dialog of the desktop. See window.FileDialogs.
func (b *backend) SaveFile(ctx context.Context, windowID string, d window.SaveDialog) (path string, err error) {
	paths, err := b.choose(ctx, windowID, func(k *toolkit, parent uintptr) uintptr {
		const save = 1
		dialog := k.newChooser(d.Title, parent, save, d.Types)
		if k.gtkMajor == 3 {
			k.chooserOverwrite3(dialog, 1) // GTK 4 always asks.
		}
		if d.Name != "" {
			k.chooserName(dialog, cText(d.Name))
		}
		return dialog
	})
	if err != nil || len(paths) == 0 {
		return "", err
	}
	return paths[0], nil
}

// choose shows a new dialog and waits for the choice.
func (b *backend) choose(ctx context.Context, windowID string, newDialog func(k *toolkit, parent uintptr) uintptr) ([]string, error) {
	c := &chooser{result: make(chan choice, 1)}
	err := b.onThread(ctx, func(s *session) error {
		p, _ := s.front()
		if windowID != "" {
			p = s.paneNamed(windowID)
		}
		if p == nil {
			return fmt.Errorf("show a file dialog: window %q is not open", windowID)
		}
		if p.chooser != nil {
			return errors.New("show a file dialog: the window has one already")
		}
		p.chooser = c
		c.dialog = newDialog(s.kit, p.window)
		s.kit.signalConnect(c.dialog, "response", s.kit.onChosen, 0, 0, 0)
		s.kit.nativeModal(c.dialog, 1)
		s.kit.nativeShow(c.dialog)
		return nil
	})
	if err != nil {
		b.take(c) // It may have come up although ctx has ended.
		return nil, err
	}
	select {
	case r := <-c.result:
		return r.paths, r.err
	case <-ctx.Done():
		b.take(c)
		return nil, ctx.Err()
	}
}

// take closes a dialog that nobody waits for any more.
func (b *backend) take(c *chooser) {
	if s := b.running.Load(); s != nil {
		s.kit.post(func() {
			for _, p := range s.order {
				if p.chooser == c {
					s.chosen(p, choice{})
				}
			}
		})
	}
}

// chosen ends the file dialog of a pane, if it has one.
func (s *session) chosen(p *pane, r choice) {
	c := p.chooser
	if c == nil {
		return
	}
	p.chooser = nil
	c.result <- r
	s.kit.nativeDestroy(c.dialog)
	s.kit.objectUnref(c.dialog)
}

func (k *toolkit) newChooser(title string, parent uintptr, action int32, types []window.FileType) uintptr {
	var shown *byte
	if title != "" {
		shown = &append([]byte(cText(title)), 0)[0]
	}
	dialog := k.chooserNew(shown, parent, action, 0, 0)
	for _, t := range types {
		filter := k.filterNew()
		if t.Name == "" {
			t.Name = strings.Join(t.Patterns, ", ")
		}
		k.filterName(filter, cText(t.Name))
		for _, pattern := range t.Patterns {
			k.filterPattern(filter, cText(pattern))
		}
		k.chooserFilter(dialog, filter) // takes it over
	}
	return dialog
}

// cText gives text that C and GTK take whole.
func cText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

func (k *toolkit) makeChooserCallbacks() {
	k.onChosen = purego.NewCallback(func(dialog uintptr, response int32, _ uintptr) {
		s := k.session
		if s == nil {
			return
		}
		for _, p := range s.order {
			if p.chooser != nil && p.chooser.dialog == dialog {
				var r choice
				if response == responseAccept {
					r.paths = k.chosenPaths(dialog)
				}
				k.post(func() { s.chosen(p, r) }) // not in the middle of the dialog's own signal
			}
		}
	})
}

// chosenPaths reads the paths from a dialog. A choice that is no file of this machine has none.
func (k *toolkit) chosenPaths(dialog uintptr) (paths []string) {
	take := func(path uintptr) {
		if path != 0 {
			paths = append(paths, goString(path))
			k.free(path)
		}
	}
	if k.gtkMajor == 3 {
		list := k.chooserNames3(dialog)
		for node := list; node != 0; {
			var path uintptr
			path, node = listNode(node)
			take(path)
		}
		k.slistFree(list)
		return paths
	}
	files := k.chooserFiles4(dialog)
	for i := range k.listCount(files) {
		file := k.listItem(files, i)
		take(k.filePath(file))
		k.objectUnref(file)
	}
	k.objectUnref(files)
	return paths
}
