package serve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
)

const (
	maxRecords    = 50        // transcripts that are kept, the last ones
	maxTranscript = 512 << 10 // bytes of one
	maxPart       = 4 << 10   // bytes of a result in it
	tasksURI      = "elyra://tasks/"
)

// tasks are the transcripts of the server's own tasks, for as long as it runs. The session files have all of it.
type tasks struct {
	changed func() // the list has; it must not block

	mu      sync.Mutex
	records []*record // the oldest first
	watched map[string][]*watcher
}

type watcher struct{ updated func() }

func newTasks(changed func()) *tasks {
	return &tasks{changed: changed, watched: map[string][]*watcher{}}
}

// record is what happened in one task.
type record struct {
	tasks   *tasks
	session string
	title   string

	mu   sync.Mutex
	text strings.Builder
	full bool
}

// begin adds a task. One that goes on in a session replaces the record of the one before.
func (t *tasks) begin(o outcome, task string, at time.Time) *record {
	r := &record{tasks: t, session: o.Session, title: result.OneLine(task, 120)}
	r.write(fmt.Sprintf("# Task in session %s\n\n- Mode: %s\n- Model: %s\n- Begun: %s\n", o.Session, o.Mode, o.Model, at.UTC().Format(time.RFC3339)))
	t.mu.Lock()
	t.records = slices.DeleteFunc(t.records, func(old *record) bool { return old.session == r.session })
	t.records = append(t.records, r)
	if over := len(t.records) - maxRecords; over > 0 {
		t.records = slices.Delete(t.records, 0, over)
	}
	t.mu.Unlock()
	t.changed()
	t.updated(r.uri())
	return r
}

// list returns the records, sorted by their sessions.
func (t *tasks) list() []*record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(slices.Values(t.records), func(a, b *record) int { return cmp.Compare(a.session, b.session) })
}

// find returns the record under a URI, nil if there is none.
func (t *tasks) find(uri string) *record {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.records {
		if r.uri() == uri {
			return r
		}
	}
	return nil
}

// watch has updated called whenever the record under a URI grows.
func (t *tasks) watch(uri string, updated func()) (stop func()) {
	w := &watcher{updated}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watched[uri] = append(t.watched[uri], w)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.watched[uri] = slices.DeleteFunc(t.watched[uri], func(other *watcher) bool { return other == w }); len(t.watched[uri]) == 0 {
			delete(t.watched, uri)
		}
	}
}

func (t *tasks) updated(uri string) {
	t.mu.Lock()
	all := slices.Clone(t.watched[uri])
	t.mu.Unlock()
	for _, w := range all {
		w.updated()
	}
}

func (r *record) uri() string { return tasksURI + r.session }

// note writes down an event.
func (r *record) note(e loop.Event) {
	if r == nil {
		return
	}
	switch e.Kind {
	case loop.KindPrompt:
		r.write("\n## Task\n\n" + e.Message.String() + "\n")
	case loop.KindMessage:
		if text := e.Message.String(); text != "" {
			r.write("\n## Answer\n\n" + text + "\n")
		}
	case loop.KindCall:
		r.write(fmt.Sprintf("\n## Call of %s\n\n%s\n", e.Call.Name, quoted(string(e.Call.Arguments))))
	case loop.KindResult:
		head := "Result"
		if e.Output.IsError {
			head = "Error"
		}
		r.write(fmt.Sprintf("\n%s of %s:\n\n%s\n", head, e.Call.Name, quoted(model.Message{Content: e.Output.Content}.String())))
	case loop.KindCompacted:
		r.write("\n## Summary of what was before\n\n" + e.Text + "\n")
	case loop.KindNotice:
		r.write("\n" + e.Text + "\n")
	default:
		return
	}
	r.tasks.updated(r.uri())
}

// finish writes down how the task has ended.
func (r *record) finish(o outcome) {
	text := "\n## End\n\n"
	if o.Error != "" {
		text += "Not done: " + o.Error + "\n"
	}
	for _, c := range o.Changed {
		text += fmt.Sprintf("- %s (%s)\n", c.Path, c.What)
	}
	r.write(text + fmt.Sprintf("\nCost: $%.4f\n", o.Cost))
	r.tasks.updated(r.uri())
}

// quoted is foreign text as a quotation, of a bounded length.
func quoted(text string) string {
	text = result.Clean(text)
	if len(text) > maxPart {
		text = text[:result.CutAt(text, maxPart)] + "…"
	}
	return "> " + strings.ReplaceAll(text, "\n", "\n> ")
}

func (r *record) write(text string) {
	text = result.Clean(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.full:
	case r.text.Len()+len(text) > maxTranscript:
		r.full = true
		r.text.WriteString("\n(The rest is left out here; the session has it.)\n")
	default:
		r.text.WriteString(text)
	}
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}
