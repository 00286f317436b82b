package edits

import (
	"strings"
	"unicode/utf8"
)

// view is a text as it is compared: with \n as its only line end, and without what a level of tolerance does not see. It
// has as many lines as the text.
type view struct {
	text string
	from []int32 // for each byte, where it begins in the original
	to   []int32 // and where it ends; both nil: the view is the original
}

// tolerance says what a view leaves out.
type tolerance struct {
	trim bool // spaces and tabs at the ends of lines
	fold bool // the difference of typographic characters and those of a keyboard
	how  string
}

// viewOf returns text as t sees it.
func viewOf(text string, t tolerance) view {
	if !t.trim && !t.fold && !strings.Contains(text, "\r\n") {
		return view{text: text}
	}
	var out strings.Builder
	out.Grow(len(text))
	v := view{from: make([]int32, 0, len(text)), to: make([]int32, 0, len(text))}
	add := func(s string, from, to int) {
		out.WriteString(s)
		for range len(s) {
			v.from, v.to = append(v.from, int32(from)), append(v.to, int32(to))
		}
	}
	for i := 0; i < len(text); {
		if t.trim && (text[i] == ' ' || text[i] == '\t') {
			end := i + len(text[i:]) - len(strings.TrimLeft(text[i:], " \t"))
			if rest := text[end:]; rest == "" || rest[0] == '\n' || strings.HasPrefix(rest, "\r\n") {
				i = end
				continue
			}
			for ; i < end; i++ {
				add(text[i:i+1], i, i+1)
			}
			continue
		}
		if strings.HasPrefix(text[i:], "\r\n") {
			add("\n", i, i+2)
			i += 2
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if plain := keyboard(r); t.fold && plain != "" {
			add(plain, i, i+n)
		} else {
			for k := range n {
				add(text[i+k:i+k+1], i+k, i+k+1)
			}
		}
		i += n
	}
	v.text = out.String()
	return v
}

// span returns where the bytes from i to k of the view are in the original.
func (v view) span(i, k int) (start, end int) {
	if v.from == nil || i == k {
		return i, k
	}
	return int(v.from[i]), int(v.to[k-1])
}

// find returns where needle begins in the view, also where it overlaps itself, at most limit places.
func (v view) find(needle string, limit int) []int {
	var found []int
	for at := 0; len(found) < limit; {
		i := strings.Index(v.text[at:], needle)
		if i < 0 {
			break
		}
		found = append(found, at+i)
		at += i + 1
	}
	return found
}

// keyboard returns the character of a keyboard that people and models type for a typographic one, "" for others.
func keyboard(r rune) string {
	switch {
	case r < 0xa0:
		return ""
	case 0x2018 <= r && r <= 0x201b || r == 0x2032:
		return "'"
	case 0x201c <= r && r <= 0x201f || r == 0x2033:
		return `"`
	case 0x2010 <= r && r <= 0x2015 || r == 0x2212:
		return "-"
	case r == 0xa0 || 0x2002 <= r && r <= 0x200a || r == 0x202f || r == 0x205f || r == 0x3000:
		return " "
	}
	return ""
}
