package mode

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// patient is an agent that works on a prompt until it is aborted, and keeps what it was told.
type patient struct {
	mu      sync.Mutex
	told    []string
	started chan struct{}
}

func (p *patient) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, text)
}

func (p *patient) Say(ctx context.Context, content ...model.Block) (model.Message, error) {
	p.note("prompt " + content[0].Text)
	close(p.started)
	<-ctx.Done()
	return model.Message{}, ctx.Err()
}

func (p *patient) Steer(content ...model.Block) { p.note("steer " + content[0].Text) }

func (p *patient) Queue(content ...model.Block) { p.note("queue " + content[0].Text) }

func (p *patient) Compact(_ context.Context, focus string) error {
	p.note("compact " + focus)
	return nil
}

func (p *patient) History() []model.Message { return []model.Message{{Role: model.User}} }

func (p *patient) Totals() loop.Totals { return loop.Totals{Cost: 1.5, Requests: 3} }

func (p *patient) Model() (model.Spec, model.Level) {
	return model.Spec{Provider: "p", ID: "m"}, model.LevelHigh
}

func (p *patient) SetModel(name string, l model.Level) (model.Spec, error) {
	p.note("model " + name + " " + string(l))
	return model.Spec{Provider: "p", ID: name}, nil
}

// dialogue is an RPC under way.
type dialogue struct {
	t     *testing.T
	in    *io.PipeWriter
	lines *bufio.Scanner
	ended chan error
}

func talk(t *testing.T, a Agent) *dialogue {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	d := &dialogue{t: t, in: inW, lines: bufio.NewScanner(outR), ended: make(chan error, 1)}
	go func() {
		d.ended <- RPC(t.Context(), a, inR, NewLines(outW))
		outW.Close()
	}()
	return d
}

func (d *dialogue) write(line string) {
	d.t.Helper()
	if _, err := io.WriteString(d.in, line+"\n"); err != nil {
		d.t.Fatal(err)
	}
}

// next is the next line of a type; others are passed over.
func (d *dialogue) next(typ string) Line {
	d.t.Helper()
	for d.lines.Scan() {
		var l Line
		if err := json.Unmarshal(d.lines.Bytes(), &l); err != nil {
			d.t.Fatalf("%s: %v", d.lines.Bytes(), err)
		}
		if l.Type == typ {
			return l
		}
	}
	d.t.Fatalf("there is no line of the type %s", typ)
	return Line{}
}

func TestACommandIsAnsweredWhileTheAgentWorks(t *testing.T) {
	t.Parallel()
	a := &patient{started: make(chan struct{})}
	d := talk(t, a)
	d.write(`{"id":"1","type":"prompt","text":"go"}`)
	if r := d.next("response"); r.ID != "1" || r.Error != "" {
		t.Errorf("response %+v", r)
	}
	<-a.started
	d.write(`{"id":"2","type":"prompt","text":"again"}`)
	if r := d.next("response"); r.ID != "2" || r.Error != loop.ErrBusy.Error() {
		t.Errorf("response %+v", r)
	}
	for _, c := range []string{`{"id":"3","type":"steer","text":"faster"}`, `{"id":"4","type":"queue","text":"later"}`, `{"id":"5","type":"get_state"}`, `{"id":"6","type":"get_session_stats"}`, `{"id":"7","type":"set_model","model":"x","thinking":"low"}`, `{"id":"8","type":"get_messages"}`} {
		d.write(c)
		if r := d.next("response"); r.Error != "" || !strings.Contains(c, `"id":"`+r.ID+`"`) {
			t.Errorf("%s: %+v", c, r)
		}
	}
	d.write(`{"id":"9","type":"abort"}`)
	if r := d.next("end"); r.Error != "aborted" || r.Totals.Cost != 1.5 {
		t.Errorf("end %+v", r)
	}
	d.in.Close()
	if err := <-d.ended; err != nil {
		t.Error(err)
	}
	if got := strings.Join(a.told, ", "); got != "prompt go, steer faster, queue later, model x low" {
		t.Errorf("told %s", got)
	}
}

func FuzzRPC(f *testing.F) {
	f.Add(`{"id":"1","type":"get_state"}`)
	f.Add("{\"type\":\"steer\"}\n\n[1]\n{\"type\":7}")
	f.Add(`{"type":"compact","text":"\ud800"}`)
	f.Fuzz(func(t *testing.T, text string) {
		a := &patient{started: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // What a prompt starts ends at once.
		var out strings.Builder
		RPC(ctx, a, strings.NewReader(text), NewLines(&out)) //nolint:errcheck // Only that it ends, in whole lines.
		for line := range strings.SplitSeq(strings.TrimSuffix(out.String(), "\n"), "\n") {
			var l Line
			if out.Len() > 0 && json.Unmarshal([]byte(line), &l) != nil {
				t.Errorf("the line %q is no JSON", line)
			}
		}
	})
}
