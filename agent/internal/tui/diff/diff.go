// Package diff shows a unified difference with line numbers, signs and colours.
//
// It promises that every line of the difference is shown, that signs tell what colours tell, and that a text which is no
// difference is shown as it is. It must not import other packages of the agent than result and those below tui.
package diff

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/highlight"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

// Render returns the lines of a difference, none wider than width.
func Render(l *look.Look, width int, text string) []cells.Line {
	text = strings.TrimSuffix(result.Clean(text), "\n")
	if text == "" {
		return nil
	}
	r := renderer{look: l, width: width, digits: digits(text), file: highlight.New("", l)}
	for line := range strings.SplitSeq(text, "\n") {
		r.line(line)
	}
	return r.lines
}

// Count returns how many lines come and go.
func Count(text string) (added, removed int) {
	hunk := false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "@@"):
			hunk = true
		case strings.HasPrefix(line, "--- ") && !hunk, strings.HasPrefix(line, "diff "):
			hunk = false
		case hunk && strings.HasPrefix(line, "+"):
			added++
		case hunk && strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return added, removed
}

type renderer struct {
	look        *look.Look
	width       int
	digits      int
	file        *highlight.Code
	before      int // number of the next line in the old version
	after       int
	left, right int // lines of the hunk that are still to come
	hunks       int
	lines       []cells.Line
}

func (r *renderer) line(line string) {
	inside := r.left > 0 || r.right > 0
	switch {
	case !inside && strings.HasPrefix(line, "@@"):
		r.before, r.left, r.after, r.right = hunk(line)
		if r.hunks++; r.hunks > 1 {
			r.lines = append(r.lines, cells.Cut(r.look.Dim.Text(strings.Repeat(" ", r.digits)+" ⋮"), r.width))
		}
	case !inside && strings.HasPrefix(line, "+++ "):
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(line, "+++ "), "b/"), "\t")
		r.file = highlight.File(name, r.look)
		r.hunks = 0
	case !inside && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "diff ") || strings.HasPrefix(line, "index ")):
	case inside && strings.HasPrefix(line, "+"):
		r.put(r.after, "+", cells.Line{{Text: cells.Expand(line[1:]), Style: r.look.Added}}, r.look.Added)
		r.after, r.right = r.after+1, r.right-1
	case inside && strings.HasPrefix(line, "-"):
		r.put(r.before, "-", cells.Line{{Text: cells.Expand(line[1:]), Style: r.look.Removed}}, r.look.Removed)
		r.before, r.left = r.before+1, r.left-1
	case inside && (line == "" || strings.HasPrefix(line, " ")):
		r.put(r.after, " ", r.file.Line(cells.Expand(strings.TrimPrefix(line, " "))), "")
		r.before, r.after, r.left, r.right = r.before+1, r.after+1, r.left-1, r.right-1
	default:
		r.lines = append(r.lines, cells.Wrap(r.look.Dim.Text(line), r.width, nil, nil)...)
	}
}

// put adds a line of the file.
func (r *renderer) put(number int, sign string, text cells.Line, style cells.Style) {
	gutter := r.look.Dim.Text(fmt.Sprintf("%*d ", r.digits, number))
	first := cells.Join(gutter, style.Text(sign+" "))
	rest := cells.Join(cells.Line{{Text: strings.Repeat(" ", r.digits+1)}}, style.Text("  "))
	r.lines = append(r.lines, cells.Wrap(text, r.width, first, rest)...)
}

// hunk reads the numbers of a line such as "@@ -3,4 +3,5 @@".
func hunk(line string) (before, left, after, right int) {
	for field := range strings.FieldsSeq(line) {
		start, count, ok := strings.Cut(field, ",")
		n := 1
		if ok {
			n = number(count)
		}
		switch {
		case strings.HasPrefix(start, "-"):
			before, left = number(start[1:]), n
		case strings.HasPrefix(start, "+"):
			return before, left, number(start[1:]), n
		}
	}
	return before, left, after, right
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1e8 {
		return 0
	}
	return n
}

// digits returns how many digits line numbers may have.
func digits(text string) int {
	most := 0
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "@@") {
			before, left, after, right := hunk(line)
			most = max(most, before+left, after+right)
		}
	}
	return max(len(strconv.Itoa(most)), 3)
}
