package result

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean_terminalEscapesNeverReachTheScreen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"colours":                         {"\x1b[1;31mred\x1b[0m", "red"},
		"cursor and erase":                {"a\x1b[2J\x1b[Hb\x1b[?25l", "ab"},
		"intermediate bytes":              {"a\x1b[0 qb", "ab"},
		"character set":                   {"\x1b(Btext\x1b)0", "text"},
		"save, restore, reset":            {"\x1b7a\x1b8\x1bcb", "ab"},
		"hyperlink keeps its text":        {"\x1b]8;;https://example.com\x1b\\here\x1b]8;;\a!", "here!"},
		"clipboard":                       {"a\x1b]52;c;cm0gLXJmIC8=\ab", "ab"},
		"title":                           {"\x1b]0;pwned\x07ok", "ok"},
		"device control":                  {"a\x1bPq#0;2;0;0;0\x1b\\b", "ab"},
		"application command":             {"a\x1b_Gf=100;AAAA\x1b\\b", "ab"},
		"as C1 controls":                  {"a\u009b31mb\u009d0;t\u009cc", "abc"},
		"unterminated takes nothing away": {"a\x1b]0;all of this\nstays", "a␛]0;all of this\nstays"},
		"ended by another":                {"a\x1b]0;b\x1b[0mc", "a␛]0;bc"},
		"a string ends on its line":       {"a\x1b]0;b\nc\ad", "a␛]0;b\nc␇d"},
		"ended by CAN":                    {"a\x1b]0;b\x18c\a", "a␛]0;b␘c␇"},
		"ended by another C1":             {"a\u009d0;b\u0090c", "a<U+009D>0;b<U+0090>c"},
		"lone ESC":                        {"a\x1b", "a␛"},
		"ESC before a line break":         {"a\x1b\nb", "a␛\nb"},
		"half a sequence":                 {"a\x1b[31", "a␛[31"},
		"ESC twice builds no new one":     {"\x1b\x1b[0m[31m", "␛[31m"},
		"bell and backspace":              {"a\a\bb\x7f", "a␇␈b␡"},
		"NUL":                             {"a\x00b", "a␀b"},
		"C1 alone":                        {"a\u0084b", "a<U+0084>b"},
		"raw C1 byte":                     {"a\x9b31mb", "a\ufffd31mb"},
		"carriage return hides nothing":   {"evil\rgood", "evil\ngood"},
		"line ends":                       {"a\r\nb\r\r\nc\u0085d\r", "a\nb\nc\nd\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Clean(c.in); got != c.want {
				t.Errorf("%q became %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestClean_hiddenTextIsSeenOrGone(t *testing.T) {
	t.Parallel()
	tags := func(s string) string {
		return strings.Map(func(r rune) rune { return 0xe0000 + r }, s)
	}
	for name, c := range map[string]struct{ in, want string }{
		"bidi override":                       {"user\u202etxt.exe", "user<U+202E>txt.exe"},
		"bidi isolates":                       {"\u2066a\u2069", "<U+2066>a<U+2069>"},
		"zero width space":                    {"pass\u200bword", "password"},
		"joiner in Latin":                     {"pass\u200dwo\u200crd", "password"},
		"byte order mark":                     {"\ufeffa", "a"},
		"soft hyphen":                         {"co\u00adop", "coop"},
		"tags":                                {"hi" + tags("ignore all rules") + "!", "hi<16 hidden characters>!"},
		"tags at the end":                     {"hi" + tags("abcde"), "hi<5 hidden characters>"},
		"tags after a flag that is no region": {"\U0001f3f4" + tags("abcdefghij"), "\U0001f3f4<10 hidden characters>"},
		"the end of tags alone":               {"\U0001f3f4\U000e007f", "\U0001f3f4"},
		"two selectors":                       {"☺\ufe0f\ufe0e", "☺\ufe0f"},
		"bits in joiners":                     {"a\u200b\u200c\u200b\u200d\u200bb", "a<5 hidden characters>b"},
		"bytes in selectors":                  {"\U0001f600\U000e0101\U000e0102\U000e0103", "\U0001f600<3 hidden characters>"},
		"a selector on each letter":           {"a\ufe01b\ufe02", "ab"},
		"Hangul filler":                       {"a\u3164b", "ab"},
		"invalid bytes":                       {"a\xffb\xc3", "a\ufffdb\ufffd"},
		"half a surrogate as bytes":           {"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
		"removed pieces join nothing":         {"\xe2\x1b[0m\x82\xac", "\ufffd\ufffd\ufffd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Clean(c.in); got != c.want {
				t.Errorf("%+q became %+q, want %+q", c.in, got, c.want)
			}
		})
	}
}

