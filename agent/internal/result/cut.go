package result

import (
	"unicode"
	"unicode/utf8"
)

// maxGrapheme bounds how far a cut moves back to keep a grapheme whole; longer ones are somebody's joke.
const maxGrapheme = 256

// CutAt returns the largest place in s, at most at, where neither a rune nor a grapheme is split. At the ends of s
// it is at itself.
func CutAt(s string, at int) int {
	if at <= 0 || at >= len(s) {
		return max(0, min(at, len(s)))
	}
	whole := at
	for whole > 0 && !utf8.RuneStart(s[whole]) {
		whole--
	}
	for i := whole; whole-i <= maxGrapheme; {
		if i == 0 || boundary(s, i) {
			return i
		}
		_, n := utf8.DecodeLastRuneInString(s[:i])
		i -= n
	}
	return whole
}

// cutAfter is like CutAt, but the smallest such place from at on.
func cutAfter(s string, at int) int {
	for i := at; i-at <= maxGrapheme; i++ {
		if i == 0 || i >= len(s) || utf8.RuneStart(s[i]) && boundary(s, i) {
			return i
		}
	}
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return at
}

// boundary reports whether a grapheme may end at i, which is the start of a rune within s.
func boundary(s string, i int) bool {
	after, _ := utf8.DecodeRuneInString(s[i:])
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	switch {
	case before == '\n' || after == '\n':
		return true
	case extends(after):
		return false
	case before == zwj || linksConsonants(before) && unicode.IsLetter(after):
		return false
	case regional(before) && regional(after):
		return regionalsBefore(s[:i])%2 == 0
	case hangulPart(after) && unicode.Is(unicode.Hangul, before):
		return false
	case unicode.Is(unicode.Prepended_Concatenation_Mark, before):
		return false
	}
	return true
}

// extends reports runes that belong to the one before them.
func extends(r rune) bool {
	return unicode.IsMark(r) || r == zwj || r == zwnj || 0x1f3fb <= r && r <= 0x1f3ff || 0xe0020 <= r && r <= tagEnd ||
		r == '\uff9e' || r == '\uff9f'
}

func regional(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

// regionalsBefore counts the letters of flags at the end of s, two for a flag.
func regionalsBefore(s string) int {
	const enough = 4 * maxGrapheme
	count := 0
	for count < enough {
		r, n := utf8.DecodeLastRuneInString(s)
		if !regional(r) {
			break
		}
		s = s[:len(s)-n]
		count++
	}
	return count
}

// hangulPart reports the vowels and final consonants that make a syllable with what is before them, and leading
// consonants, which may stand in a row.
func hangulPart(r rune) bool {
	return 0x1100 <= r && r <= 0x11ff || 0xa960 <= r && r <= 0xa97c || 0xd7b0 <= r && r <= 0xd7fb
}

// linksConsonants reports the marks of Indic scripts that make one shape of two consonants.
func linksConsonants(r rune) bool {
	switch r {
	case 0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xc4d, 0xccd, 0xd4d, 0xdca, 0x1039, 0x17d2, 0x1a60, 0x1b44, 0xa9c0, 0xaaf6, 0x11133, 0x11046:
		return true
	}
	return false
}
