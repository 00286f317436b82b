package result

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	zwsp           = '\u200b'
	zwnj           = '\u200c'
	zwj            = '\u200d'
	graphemeJoiner = '\u034f'
	flagStart      = '\U0001f3f4' // the black flag, which tags turn into the flag of a region
	tagEnd         = 0xe007f
)

// turnsDirection reports the marks that override, embed or isolate the direction of text, with which what is shown can be
// made to differ from what is there. The plain marks for left and right stay: they turn nothing by themselves.
func turnsDirection(r rune) bool {
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

// unseen reports runes that have no shape of their own, and the flag that such runes may follow.
func unseen(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == graphemeJoiner, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, 0x180b <= r && r <= 0x180f,
		0x200b <= r && r <= 0x200d, 0x2060 <= r && r <= 0x206f, r == 0x3164, 0xfe00 <= r && r <= 0xfe0f, r == 0xfeff, r == 0xffa0,
		0xfff0 <= r && r <= 0xfffb, 0x1bca0 <= r && r <= 0x1bca3, 0x1d173 <= r && r <= 0x1d17a, 0xe0000 <= r && r <= 0xe0fff, r == flagStart:
		return true
	}
	return false
}

// joins reports whether a joiner may follow r: emoji with their selectors, marks, and letters of the scripts in which
// joining makes a difference.
func joins(r rune) bool {
	if unicode.IsLetter(r) {
		return !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Han,
			unicode.Hangul, unicode.Hiragana, unicode.Katakana)
	}
	return unicode.IsMark(r) || unicode.IsSymbol(r)
}

// withoutSpaces reports the scripts that mark the ends of words by an invisible space.
func withoutSpaces(r rune) bool {
	return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese,
		unicode.Tai_Tham, unicode.New_Tai_Lue, unicode.Tai_Le, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// flagTags returns the size of the tags that make the flag of a region, 0 when there are none or others.
func flagTags(s string) int {
	const most = 7
	size := 0
	for count := 0; count <= most; count++ {
		r, n := utf8.DecodeRuneInString(s[size:])
		size += n
		if r == tagEnd && count > 0 {
			return size
		}
		if !(0xe0030 <= r && r <= 0xe0039 || 0xe0061 <= r && r <= 0xe007a) {
			return 0
		}
	}
	return 0
}

// sequenceEnd returns the size of the terminal sequence at the beginning of s, which begins with ESC or a C1 control, 0
// when there is none.
func sequenceEnd(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r == 0x1b {
		if len(s) < 2 {
			return 0
		}
		n = 2
		if r = rune(s[1]); '@' <= r && r <= '_' {
			r += 0x40 // The same as a C1 control.
		}
	}
	switch {
	case r == 0x9b:
		return controlEnd(s, n)
	case r == 0x9d || r == 0x90 || r == 0x98 || r == 0x9e || r == 0x9f:
		return stringEnd(s, n)
	case s[0] != 0x1b:
		return 0 // A C1 control alone.
	case ' ' <= r && r <= '/':
		for n < len(s) && ' ' <= s[n] && s[n] <= '/' {
			n++
		}
		if n < len(s) && '0' <= s[n] && s[n] <= '~' {
			return n + 1
		}
		return 0
	case '0' <= s[1] && s[1] <= '~':
		return n
	}
	return 0
}

// controlEnd returns the end of a control sequence, whose parameters begin at i.
func controlEnd(s string, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '?' {
		i++
	}
	for i < len(s) && ' ' <= s[i] && s[i] <= '/' {
		i++
	}
	if i < len(s) && '@' <= s[i] && s[i] <= '~' {
		return i + 1
	}
	return 0
}

// stringEnd returns the end of a command, hyperlink or other string for the terminal, whose text begins at i. It ends with
// BEL or ST on its own line; one that does not is taken for text, so that nothing can hide the rest of a result.
func stringEnd(s string, i int) int {
	for ; i < len(s); i++ {
		switch b := s[i]; {
		case b == '\a':
			return i + 1
		case strings.HasPrefix(s[i:], "\x1b\\"):
			return i + 2
		case strings.HasPrefix(s[i:], "\u009c"):
			return i + len("\u009c")
		case b == '\n' || b == 0x1b || b == 0x18 || b == 0x1a:
			return 0
		case b == 0xc2 && i+1 < len(s) && 0x80 <= s[i+1] && s[i+1] <= 0x9f: // Another C1 control.
			return 0
		}
	}
	return 0
}