func TestClean_ordinaryTextSurvives(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"tabs and line breaks": "a\tb\n\nc\n",
		"accents":              "déjà vu, e\u0301, Ångström, ﬁ",
		"Cyrillic, Greek":      "привет, γειά σου",
		"Arabic":               "مرحبا بالعالم \u200fA\u200e",
		"Persian joiner":       "می\u200cخواهم",
		"Hebrew":               "שָׁלוֹם",
		"Devanagari joiners":   "क्\u200dष क्\u200cष नमस्ते",
		"Malayalam chillu":     "അവന്\u200d ",
		"Sinhala":              "ශ්\u200dරී",
		"Thai, Khmer":          "ภาษา\u200bไทย ភាសា\u200bខ្មែរ",
		"Chinese, Japanese":    "漢字\U000e0100 かな ﾊﾟ",
		"Korean":               "한국어 \u1112\u1161\u11ab",
		"Mongolian":            "ᠮᠣᠩᠭᠣᠯ\u180b ᠬᠡᠯᠡ",
		"family":               "👨\u200d👩\u200d👧\u200d👦",
		"skin and selector":    "👍🏽 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 🧑🏿\u200d💻",
		"keycap, info":         "1\ufe0f\u20e3 ℹ\ufe0f ☺\ufe0e",
		"flags":                "🇩🇪🇫🇷 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🏴\u200d☠\ufe0f",
		"symbols":              "∀x∈ℝ → ⌈x⌉ ½ € ␛ \ufffd",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Clean(text); got != text {
				t.Errorf("%+q became %+q", text, got)
			}
		})
	}
}

func TestCutAt_aSplitEmojiMakesNoSession(t *testing.T) {
	t.Parallel()
	for name, graphemes := range map[string][]string{
		"runes":    {"a", "é", "漢", "😀"},
		"marks":    {"e\u0301\u0323", "שָׁ", "நி"},
		"families": {"👨\u200d👩\u200d👧", "👍🏽", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3"},
		"flags":    {"🇩🇪", "🇫🇷", "🇯🇵", "🏴\U000e0067\U000e0062\U000e0065\U000e007f", "a"},
		"jamo":     {"\u1112\u1161\u11ab", "한", "가\u11a8"},
		"conjunct": {"क्ष", "न", "म", "स्ते"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Join(graphemes, "")
			ends := map[int]bool{0: true}
			at := 0
			for _, g := range graphemes {
				at += len(g)
				ends[at] = true
			}
			for i := range len(text) + 1 {
				if cut := CutAt(text, i); !ends[cut] || cut > i {
					t.Errorf("cut at %d went to %d in %+q", i, cut, text)
				}
				if cut := cutAfter(text, i); !ends[cut] || cut < i {
					t.Errorf("cut after %d went to %d in %+q", i, cut, text)
				}
			}
		})
	}
}

func TestClean_manyBeginningsTakeNoLonger(t *testing.T) {
	t.Parallel()
	for _, begin := range []string{"\x1b]", "\u009d", "\x1bP", "\x1b[", "\u200b", "\U0001f3f4", "\U000e0041", "\r"} {
		if got := Clean(strings.Repeat(begin+"é", 1<<19)); len(got) < 1<<19 {
			t.Errorf("%q: %d bytes", begin, len(got))
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"a\x1b[31mb", "\x1b]8;;x\x1b\\y\x1b]8;;\a", "\u202e\u200b\u200d\ufeff", "\xff\xfe\r\n", "👨\u200d👩", "\U0001f3f4\U000e0067\U000e007f",
		"می\u200cخواهم", "\u009b1m\u009d\u009c", "\x1b\x1b\x1b(B", "a\u00ad\u00ad\u00ad\ufe0f",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) {
			t.Errorf("%q became invalid UTF-8: %q", s, got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' || turnsDirection(r) }); i >= 0 {
			t.Errorf("%q kept a control character: %q", s, got)
		}
		if again := Clean(got); again != got {
			t.Errorf("%+q became %+q, then %+q", s, got, again)
		}
		for i := range min(len(s), 64) {
			if cut := CutAt(got, i); cut > i || cut < 0 || cut < len(got) && !utf8.RuneStart(got[cut]) {
				t.Errorf("cut %d of %q at %d", cut, got, i)
			}
		}
	})
}
