package main

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// The terminal's size in cells.
const (
	columns = 96
	rows    = 30
)

// patience is how long a story waits for what it expects to see.
const patience = 30 * time.Second

// run is a part of a row in one style.
type run struct {
	column, width int
	text          string
	fg, bg        color.Color // nil is the terminal's own
	bold, faint   bool
	italic        bool
}

// frame is what the terminal showed, and for how long.
type frame struct {
	rows  [][]run
	shown time.Duration
}

// screen is a terminal that remembers what it showed.
type screen struct {
	mu     sync.Mutex
	term   *vt.Emulator
	frames []frame
	since  time.Time
}

// step is what somebody at the terminal does.
type step struct {
	text string        // is typed
	keys string        // are pressed: bytes as a terminal sends them
	wait string        // has to be seen before the story goes on
	hold time.Duration // is spent reading
}

// play runs elyra at a terminal and gives what was seen.
func (s *stage) play(ctx context.Context, steps []step) (frames []frame, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.program)
	cmd.Dir, cmd.Env = s.project, s.environ
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: columns, Rows: rows})
	if err != nil {
		return nil, err
	}
	shown := &screen{term: vt.NewEmulator(columns, rows), since: time.Now()}
	var work sync.WaitGroup
	work.Go(func() { shown.follow(tty) })
	work.Go(func() { _, _ = io.Copy(tty, shown.term) }) // The terminal's own answers to questions about it.
	for _, step := range steps {
		if err = step.act(ctx, shown, tty); err != nil {
			break
		}
	}
	shown.look()
	cancel()
	_ = cmd.Wait() // It was ended in the middle.
	err = errors.Join(err, tty.Close(), shown.term.Close())
	work.Wait()
	return shown.frames, err
}

// follow shows what the program writes until it ends.
func (s *screen) follow(program io.Reader) {
	p := make([]byte, 32<<10)
	for {
		n, err := program.Read(p)
		s.mu.Lock()
		_, _ = s.term.Write(p[:n]) // An emulator takes everything.
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// look keeps what is to be seen if it is not what was seen before.
func (s *screen) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if len(s.frames) > 0 {
		s.frames[len(s.frames)-1].shown += now.Sub(s.since)
	}
	s.since = now
	seen := frame{rows: make([][]run, rows)}
	for y := range rows {
		seen.rows[y] = runs(s.term, y)
	}
	if len(s.frames) == 0 && strings.TrimSpace(s.term.String()) == "" {
		return // The program has shown nothing yet.
	}
	if len(s.frames) == 0 || !slices.EqualFunc(s.frames[len(s.frames)-1].rows, seen.rows, slices.Equal[[]run]) {
		s.frames = append(s.frames, seen)
	}
}

// text is what is on the screen.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.term.String()
}

func (t step) act(ctx context.Context, s *screen, tty io.Writer) error {
	for _, r := range t.text {
		if _, err := io.WriteString(tty, string(r)); err != nil {
			return err
		}
		s.spend(ctx, 45*time.Millisecond)
	}
	if t.keys != "" {
		if _, err := io.WriteString(tty, t.keys); err != nil {
			return err
		}
	}
	if t.wait != "" {
		for end := time.Now().Add(patience); !strings.Contains(s.text(), t.wait); s.spend(ctx, 30*time.Millisecond) {
			if time.Now().After(end) || ctx.Err() != nil {
				return fmt.Errorf("%q was not seen; the terminal shows\n%s", t.wait, s.text())
			}
		}
	}
	s.spend(ctx, t.hold)
	return ctx.Err()
}

// spend lets time pass and looks at the screen.
func (s *screen) spend(ctx context.Context, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(min(time.Until(end), 30*time.Millisecond))
		s.look()
	}
}

// runs are the parts of a row that are to be seen.
func runs(term *vt.Emulator, y int) []run {
	var list []run
	for x := 0; x < columns; {
		cell := term.CellAt(x, y)
		if cell == nil || cell.Width == 0 {
			x++
			continue
		}
		r := styled(cell)
		r.column, r.width, r.text = x, cell.Width, cell.Content
		x += cell.Width
		if last := len(list) - 1; last >= 0 && list[last].extends(r) {
			list[last].text += r.text
			list[last].width += r.width
			continue
		}
		list = append(list, r)
	}
	return slices.DeleteFunc(list, func(r run) bool { return r.bg == nil && strings.TrimSpace(r.text) == "" })
}

// extends reports whether another run goes on as this one.
func (r run) extends(next run) bool {
	return r.column+r.width == next.column && r.fg == next.fg && r.bg == next.bg && r.bold == next.bold && r.faint == next.faint && r.italic == next.italic
}

func styled(cell *uv.Cell) run {
	style := cell.Style
	r := run{fg: style.Fg, bg: style.Bg, bold: style.Attrs&uv.AttrBold != 0, faint: style.Attrs&uv.AttrFaint != 0, italic: style.Attrs&uv.AttrItalic != 0}
	if style.Attrs&uv.AttrReverse != 0 {
		r.fg, r.bg = r.bg, r.fg
		if r.bg == nil {
			r.fg, r.bg = ground, ink
		}
	}
	return r
}
