package tui

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// desk is an interface at an emulated terminal. Nothing happens by itself: a test says what does.
type desk struct {
	t     testing.TB
	p     *program
	ui    *UI
	agent *fake
	term  *vt.Emulator
	now   time.Time
	quit  bool
}

// newDesk opens a terminal without colours.
func newDesk(t testing.TB, width, height int, change func(*Options)) *desk {
	t.Helper()
	d := &desk{t: t, now: time.Unix(1_700_000_000, 0), agent: &fake{}, term: vt.NewEmulator(width, height)}
	o := Options{
		Dir: "/home/someone/project", Home: "/home/someone", Environ: []string{"NO_COLOR=1"}, Title: "elyra test",
		State: func() State { return State{Model: "Some Model", Context: 200_000, Level: model.LevelHigh} },
		Now:   func() time.Time { return d.now },
	}
	if change != nil {
		change(&o)
	}
	d.ui = New(o)
	d.ui.set(true)
	d.p = newProgram(t.Context(), d.ui, d.agent, d.term)
	if err := d.p.start(); err != nil {
		t.Fatal(err)
	}
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	d.p.Init()
	d.paint()
	return d
}

// send passes a message to the program loop and paints.
func (d *desk) send(msg tea.Msg) {
	d.note(d.p.handle(msg))
	d.paint()
}

func (d *desk) note(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		d.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			d.note(c)
		}
	case filesMsg:
		d.send(msg)
	}
}

func (d *desk) paint() {
	d.p.painted, d.p.painting = time.Time{}, false
	d.p.draw()
}

// events tells of what happens in the conversation.
func (d *desk) events(list ...loop.Event) {
	for _, e := range list {
		d.ui.On(e)
	}
	d.drain()
}

// drain shows all that waits.
func (d *desk) drain() { d.send(batch(d.ui.queue.take())) }

// settle waits until what was started for the user has ended, and shows it.
func (d *desk) settle() {
	d.ui.work.Wait()
	d.drain()
}

// until shows what happens until something is so.
func (d *desk) until(what string, is func() bool) {
	d.t.Helper()
	for range 2000 {
		d.drain()
		if is() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	d.t.Fatalf("it did not happen: %s; the terminal shows\n%s", what, d.screen())
}

// keys presses keys: names such as "enter", or 'text.
func (d *desk) keys(list ...string) {
	d.now = d.now.Add(3 * time.Second) // Nobody types ahead of a question here.
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "home": tea.KeyHome, "end": tea.KeyEnd, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp,
	}
	for _, k := range list {
		if text, ok := strings.CutPrefix(k, "'"); ok {
			for _, r := range text {
				d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			continue
		}
		var key tea.KeyPressMsg
		for {
			if rest, ok := strings.CutPrefix(k, "ctrl+"); ok {
				key.Mod, k = key.Mod|tea.ModCtrl, rest
			} else if rest, ok := strings.CutPrefix(k, "alt+"); ok {
				key.Mod, k = key.Mod|tea.ModAlt, rest
			} else if rest, ok := strings.CutPrefix(k, "shift+"); ok {
				key.Mod, k = key.Mod|tea.ModShift, rest
			} else {
				break
			}
		}
		if key.Code = named[k]; key.Code == 0 {
			key.Code = []rune(k)[0]
		}
		d.send(key)
	}
}

// screen returns all that the terminal has shown, with the scrollback.
func (d *desk) screen() string {
	var b strings.Builder
	line := func(at func(x int) string) {
		var l strings.Builder
		for x := range d.term.Width() {
			l.WriteString(at(x))
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	for y := range d.term.ScrollbackLen() {
		line(func(x int) string {
			if c := d.term.ScrollbackCellAt(x, y); c != nil {
				return c.Content
			}
			return " "
		})
	}
	for y := range d.term.Height() {
		line(func(x int) string {
			if c := d.term.CellAt(x, y); c != nil {
				return c.Content
			}
			return " "
		})
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (d *desk) shows(texts ...string) {
	d.t.Helper()
	screen := d.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			d.t.Errorf("%q is not shown:\n%s", text, screen)
		}
	}
}

func (d *desk) hides(texts ...string) {
	d.t.Helper()
	screen := d.screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			d.t.Errorf("%q is shown:\n%s", text, screen)
		}
	}
}

// fake is an agent whose work is a function.
type fake struct {
	do func(ctx context.Context, text string) error

	mu      sync.Mutex
	said    []string // with how it was said
	waiting []model.Message
	history []model.Message
	totals  loop.Totals
}

func (f *fake) note(how string, content []model.Block) model.Message {
	m := model.Message{Role: model.User, Content: content}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, how+": "+m.String())
	if how != "prompt" {
		f.waiting = append(f.waiting, m)
	}
	return m
}

func (f *fake) heard() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.said...)
}

func (f *fake) Prompt(ctx context.Context, content ...model.Block) (model.Message, error) {
	m := f.note("prompt", content)
	if f.do == nil {
		return m, nil
	}
	return m, f.do(ctx, m.String())
}
func (f *fake) Steer(content ...model.Block) { f.note("steer", content) }
func (f *fake) Queue(content ...model.Block) { f.note("queue", content) }
func (f *fake) Unqueue() []model.Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.waiting
	f.waiting = nil
	return w
}
func (f *fake) History() []model.Message { return f.history }
func (f *fake) Totals() loop.Totals      { return f.totals }

// Events of conversations.

func says(text string) loop.Event { return step(model.EventText, text) }

func step(kind model.EventKind, text string) loop.Event {
	return loop.Event{Kind: loop.KindStream, Stream: &model.Event{Kind: kind, Text: text}}
}

func prompted(text string) loop.Event {
	return loop.Event{Kind: loop.KindPrompt, Message: &model.Message{Role: model.User, Content: []model.Block{model.Text(text)}}}
}

func call(id, name, args string) *model.Call {
	return &model.Call{ID: id, Name: name, Arguments: jsontext.Value(args)}
}

func calls(c *model.Call) loop.Event { return loop.Event{Kind: loop.KindCall, Call: c} }

func prints(c *model.Call, text string) loop.Event {
	return loop.Event{Kind: loop.KindProgress, Call: c, Text: text}
}

func results(c *model.Call, text string, failed bool) loop.Event {
	return loop.Event{Kind: loop.KindResult, Call: c, Output: &loop.Output{Content: []model.Block{model.Text(text)}, IsError: failed}}
}
