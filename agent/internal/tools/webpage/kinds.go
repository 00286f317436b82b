package webpage

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fate is what becomes of an element.
type fate int

const (
	stays  fate = iota
	noText      // it holds nothing that can be read
	beside      // it is beside the matter, or not to be seen
)

// drops says whether an element is left out with all that is in it.
func (r *renderer) drops(t html.Token) fate {
	switch t.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Svg, atom.Iframe, atom.Noembed, atom.Noframes, atom.Object, atom.Canvas,
		atom.Audio, atom.Video, atom.Textarea, atom.Datalist:
		return noText
	case atom.Html, atom.Title:
		return stays
	}
	if r.keep {
		return stays
	}
	switch t.DataAtom {
	case atom.Nav, atom.Button, atom.Select, atom.Dialog:
		return beside
	}
	for _, a := range t.Attr {
		switch value := strings.ToLower(strings.ReplaceAll(a.Val, " ", "")); {
		case a.Key == "hidden" && value != "until-found",
			a.Key == "role" && value == "navigation",
			a.Key == "style" && (strings.Contains(value, "display:none") || strings.Contains(value, "visibility:hidden")):
			return beside
		}
	}
	return stays
}

// isVoid reports whether an element has no end.
func isVoid(name atom.Atom) bool {
	switch name {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param,
		atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// block reports whether an element stands in lines of its own.
func block(name atom.Atom) bool { return distance(name) > 0 }

// distance is how many line breaks are before and after an element.
func distance(name atom.Atom) int {
	switch name {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Pre, atom.Table, atom.Dl, atom.Ul,
		atom.Ol, atom.Menu, atom.Figure, atom.Article, atom.Section, atom.Aside, atom.Header, atom.Footer, atom.Main, atom.Details:
		return 2
	case atom.Div, atom.Li, atom.Dt, atom.Dd, atom.Tr, atom.Address, atom.Figcaption, atom.Form, atom.Fieldset, atom.Legend,
		atom.Summary, atom.Caption, atom.Center, atom.Hr, atom.Body, atom.Option, atom.Nav:
		return 1
	}
	return 0
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// language is that of a block of code, as its class says.
func language(t html.Token) string {
	for _, class := range strings.Fields(attribute(t, "class")) {
		for _, start := range []string{"language-", "lang-", "highlight-source-"} {
			name, ok := strings.CutPrefix(class, start)
			plain := !strings.ContainsFunc(name, func(r rune) bool {
				return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '+' || r == '-' || r == '#')
			})
			if ok && plain && len(name) <= 20 {
				return name
			}
		}
	}
	return ""
}
