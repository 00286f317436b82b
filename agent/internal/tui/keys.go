package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// key takes a key: the dialog's, the menu's, one that orders something, or one of the editor.
func (p *program) key(k tea.KeyPressMsg) tea.Cmd {
	now := p.o.Now()
	name := k.String()
	hint := p.hint
	p.hint = ""
	defer func() { p.typed = now }()
	if name == "ctrl+c" {
		return p.interrupt(now)
	}
	if name == "ctrl+z" {
		p.suspended = true
		_ = p.paint.Stop()
		return tea.Suspend
	}
	if len(p.dialogs) > 0 {
		d := p.dialogs[0]
		if now.Before(d.since().Add(readTime)) {
			p.hint = hint
			return nil // Pressed before the question could be read.
		}
		if d.key(k) {
			p.shut(d)
		}
		return nil
	}
	if done, cmd := p.menuKey(name); done {
		return cmd
	}
	if cmd, done := p.order(name, now); done {
		return cmd
	}
	p.edit(k, name)
	return p.complete()
}

// interrupt stops what goes on, then takes back what is written, then quits when it is pressed again.
func (p *program) interrupt(now time.Time) tea.Cmd {
	again := now.Sub(p.broken) < twiceTime
	p.broken = now
	switch {
	case again:
		return tea.Quit
	case len(p.dialogs) > 0:
		p.dialogs[0].dismiss()
		p.shut(p.dialogs[0])
	case p.work != nil:
		p.cancelWork()
	case !p.editor.Empty():
		p.editor.Remember(p.editor.Value())
		p.editor.Reset()
		p.menu.close()
	}
	p.hint = "ctrl+c again quits"
	return nil
}

// order carries out keys that order something.
func (p *program) order(name string, now time.Time) (cmd tea.Cmd, done bool) {
	switch name {
	case "enter":
		return p.enter(true), true
	case "tab":
		if p.work != nil && !p.editor.Empty() {
			return p.enter(false), true
		}
		return p.complete(), true
	case "esc":
		p.escape(now)
		return nil, true
	case "ctrl+d":
		if p.editor.Empty() {
			return tea.Quit, true
		}
		return nil, false
	case "ctrl+o":
		p.unfold()
		return nil, true
	case "ctrl+l":
		p.paint.Redraw()
		return nil, true
	}
	if line := p.o.Keys[name]; line != "" {
		return p.command(line), true
	}
	return nil, false
}

// escape stops what goes on. Pressed twice with nothing to stop, it brings back the last prompt.
func (p *program) escape(now time.Time) {
	again := now.Sub(p.escaped) < twiceTime
	p.escaped = now
	switch {
	case p.work != nil:
		p.escaped = time.Time{}
		p.cancelWork()
	case !p.editor.Empty():
		if again {
			p.editor.Remember(p.editor.Value())
			p.editor.Reset()
			p.escaped = time.Time{}
			return
		}
		p.hint = "esc again clears"
	case again:
		p.escaped = time.Time{}
		p.rewind()
	default:
		p.hint = "esc again edits the last prompt"
	}
}

// unfold shows running calls at length, or what was folded last.
func (p *program) unfold() {
	if len(p.transcript.calls) > 0 || !p.transcript.thinking.IsZero() {
		p.transcript.wide = !p.transcript.wide
		return
	}
	if !p.transcript.unfold() {
		p.hint = "nothing is folded"
	}
}

// edit changes the text or moves in it.
func (p *program) edit(k tea.KeyPressMsg, name string) {
	e := p.editor
	switch name {
	case "shift+enter", "alt+enter", "ctrl+j", "ctrl+enter":
		e.Insert("\n")
	case "backspace", "ctrl+h", "shift+backspace":
		e.Backspace()
	case "delete", "ctrl+d":
		e.Delete()
	case "left", "ctrl+b":
		e.Left()
	case "right", "ctrl+f":
		e.Right()
	case "up", "ctrl+p":
		if !e.Up() {
			e.Older()
		}
	case "down", "ctrl+n":
		if !e.Down() {
			e.Newer()
		}
	case "home", "ctrl+a":
		e.Home()
	case "end", "ctrl+e":
		e.End()
	case "alt+left", "ctrl+left", "alt+b":
		e.WordLeft()
	case "alt+right", "ctrl+right", "alt+f":
		e.WordRight()
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		e.KillWordLeft()
	case "alt+d", "ctrl+delete", "alt+delete":
		e.KillWordRight()
	case "ctrl+u":
		e.KillLeft()
	case "ctrl+k":
		e.KillRight()
	case "ctrl+y":
		e.Yank()
	case "ctrl+_", "ctrl+-", "ctrl+/":
		e.Undo()
	default:
		if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper) == 0 {
			e.Insert(k.Text)
		}
	}
}
