package tui

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
	"github.com/elyra-go/elyra/agent/internal/tui/markdown"
)

// maxFolded is how many folded things can still be unfolded.
const maxFolded = 100

// transcript turns what happens into lines: finished ones, which never change, and live ones.
type transcript struct {
	o     *Options
	look  *look.Look
	width int

	done []cells.Line // finished, not taken yet
	last kindOfLine   // what the finished lines end with

	stream   *markdown.Stream // the text that is being written; nil: none
	thought  strings.Builder
	thinking time.Time // since when it thinks; zero: it does not
	writing  *model.Call
	size     int // bytes of the arguments of writing
	calls    []*running
	retry    string // why the request is made again, while that is so
	phase    string // what goes on, for the status line

	wide   bool     // live output is shown at length
	folded []folded // the latest at the end
}

// kindOfLine says what lines are about, which decides where blank lines stand.
type kindOfLine int

const (
	nothing kindOfLine = iota
	speech
	shortCall
	longCall
)

// folded is something that was shown in short.
type folded struct {
	title string
	lines func(width int) []cells.Line
}

func newTranscript(o *Options, l *look.Look, width int) *transcript {
	return &transcript{o: o, look: l, width: max(width, 1)}
}

// take returns the lines that were finished since the last call.
func (t *transcript) take() []cells.Line {
	done := t.done
	t.done = nil
	return done
}

// resize changes the width of what comes.
func (t *transcript) resize(width int) {
	t.width = max(width, 1)
	if t.stream != nil {
		t.stream.Resize(t.width)
	}
}

// put finishes lines, with a blank line before them where their kind wants one.
func (t *transcript) put(kind kindOfLine, lines ...cells.Line) {
	if len(lines) == 0 {
		return
	}
	if t.last != nothing && !(t.last == shortCall && kind == shortCall) {
		t.done = append(t.done, nil)
	}
	t.done, t.last = append(t.done, lines...), kind
}

// event takes what happens in the conversation.
func (t *transcript) event(e loop.Event) {
	switch e.Kind {
	case loop.KindPrompt:
		t.closeText()
		t.user(e.Message)
	case loop.KindRequest:
		t.closeText()
		t.phase, t.retry = "Waiting", ""
	case loop.KindStream:
		t.step(e.Stream)
	case loop.KindMessage:
		t.closeText()
		t.ending(e.Message)
	case loop.KindCall:
		t.closeText()
		t.phase = "Running"
		t.calls = append(t.calls, &running{call: e.Call, since: t.o.Now()})
	case loop.KindProgress:
		t.progress(e.Call, e.Text)
	case loop.KindResult:
		t.closeText()
		t.result(e.Call, e.Output)
	case loop.KindCompacting:
		t.phase = "Summarising what was said early"
	case loop.KindCompacted:
		summary := e.Text
		t.note("Earlier messages were summarised.")
		t.fold("Summary", func(width int) []cells.Line { return markdown.Render(t.look, width, summary) })
	case loop.KindNotice:
		t.note(e.Text)
	case loop.KindEnd:
		t.end()
	}
}

// attached begins a text that came along with what the user said: a file, or a prompt that an MCP server wrote.
var attached = regexp.MustCompile(`^<(?:file path|prompt server)="[^>]*>\n`)

// user shows what the user said. What came along is folded.
func (t *transcript) user(m *model.Message) {
	var words []string
	var along []cells.Line
	for _, b := range m.Content {
		switch head := attached.FindString(b.Text); {
		case head != "":
			name := strings.Trim(strings.TrimSpace(head), "<>")
			along = append(along, t.look.Dim.Text(fmt.Sprintf("  + %s, %d lines", result.OneLine(name, 200), strings.Count(b.Text, "\n")-1)))
			text := result.Clean(b.Text)
			t.fold(result.OneLine(name, 200), func(width int) []cells.Line { return cells.Wrap(cells.Line{{Text: text}}, width, nil, nil) })
		case b.Text != "":
			words = append(words, b.Text)
		case b.Image != nil:
			along = append(along, t.look.Dim.Text("  + a picture, "+result.Size(len(b.Image.Data))))
		}
	}
	if len(words)+len(along) == 0 {
		words = []string{"(no text)"}
	}
	lines := cells.Wrap(t.look.User.Text(result.Clean(strings.Join(words, "\n"))), t.width, t.look.Accent.Text("❯ "), cells.Line{{Text: "  "}})
	const most = 30
	if n := len(lines); n > most {
		lines = append(lines[:most], t.look.Dim.Text(fmt.Sprintf("  … %d more lines", n-most)))
	}
	for _, line := range along {
		lines = append(lines, cells.Cut(line, t.width))
	}
	t.put(speech, lines...)
}

// ending tells when an answer ended otherwise than it should. Errors are told by who asked for the answer.
func (t *transcript) ending(m *model.Message) {
	t.writing = nil
	switch m.Stop {
	case model.StopLength:
		t.warn("The answer was cut off: it reached the most tokens that an answer may have.")
	case model.StopRefusal:
		t.warn("The model refuses to answer this.")
	}
}

// end ends the work: nothing is live any more.
func (t *transcript) end() {
	t.closeText()
	t.calls, t.writing, t.retry, t.phase = nil, nil, "", ""
}

// note shows a text of the program's own, dimmed.
func (t *transcript) note(text string) {
	t.closeText()
	t.put(speech, cells.Wrap(t.look.Dim.Text(result.Clean(text)), t.width, nil, nil)...)
}

func (t *transcript) warn(text string) {
	t.closeText()
	t.put(speech, cells.Wrap(t.look.Warn.Text(result.Clean(text)), t.width, t.look.Warn.Text("! "), cells.Line{{Text: "  "}})...)
}

// fail shows an error.
func (t *transcript) fail(text string) {
	t.closeText()
	t.put(speech, cells.Wrap(t.look.Bad.Text(result.Clean(text)), t.width, t.look.Bad.Text("✗ "), cells.Line{{Text: "  "}})...)
}

// markdown shows a text of a command.
func (t *transcript) markdown(text string) {
	t.closeText()
	t.put(speech, markdown.Render(t.look, t.width, text)...)
}

func (t *transcript) fold(title string, lines func(width int) []cells.Line) {
	t.folded = append(t.folded, folded{title, lines})
	if len(t.folded) > maxFolded {
		t.folded = t.folded[1:]
	}
}

// unfold shows at length what was folded last, and the next time what was folded before it.
func (t *transcript) unfold() bool {
	n := len(t.folded)
	if n == 0 {
		return false
	}
	f := t.folded[n-1]
	t.folded = t.folded[:n-1]
	lines := append([]cells.Line{t.look.Dim.Text("┌ " + f.title)}, f.lines(max(t.width-2, 1))...)
	for i := range lines[1:] {
		lines[i+1] = cells.Join(t.look.Dim.Text("│ "), lines[i+1])
	}
	t.put(speech, append(lines, t.look.Dim.Text("└"))...)
	return true
}

// seconds shows a duration as people say it.
func seconds(d time.Duration) string {
	switch {
	case d < 10*time.Second && d%time.Second >= 100*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
	return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}
