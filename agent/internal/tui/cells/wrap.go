package cells

import "strings"

// cluster is what a reader takes for a character.
type cluster struct {
	text  string
	style Style
	width int
}

// breaks reports whether a line may end after the cluster, which next follows.
func (c cluster) breaks(next cluster) bool {
	return c.text == " " || c.width == 2 && next.width == 2 // Scripts without spaces.
}

// Wrap divides text into lines of at most a width. The first begins with the line first, the others with rest. It breaks at
// spaces where it can, which then disappear, and within a word where it must. Tabs count as spaces. Prefixes that leave too
// little room are left out.
func Wrap(text Line, width int, first, rest Line) []Line {
	const least = 4
	if first.Width() > width-least {
		first = nil
	}
	if rest.Width() > width-least {
		rest = nil
	}
	w := wrapper{width: width, prefix: first, rest: rest}
	w.room = width - first.Width()
	for _, span := range text {
		w.add(Expand(span.Text), span.Style)
	}
	w.end()
	return w.lines
}

type wrapper struct {
	width  int
	prefix Line
	rest   Line
	room   int // cells for text in this line
	used   int
	line   []cluster
	solid  bool // the line has more than spaces
	last   int  // the line may be broken before this cluster; 0: nowhere
	lines  []Line
}

func (w *wrapper) add(text string, style Style) {
	for text != "" {
		value, width, size := next(text)
		text = text[size:]
		if strings.HasSuffix(value, "\n") {
			w.end()
			continue
		}
		w.put(cluster{value, style, width})
	}
}

// put adds a cluster to the line, or to the next when it is full.
func (w *wrapper) put(c cluster) {
	if n := len(w.line); n > 0 && w.solid && w.line[n-1].breaks(c) {
		w.last = n
	}
	w.solid = w.solid || c.text != " "
	if w.used+c.width > w.room {
		if c.text == " " {
			if len(w.line) > 0 && w.line[len(w.line)-1].text != " " {
				w.line, w.last = append(w.line, c), len(w.line)+1 // Taken off again below.
			}
			return
		}
		w.fold()
		if w.used+c.width > w.room {
			w.fold()
		}
		if c.width > w.room {
			return // Not even a line of its own would do.
		}
	}
	w.line = append(w.line, c)
	w.used += c.width
}

// fold ends the line where it may be broken and goes on with what is behind.
func (w *wrapper) fold() {
	if len(w.line) == 0 {
		return
	}
	cut := w.last
	if cut == 0 {
		cut = len(w.line)
	}
	tail := append([]cluster(nil), w.line[cut:]...)
	w.line = w.line[:cut]
	for n := len(w.line); n > 0 && w.line[n-1].text == " "; n-- {
		w.line = w.line[:n-1]
	}
	w.end()
	for len(tail) > 0 && tail[0].text == " " {
		tail = tail[1:]
	}
	for _, c := range tail {
		w.line = append(w.line, c)
		w.used += c.width
		w.solid = true
	}
}

// end ends the line.
func (w *wrapper) end() {
	out := append(Line(nil), w.prefix...)
	for i := 0; i < len(w.line); {
		style := w.line[i].style
		var b strings.Builder
		for i < len(w.line) && w.line[i].style == style {
			b.WriteString(w.line[i].text)
			i++
		}
		out = append(out, Span{b.String(), style})
	}
	if out.Width() > w.width { // A space too many.
		out = Cut(trimRight(out), w.width)
	}
	w.lines = append(w.lines, out)
	w.prefix, w.room = w.rest, w.width-w.rest.Width()
	w.line, w.used, w.last, w.solid = w.line[:0], 0, 0, false
}

func trimRight(l Line) Line {
	if n := len(l); n > 0 {
		l = append(Line(nil), l...)
		l[n-1].Text = strings.TrimRight(l[n-1].Text, " ")
	}
	return l
}
