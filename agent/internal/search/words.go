package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord is how many bytes of a word are looked at; longer runs are data, not words.
const maxWord = 64

// nextRun returns the bounds of the first run of letters and digits in text at or after from, and whether it is written
// without spaces between its words. from == len(text) at the end. Bytes that are not UTF-8 separate.
func nextRun(text string, from int) (start, end int, dense bool) {
	i := from
	for ; i < len(text); i++ {
		c := text[i]
		if c >= utf8.RuneSelf || isAlnum(c) {
			if c < utf8.RuneSelf {
				break
			}
			r, n := utf8.DecodeRuneInString(text[i:])
			if isWord(r) {
				dense = isDense(r)
				break
			}
			i += n - 1
		}
	}
	start = i
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			if !isAlnum(c) || dense {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !isWord(r) || isDense(r) != dense {
			break
		}
		i += n
	}
	return start, i, dense
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// isDense tells the scripts whose words are not separated, or whose endings cling to them as in Korean.
func isDense(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x1200: // Thai and Lao, Myanmar, the Jamo of Hangul
		return r < 0x0F00 || 0x1000 <= r && r < 0x10A0 || r >= 0x1100
	case r < 0x2E80:
		return 0x1780 <= r && r < 0x1800 // Khmer
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー'
}

// parts cuts a run where its case or its kind changes: getHTTPUrl2 is get, HTTP, Url, 2. A plural s stays: URLs.
func parts(run string) []string {
	var out []string
	start, before := 0, rune(0)
	for i, r := range run {
		if i > start && cut(before, r, run[i+utf8.RuneLen(r):]) {
			out = append(out, run[start:i])
			start = i
		}
		before = r
	}
	return append(out, run[start:])
}

// cut tells whether a part ends between two runes, with what comes after them.
func cut(before, r rune, after string) bool {
	if unicode.IsDigit(before) != unicode.IsDigit(r) {
		return !unicode.IsMark(r)
	}
	if !unicode.IsUpper(r) {
		return false
	}
	if !unicode.IsUpper(before) {
		return true
	}
	next, n := utf8.DecodeRuneInString(after)
	return unicode.IsLower(next) && (next != 's' || len(after) > n && unicode.IsLower(rune(after[n])))
}

// wordsOf returns the plain runs of a text.
func wordsOf(text string) []string {
	var words []string
	for i := 0; ; {
		start, end, _ := nextRun(text, i)
		if start == len(text) {
			return words
		}
		words = append(words, plain(text[start:end]))
		i = end
	}
}

// partsOf returns the plain parts of the runs of a text that are written with spaces between words.
func partsOf(text string) []string {
	var words []string
	for i := 0; ; {
		start, end, dense := nextRun(text, i)
		if start == len(text) {
			return words
		}
		i = end
		if dense {
			continue
		}
		for _, p := range parts(text[start:end]) {
			words = append(words, plain(p))
		}
	}
}

// plain lower-cases a word and takes the marks from its letters: Météo is meteo.
func plain(word string) string {
	ascii := true
	for i := range len(word) {
		if c := word[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			ascii = false
			break
		}
	}
	if ascii {
		return word
	}
	var b strings.Builder
	for _, r := range word {
		r = unicode.ToLower(r)
		switch {
		case 0x300 <= r && r < 0x370 || r == utf8.RuneError:
		case r == 'ß':
			b.WriteString("ss")
		case r == 'œ':
			b.WriteString("oe")
		case r == 'æ':
			b.WriteString("ae")
		case r == 'ё':
			b.WriteRune('е')
		case 0xE0 <= r && r < 0x100:
			b.WriteByte("aaaaaaaceeeeiiiidnooooo/ouuuuyty"[r-0xE0])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// stem takes the commonest English endings from a plain word, so that generate, generates, generated, generating,
// generation and generator are one. Words of other languages and short ones mostly stay as they are.
func stem(w string) string {
	if len(w) < 4 || len(w) > maxWord {
		return w
	}
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	switch {
	case strings.HasSuffix(w, "ies"):
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	for _, s := range [...]struct {
		ending string
		rest   int // letters that must remain
	}{
		{"ization", 3}, {"ation", 4}, {"ition", 4}, {"ing", 3}, {"ion", 4}, {"ed", 3}, {"er", 4}, {"or", 4}, {"ment", 4}, {"ly", 4},
	} {
		root, ok := strings.CutSuffix(w, s.ending)
		if !ok || len(root) < s.rest || !strings.ContainsAny(root, "aeiouy") || strings.HasSuffix(w, "eed") {
			continue
		}
		if s.ending == "ation" || s.ending == "ition" || s.ending == "ization" {
			root += s.ending[:len(s.ending)-3] // generation: generat, as of generate
		} else if n := len(root); root[n-1] == root[n-2] && !strings.ContainsAny(root[n-1:], "aeioulsz") {
			root = root[:n-1] // mapping: map
		}
		w = root
		break
	}
	if len(w) > 3 && w[len(w)-1] == 'e' {
		w = w[:len(w)-1]
	}
	if len(w) > 3 && w[len(w)-1] == 'y' {
		w = w[:len(w)-1] + "i"
	}
	return w
}
