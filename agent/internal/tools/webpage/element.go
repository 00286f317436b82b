package webpage

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// begins is the beginning of an element that is shown.
func (r *renderer) begins(t html.Token, e *element) {
	switch e.name {
	case atom.A:
		e.link, e.from = r.address(attribute(t, "href")), r.out.Len()
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.pause(2)
		e.prefix = r.push(strings.Repeat("#", int(t.Data[1]-'0'))+" ", "")
	case atom.Blockquote:
		r.pause(2)
		e.prefix = r.push("> ", "> ")
	case atom.Ul, atom.Ol, atom.Menu:
		r.list(t)
	case atom.Li:
		r.item(e)
	case atom.Dd:
		r.pause(1)
		e.prefix = r.push(": ", "  ")
	case atom.Table:
		r.layOut()
		r.pause(2)
		role := attribute(t, "role")
		r.tables = append(r.tables, &table{layout: role == "presentation" || role == "none"})
	case atom.Tr:
		r.pause(1)
	case atom.Td, atom.Th:
		r.beginCell()
	case atom.Pre, atom.Xmp, atom.Plaintext, atom.Listing:
		r.layOut()
		r.into, r.lang, e.takes = atom.Pre, language(t), true
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		r.into, e.takes = e.name, true
	case atom.Title:
		r.into, e.takes = atom.Title, true
	default:
		r.pause(distance(e.name))
	}
}

// ends is the end of an element that was shown.
func (r *renderer) ends(e element) {
	switch e.name {
	case atom.Pre, atom.Xmp, atom.Plaintext, atom.Listing:
		r.codeBlock()
	case atom.Title:
		r.named()
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		r.codeWords()
	case atom.A:
		r.linked(e)
	case atom.Ul, atom.Ol, atom.Menu:
		r.lists = r.lists[:max(0, len(r.lists)-1)]
		r.pause(1)
		if len(r.lists) == 0 {
			r.pause(2)
		}
	case atom.Table:
		if n := len(r.tables); n > 0 {
			r.endRow(r.tables[n-1])
			r.tables = r.tables[:n-1]
		}
		r.pause(2)
	case atom.Tr:
		if n := len(r.tables); n > 0 {
			r.endRow(r.tables[n-1])
		}
		r.pause(1)
	case atom.Td, atom.Th:
		r.cell = nil
		if n := len(r.tables); n > 0 {
			r.tables[n-1].inCell = false
		}
	default:
		if e.prefix {
			r.pop()
		}
		r.pause(distance(e.name))
	}
}

// single shows an element that has no end.
func (r *renderer) single(t html.Token) {
	switch {
	case r.into == atom.Pre && (t.DataAtom == atom.Br || t.DataAtom == atom.Hr):
		r.raw.WriteByte('\n')
	case r.into != 0:
	case t.DataAtom == atom.Br:
		r.pause(1)
	case t.DataAtom == atom.Hr:
		r.pause(2)
		r.word("---")
		r.pause(2)
	case t.DataAtom == atom.Img:
		r.image(t)
	case t.DataAtom == atom.Base && !r.based:
		if u, err := r.base.Parse(attribute(t, "href")); err == nil && web(u) {
			r.base, r.based = u, true
		}
	}
}

func (r *renderer) image(t html.Token) {
	alt := strings.Join(strings.Fields(attribute(t, "alt")), " ")
	if alt == "" {
		return
	}
	r.word("[image: " + alt + "]")
	if src := r.address(attribute(t, "src")); src != "" {
		r.space = true
		r.word("(" + src + ")")
	}
}

func (r *renderer) list(t html.Token) {
	next := -1
	if t.DataAtom == atom.Ol {
		next = 1
		if n, err := strconv.Atoi(attribute(t, "start")); err == nil && n >= 0 && n < 1e6 {
			next = n
		}
	}
	if r.pause(1); len(r.lists) == 0 {
		r.pause(2)
	}
	r.lists = append(r.lists, next)
}

func (r *renderer) item(e *element) {
	mark := "- "
	if n := len(r.lists); n > 0 && r.lists[n-1] >= 0 {
		mark = strconv.Itoa(r.lists[n-1]) + ". "
		r.lists[n-1]++
	}
	r.pause(1)
	if r.cell != nil {
		r.word(strings.TrimSpace(mark))
		r.space = true
	}
	e.prefix = r.push(mark, strings.Repeat(" ", len(mark)))
}

// beginCell begins a cell. In a layout table it is a block.
func (r *renderer) beginCell() {
	n := len(r.tables)
	if n == 0 || r.tables[n-1].layout {
		r.pause(1)
		return
	}
	t := r.tables[n-1]
	t.owed++
	t.inCell, r.cell = true, t
}

// layOut takes the tables around for layout: they hold what no line of a table can.
func (r *renderer) layOut() {
	if r.cell != nil {
		r.cell = nil
		r.pause(1)
	}
	for _, t := range r.tables {
		t.layout = true
	}
}

// linked writes where a link leads, after its text.
func (r *renderer) linked(e element) {
	if e.link == "" || r.out.Len() <= e.from || strings.TrimSpace(r.out.String()[e.from:]) == e.link {
		return
	}
	gap, space := r.gap, r.space
	if r.space = true; !strings.HasSuffix(r.out.String(), "```") { // what ends a block of code stands alone
		r.gap = 0
	}
	r.word("(" + e.link + ")")
	r.gap, r.space = gap, space
}

// take returns the text that was taken as it is.
func (r *renderer) take() string {
	text := r.raw.String()
	r.raw.Reset()
	r.into = 0
	return text
}

func (r *renderer) named() {
	title := strings.Join(strings.Fields(r.take()), " ")
	if r.title == "" {
		r.title = strings.ToValidUTF8(title[:min(len(title), maxTitle)], "")
	}
}

// codeWords writes code within a line.
func (r *renderer) codeWords() {
	text := r.take()
	words := strings.Join(strings.Fields(text), " ")
	if words == "" {
		r.text(text)
		return
	}
	ticks := fence(words, 1)
	if ticks != "`" {
		words = " " + words + " "
	}
	r.word(ticks + words + ticks)
}

// codeBlock writes code in lines of its own.
func (r *renderer) codeBlock() {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(r.take())
	text = strings.TrimRight(strings.TrimPrefix(text, "\n"), " \t\n")
	if text == "" {
		return
	}
	marks := fence(text, 3)
	r.lines(marks + r.lang + "\n" + text + "\n" + marks)
}

// fence is a row of at least n backticks, longer than any in the text.
func fence(text string, n int) string {
	row := 0
	for i := range len(text) {
		if text[i] != '`' {
			row = 0
			continue
		}
		row++
		n = max(n, row+1)
	}
	return strings.Repeat("`", n)
}

// endLine ends a line of code.
func (r *renderer) endLine() {
	if text := r.raw.String(); text != "" && !strings.HasSuffix(text, "\n") {
		r.raw.WriteByte('\n')
	}
}

// address is where a link leads, "" for what nobody can get.
func (r *renderer) address(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" || ref[0] == '#' || len(ref) > maxLink {
		return ""
	}
	u, err := r.base.Parse(ref)
	if err != nil || !web(u) {
		return ""
	}
	if s := u.String(); len(s) <= maxLink {
		return s
	}
	return ""
}

func web(u *url.URL) bool { return (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" }
