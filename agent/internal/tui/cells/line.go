package cells

import "strings"

// Style is how text looks: the parameters of an SGR sequence, such as "1;36". The empty one changes nothing.
type Style string

// With adds another style.
func (s Style) With(o Style) Style {
	switch {
	case s == "":
		return o
	case o == "":
		return s
	}
	return s + ";" + o
}

// Text returns a line of one span.
func (s Style) Text(text string) Line { return Line{{text, s}} }

// Span is text of one style.
type Span struct {
	Text  string
	Style Style
}

// Line is a line of text, or text that is to become lines.
type Line []Span

// Plain returns the text without its looks.
func (l Line) Plain() string {
	if len(l) == 1 {
		return l[0].Text
	}
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// String returns the line as a terminal takes it.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		switch {
		case s.Text == "":
		case s.Style == "":
			b.WriteString(s.Text)
		default:
			b.WriteString("\x1b[")
			b.WriteString(string(s.Style))
			b.WriteByte('m')
			b.WriteString(s.Text)
			b.WriteString("\x1b[0m")
		}
	}
	return b.String()
}

// Width returns the cells of the line.
func (l Line) Width() int {
	n := 0
	for _, s := range l {
		n += Width(s.Text)
	}
	return n
}

// Styled returns the line with a style under the styles that it has.
func (l Line) Styled(under Style) Line {
	out := make(Line, len(l))
	for i, s := range l {
		out[i] = Span{s.Text, under.With(s.Style)}
	}
	return out
}

// Join puts lines after each other into one.
func Join(lines ...Line) Line {
	var all Line
	for _, l := range lines {
		all = append(all, l...)
	}
	return all
}
