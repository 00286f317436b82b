package webpage

import (
	"io"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of what is made of a page.
const (
	maxText  = 16 << 20 // the text: short links become long ones
	maxDepth = 256      // elements that are open at a time and known to be
	maxTitle = 300
	maxLink  = 500
)

// Page is the text of a page.
type Page struct {
	Title string
	Text  string // "" when there is none without a browser
	Cut   bool   // Text is too long and ends early
}

// Read reads a page in UTF-8 whose links are relative to base.
func Read(source io.ReadSeeker, base *url.URL) (Page, error) {
	p, dropped, err := read(source, base, false)
	if err != nil || p.Text != "" || !dropped {
		return p, err
	}
	// All there is stands where only what is beside the matter should.
	if _, err := source.Seek(0, io.SeekStart); err != nil {
		return Page{}, err
	}
	p, _, err = read(source, base, true)
	return p, err
}

func read(source io.Reader, base *url.URL, keep bool) (p Page, dropped bool, err error) {
	r := &renderer{base: base, keep: keep, z: html.NewTokenizer(source)}
	for !p.Cut {
		switch r.z.Next() {
		case html.ErrorToken:
			if err := r.z.Err(); err != io.EOF {
				return Page{}, false, err
			}
			r.close(0)
			p.Title, p.Text = r.title, strings.TrimSpace(r.out.String())
			return p, r.dropped, nil
		case html.TextToken:
			if r.dropAt == 0 {
				r.characters(string(r.z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(r.z.Token())
		case html.EndTagToken:
			r.end(r.z.Token())
		}
		p.Cut = r.out.Len()+r.raw.Len() > maxText
	}
	p.Title, p.Text = r.title, strings.TrimSpace(r.out.String()[:min(r.out.Len(), maxText)])
	return p, r.dropped, nil
}

// renderer is a page on its way to text.
type renderer struct {
	writer
	z       *html.Tokenizer
	base    *url.URL
	based   bool // the page has named another base
	keep    bool // drop only what is no text
	dropped bool // something was dropped that keep would not

	open   []element
	dropAt int // how many elements are open outside of the one that is dropped, and 1; 0 when none is
	tables []*table
	lists  []int // the number of the next item; -1 without numbers
	title  string

	raw  strings.Builder // the text of the element that takes it as it is
	into atom.Atom       // that element: pre, code or title; 0 for none
	lang string          // of the code in it
}

// element is one that is open.
type element struct {
	name   atom.Atom
	other  string // the name of one that HTML does not know
	takes  bool   // the text in it as it is
	prefix bool   // it has pushed one
	link   string
	from   int // where the text of a link begins
}

// characters takes a text that is seen.
func (r *renderer) characters(s string) {
	if r.into != 0 {
		r.raw.WriteString(s)
		return
	}
	r.text(s)
}

func (r *renderer) start(t html.Token) {
	name := t.DataAtom
	if name == atom.Noscript {
		r.z.NextIsNotRawText()
	}
	r.implied(name)
	e := element{name: name, other: t.Data}
	if r.dropAt > 0 {
		if t.Type == html.StartTagToken && !isVoid(name) && len(r.open) < maxDepth {
			r.open = append(r.open, e)
		}
		return
	}
	why := r.drops(t)
	switch {
	case why != stays:
		r.dropped = r.dropped || why == beside
		if !isVoid(name) && !(t.Type == html.SelfClosingTagToken && why == noText) {
			r.open = append(r.open, e)
			r.dropAt = len(r.open)
		}
		return
	case isVoid(name):
		r.single(t)
		return
	case len(r.open) >= maxDepth:
		return
	case r.into == 0:
		r.begins(t, &e)
	case r.into == atom.Pre && block(name):
		r.endLine()
	case r.into == atom.Pre && r.lang == "":
		r.lang = language(t)
	}
	r.open = append(r.open, e)
}

func (r *renderer) end(t html.Token) {
	name := t.DataAtom
	for i := len(r.open) - 1; i >= 0; i-- {
		if e := r.open[i]; e.name == name && (name != 0 || e.other == t.Data) {
			r.close(i)
			break
		}
	}
	switch {
	case r.dropAt > 0:
	case r.into == 0 && name == atom.P:
		r.pause(2)
	case r.into == 0 && name == atom.Br:
		r.pause(1)
	}
}

// close ends the elements above the first n.
func (r *renderer) close(n int) {
	for len(r.open) > n {
		e := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		switch at := len(r.open) + 1; {
		case r.dropAt > 0 && at > r.dropAt:
		case at == r.dropAt:
			r.dropAt = 0
		case r.into == 0 || e.takes:
			r.ends(e)
		case r.into == atom.Pre && block(e.name):
			r.endLine()
		}
	}
}

// implied ends what the beginning of an element ends without saying so.
func (r *renderer) implied(name atom.Atom) {
	switch {
	case name == atom.Li:
		r.closeWithin([]atom.Atom{atom.Li}, atom.Ul, atom.Ol, atom.Menu)
	case name == atom.Dt || name == atom.Dd:
		r.closeWithin([]atom.Atom{atom.Dt, atom.Dd}, atom.Dl)
	case name == atom.Td || name == atom.Th:
		r.closeWithin([]atom.Atom{atom.Td, atom.Th}, atom.Table)
	case name == atom.Tr:
		r.closeWithin([]atom.Atom{atom.Tr}, atom.Table)
	case name == atom.A:
		r.closeWithin([]atom.Atom{atom.A}, atom.Table, atom.Td, atom.Th)
	case block(name):
		r.closeWithin([]atom.Atom{atom.P}, atom.Table, atom.Td, atom.Th, atom.Li, atom.Div)
	}
}

// closeWithin ends the innermost element of some names, unless an element of others is within it.
func (r *renderer) closeWithin(names []atom.Atom, until ...atom.Atom) {
	for i := len(r.open) - 1; i >= 0; i-- {
		if slices.Contains(names, r.open[i].name) {
			r.close(i)
			return
		}
		if slices.Contains(until, r.open[i].name) {
			return
		}
	}
}
