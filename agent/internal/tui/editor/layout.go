package editor

import (
	"strings"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// row is a line on the screen.
type row struct{ from, to int }

// Layout is the text as rows of a screen.
type Layout struct {
	Rows   []string
	Cursor int    // the row with the cursor
	Before string // what stands before the cursor in it
}

// Layout divides the text into rows of a width. Up and Down go by the rows of the last call.
func (e *Editor) Layout(width int) Layout {
	e.width = max(width, 1)
	var l Layout
	rows := e.rows()
	for i, r := range rows {
		l.Rows = append(l.Rows, cells.Expand(e.shown(e.text[r.from:r.to])))
		if e.at >= r.from && (e.at < r.to || e.at == r.to && (i == len(rows)-1 || rows[i+1].from > r.to)) {
			l.Cursor, l.Before = i, cells.Expand(e.shown(e.text[r.from:e.at]))
		}
	}
	if cells.Width(l.Before) >= e.width { // The cursor has no room behind a full row.
		l.Rows = append(l.Rows[:l.Cursor+1], append([]string{""}, l.Rows[l.Cursor+1:]...)...)
		l.Cursor, l.Before = l.Cursor+1, ""
	}
	return l
}

// rows divides each line at the last space that fits, or where it must.
func (e *Editor) rows() []row {
	var rows []row
	from, used, space := 0, 0, 0
	for i := 0; i < len(e.text); {
		c, size := e.cluster(i)
		if c == "\n" {
			rows = append(rows, row{from, i})
			i += size
			from, used, space = i, 0, 0
			continue
		}
		width := cells.Width(e.shown(c))
		for used+width > e.width && i > from { // What is left behind a space may be too wide, too.
			cut := i
			if space > from {
				cut = space
			}
			rows = append(rows, row{from, cut})
			from, space = cut, 0
			used = cells.Width(e.shown(e.text[from:i]))
		}
		used += width
		i += size
		if c == " " {
			space = i
		}
	}
	return append(rows, row{from, len(e.text)})
}

// Up moves the cursor to the row above, and reports whether there is one.
func (e *Editor) Up() bool { return e.vertical(-1) }

// Down moves the cursor to the row below, and reports whether there is one.
func (e *Editor) Down() bool { return e.vertical(1) }

func (e *Editor) vertical(by int) bool {
	rows := e.rows()
	at := 0
	for i, r := range rows {
		if e.at >= r.from {
			at = i
		}
	}
	if at+by < 0 || at+by >= len(rows) {
		return false
	}
	if e.goal < 0 {
		e.goal = cells.Width(e.shown(e.text[rows[at].from:e.at]))
	}
	goal, to := e.goal, rows[at+by]
	i, column := to.from, 0
	for i < to.to {
		c, size := e.cluster(i)
		column += cells.Width(e.shown(c))
		if column > goal || i+size == to.to && at+by < len(rows)-1 && rows[at+by+1].from == to.to {
			break // The edge of a divided row belongs to the next.
		}
		i += size
	}
	e.move(i)
	e.goal = goal
	return true
}

// Lines returns how many lines are written.
func (e *Editor) Lines() int { return strings.Count(e.text, "\n") + 1 }
