// Package paint puts finished lines into a terminal's own scrollback and redraws a live region below them.
//
// It promises that each Paint is one write, which terminals that can show at once; that of the live region only lines that
// changed are written; that a line which is wider than was thought cannot push others away; that the cursor stands where
// its line was written up to, however the terminal measures; and that after Stop the terminal is as it was. The screen above
// the live region is never touched, so that scrolling and copying are the terminal's.
//
// It must not import other packages of the agent than tui/cells.
package paint

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// Frame is the live region.
type Frame struct {
	Lines  []cells.Line // not more than the terminal has, less one
	Row    int          // of the cursor
	Before cells.Line   // what stands before the cursor in its line
	Hidden bool         // the cursor is not shown
}

const (
	syncBegin, syncEnd = "\x1b[?2026h", "\x1b[?2026l"
	hide, show         = "\x1b[?25l", "\x1b[?25h"
	wrapOff, wrapOn    = "\x1b[?7l", "\x1b[?7h"
	eraseLine          = "\x1b[2K"

	// Bracketed paste; keys told apart by the kitty protocol, or by modifyOtherKeys.
	begin = "\x1b[?2004h\x1b[>1u\x1b[>4;2m"
	end   = "\x1b[>4m\x1b[<u\x1b[?2004l"
)

// Painter writes to a terminal.
type Painter struct {
	w      io.Writer
	width  int
	lines  []string // of the live region, as they were written
	widths []int
	rows   int // that it takes on the screen
	row    int // where the cursor is in it
	before cells.Line
	hidden bool
	stale  bool // the terminal may have divided the lines anew
	buf    strings.Builder
}

// New returns a painter. Nothing is written before Start.
func New(w io.Writer, width int) *Painter { return &Painter{w: w, width: width} }

// Start sets the terminal up. Query is written along.
func (p *Painter) Start(query string) error {
	p.forget()
	_, err := io.WriteString(p.w, begin+query)
	return err
}

// Stop takes the live region off the screen and sets the terminal back.
func (p *Painter) Stop() error {
	p.buf.Reset()
	p.erase()
	p.buf.WriteString(show + end)
	p.forget()
	_, err := io.WriteString(p.w, p.buf.String())
	return err
}

// Raw writes a sequence that moves nothing.
func (p *Painter) Raw(sequence string) error {
	_, err := io.WriteString(p.w, sequence)
	return err
}

func (p *Painter) forget() {
	p.lines, p.widths, p.rows, p.row, p.before, p.hidden = nil, nil, 0, 0, nil, false
	p.stale = false
}

// Resize tells of another width. Most terminals divide the lines that have become too long anew, so the live region may
// take more rows than before.
func (p *Painter) Resize(width int) {
	if width == p.width || width <= 0 {
		return
	}
	p.width = width
	if len(p.lines) == 0 {
		return
	}
	row := 0
	p.rows = 0
	for i, n := range p.widths {
		if i == p.row {
			row = p.rows + p.before.Width()/width
		}
		p.rows += max((n+width-1)/width, 1)
	}
	p.row, p.stale = row, true
}

// Paint writes finished lines above the live region and shows the live region as it is now.
func (p *Painter) Paint(finished []string, f Frame) error {
	lines, widths := make([]string, len(f.Lines)), make([]int, len(f.Lines))
	for i, l := range f.Lines {
		l = cells.Cut(l, p.width)
		lines[i], widths[i] = l.String(), l.Width()
	}
	row := min(max(f.Row, 0), max(len(lines)-1, 0))
	if len(finished) == 0 && !p.stale && slices.Equal(lines, p.lines) && row == p.row && f.Before.String() == p.before.String() && f.Hidden == p.hidden {
		return nil
	}
	p.buf.Reset()
	p.buf.WriteString(syncBegin + hide)
	if len(finished) > 0 || p.stale {
		p.erase()
		for _, line := range finished { // The terminal divides those that are too long, and joins them again when they are copied.
			p.buf.WriteString(line + "\r\n")
		}
		p.lines, p.stale = nil, false
	}
	p.buf.WriteString(wrapOff)
	p.region(lines)
	p.lines, p.widths, p.rows = lines, widths, len(lines)
	p.to(row)
	p.buf.WriteByte('\r')
	p.buf.WriteString(f.Before.String())
	p.buf.WriteString(wrapOn)
	p.before, p.hidden = f.Before, f.Hidden
	if !f.Hidden {
		p.buf.WriteString(show)
	}
	p.buf.WriteString(syncEnd)
	_, err := io.WriteString(p.w, p.buf.String())
	return err
}

// region writes the lines that are not on the screen yet.
func (p *Painter) region(lines []string) {
	for i, line := range lines {
		if i < len(p.lines) && p.lines[i] == line {
			continue
		}
		p.to(i)
		p.buf.WriteString("\r" + eraseLine + line)
	}
	for i := len(lines); i < len(p.lines); i++ {
		p.to(i)
		p.buf.WriteString("\r" + eraseLine)
	}
}

// erase empties the live region, row by row: what erases the whole screen makes some terminals keep what was on it.
func (p *Painter) erase() {
	p.to(0)
	p.buf.WriteByte('\r')
	for i := range p.rows {
		p.to(i)
		p.buf.WriteString(eraseLine)
	}
	p.to(0)
	p.buf.WriteByte('\r')
}

// to moves the cursor to a row of the live region. Beyond the last one it makes room.
func (p *Painter) to(row int) {
	switch by := row - p.row; {
	case by < 0:
		p.buf.WriteString("\x1b[" + strconv.Itoa(-by) + "A")
	case by > 0:
		p.buf.WriteString(strings.Repeat("\r\n", by))
	}
	p.row = row
}

// Redraw makes the next Paint write everything anew.
func (p *Painter) Redraw() { p.stale = true }
