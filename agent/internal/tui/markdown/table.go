package markdown

import (
	"strings"

	east "github.com/yuin/goldmark/extension/ast"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// table shows a table: in columns when they have room, otherwise row by row.
func (r renderer) table(t *east.Table, width int, first, rest cells.Line) []cells.Line {
	var rows [][]cells.Line
	columns := 0
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		style := cells.Style("")
		if row.Kind() == east.KindTableHeader {
			style = r.look.Bold
		}
		var line []cells.Line
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			line = append(line, r.inline(c, style))
		}
		columns = max(columns, len(line))
		rows = append(rows, line)
	}
	if columns == 0 {
		return nil
	}
	const between = 3 // " │ "
	room := width - rest.Width() - between*(columns-1)
	widths := fit(natural(rows, columns), room)
	if widths == nil {
		return prefixed(r.records(rows, max(width-rest.Width(), 1)), first, rest)
	}
	var lines []cells.Line
	for i, row := range rows {
		lines = append(lines, r.row(row, widths, t.Alignments)...)
		if i == 0 {
			lines = append(lines, r.look.Dim.Text(rule(widths)))
		}
	}
	return prefixed(lines, first, rest)
}

// natural returns the widths that columns would like to have.
func natural(rows [][]cells.Line, columns int) []int {
	widths := make([]int, columns)
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], c.Width(), 1)
		}
	}
	return widths
}

// fit takes from the widest columns until all fit, nil when they would become too narrow to read.
func fit(widths []int, room int) []int {
	const least = 5
	total := 0
	for _, w := range widths {
		total += w
	}
	for total > room {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= least {
			return nil
		}
		widths[widest]--
		total--
	}
	return widths
}

// row shows a row, whose cells may take several lines.
func (r renderer) row(row []cells.Line, widths []int, align []east.Alignment) []cells.Line {
	wrapped := make([][]cells.Line, len(widths))
	height := 1
	for i, w := range widths {
		if i < len(row) {
			wrapped[i] = cells.Wrap(row[i], w, nil, nil)
		}
		height = max(height, len(wrapped[i]))
	}
	lines := make([]cells.Line, height)
	for y := range lines {
		var line cells.Line
		for i, w := range widths {
			if i > 0 {
				line = append(line, cells.Span{Text: " │ ", Style: r.look.Dim})
			}
			var c cells.Line
			if y < len(wrapped[i]) {
				c = wrapped[i][y]
			}
			free := w - c.Width()
			left := 0
			if i < len(align) && align[i] == east.AlignRight {
				left = free
			} else if i < len(align) && align[i] == east.AlignCenter {
				left = free / 2
			}
			line = cells.Join(line, indent(left), c)
			if i < len(widths)-1 {
				line = append(line, indent(free-left)...)
			}
		}
		lines[y] = line
	}
	return lines
}

func rule(widths []int) string {
	var parts []string
	for _, w := range widths {
		parts = append(parts, strings.Repeat("─", w))
	}
	return strings.Join(parts, "─┼─")
}

// records shows each row as lines of heading and cell.
func (r renderer) records(rows [][]cells.Line, width int) []cells.Line {
	var lines []cells.Line
	for i, row := range rows[1:] {
		if i > 0 {
			lines = append(lines, nil)
		}
		for j, c := range row {
			text := c
			if j < len(rows[0]) {
				text = cells.Join(rows[0][j], cells.Line{{Text: ": "}}, c)
			}
			lines = append(lines, cells.Wrap(text, width, nil, indent(2))...)
		}
	}
	if len(rows) == 1 {
		for _, c := range rows[0] {
			lines = append(lines, cells.Wrap(c, width, nil, indent(2))...)
		}
	}
	return lines
}
