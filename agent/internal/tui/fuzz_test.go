package tui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// Whatever happens in whatever order on whatever size, nothing panics, and the live region leaves the terminal a row.
func FuzzAnything(f *testing.F) {
	f.Add(uint64(1), []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13"), "text 日本 👨‍👩‍👧‍👦 e\u0301 שלום\x1b[2J\n```go\nx\n| a |\n|---|\n")
	for seed := range uint64(8) {
		steps := make([]byte, 200)
		random := rand.New(rand.NewPCG(seed, 3))
		for i := range steps {
			steps[i] = byte(random.Uint32())
		}
		f.Add(seed, steps, "a **b**\r\n- c `d`\n\t\x07\x1b]0;title\x07")
	}
	f.Fuzz(func(t *testing.T, seed uint64, steps []byte, text string) {
		random := rand.New(rand.NewPCG(seed, 4))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		d := newDesk(t, 1+random.IntN(120), 1+random.IntN(40), func(o *Options) {
			o.Shell = func(context.Context, string, func(string)) (string, error) { return text, nil }
			o.Files = func(context.Context) ([]string, error) { return []string{text, "a/b.go"}, nil }
			o.Welcome, o.Past, o.Dir = text, []string{text}, text
		})
		d.agent.do = func(ctx context.Context, _ string) error { return ctx.Err() }
		for i, s := range steps[:min(len(steps), 300)] {
			d.anything(ctx, random, s, text)
			frame := d.p.frame()
			if room := max(d.p.height-1, 1); len(frame.Lines) > room {
				t.Fatalf("step %d: %d lines for %d rows", i, len(frame.Lines), room)
			}
			if frame.Row < 0 || frame.Row >= max(len(frame.Lines), 1) {
				t.Fatalf("step %d: the cursor is in line %d of %d", i, frame.Row, len(frame.Lines))
			}
			for _, l := range frame.Lines {
				if strings.ContainsAny(l.Plain(), "\x1b\n\r\t\x07\x00") {
					t.Fatalf("step %d: the line %q", i, l.Plain())
				}
			}
		}
		cancel()
		d.ui.turnAway(d.ui.queue.close())
		for len(d.p.dialogs) > 0 {
			d.p.dialogs[0].dismiss()
			d.p.dialogs = d.p.dialogs[1:]
		}
		d.ui.work.Wait()
	})
}

// anything is one of the things that can happen.
func (d *desk) anything(ctx context.Context, random *rand.Rand, step byte, text string) {
	d.now = d.now.Add(time.Duration(random.IntN(1000)) * time.Millisecond)
	c := call(fmt.Sprint(random.IntN(3)), "tool", text)
	keys := []string{"enter", "esc", "tab", "up", "down", "left", "right", "backspace", "delete", "home", "end", "pgdown", "pgup", "ctrl+o", "ctrl+l", "ctrl+w", "ctrl+k", "ctrl+y", "ctrl+j", "ctrl+c", "'/", "'@", "'!", "'x", "' ", "'日", "ctrl+_"}
	switch n := int(step) % 20; n {
	case 0:
		d.p.resize(1+random.IntN(200), 1+random.IntN(60))
	case 1:
		d.ui.On(prompted(text))
	case 2, 3, 4:
		d.ui.On(says(text[:random.IntN(len(text)+1)]))
	case 5:
		d.ui.On(calls(c))
	case 6:
		d.ui.On(prints(c, text))
	case 7:
		d.ui.On(results(c, text, random.IntN(2) == 0))
	case 8:
		d.ui.On([]loop.Event{{Kind: loop.KindRequest}, {Kind: loop.KindEnd}, {Kind: loop.KindNotice, Text: text}, {Kind: loop.KindCompacted, Text: text}, {Kind: loop.KindMessage, Message: &model.Message{Stop: model.StopLength}}}[random.IntN(5)])
	case 9:
		d.p.pasted(text + "\n\n\n\n\n\n")
	case 10:
		ask := &answer[int]{ctx, make(chan given[int], 1)}
		d.ui.queue.put(question{Question{Title: text, Lines: []string{text}, Diff: change + text, Choices: []string{text, "no"}[:random.IntN(3)]}, ask})
	case 11:
		d.ui.queue.put(picking{text, []Item{{Name: text}, {Name: "b", Note: text}}[:random.IntN(3)], &answer[int]{ctx, make(chan given[int], 1)}})
	case 12:
		d.ui.On(other(random, text))
	default:
		k := keys[random.IntN(len(keys))]
		d.keys(k)
		return
	}
	d.send(tea.Msg(batch(d.ui.queue.take())))
}

func other(random *rand.Rand, text string) loop.Event {
	kinds := []model.EventKind{model.EventThinking, model.EventRetry, model.EventCallArgs, model.EventCallEnd, model.EventUsage, model.EventStart}
	return step(kinds[random.IntN(len(kinds))], text)
}
