package codegen

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/elyra-go/elyra/internal/ability"
	"github.com/elyra-go/elyra/internal/nearest"
)

// directivePrefix starts every directive of the framework, commandPrefix the one there is.
const (
	directivePrefix = "//elyra:"
	commandPrefix   = "//elyra:command"
)

// maxName is the longest tool name that every client accepts once it has put its own prefix before it.
const maxName = 64

// directiveWords are all words that may follow the directive; those with "=" take a value.
var directiveWords = [...]string{"can=", "live", "additive", "readonly", "idempotent", "openworld", "name=", "title=", "timeout="}

// nameGrammar is what a name given by name= must look like.
var nameGrammar = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// directive is what the words after //elyra:command say. The zero value is a bare directive.
type directive struct {
	can, name, title                                string
	live, additive, readOnly, idempotent, openWorld bool
	timeout                                         time.Duration
}

// directiveProblem is a Problem whose place is a byte offset into the directive's text.
type directiveProblem struct {
	offset    int
	what, fix string
}

// word is one space-separated part of a directive.
type word struct {
	offset     int // of its first byte
	key, value string
	hasValue   bool
	broken     string // why it cannot be read, "" when it can
}

// parseDirective reads the text that follows commandPrefix. It reports every problem it finds;
// the directive is meaningful only when there is none.
func parseDirective(text string) (directive, []directiveProblem) {
	var d directive
	var problems []directiveProblem
	seen := map[string]int{}
	for _, w := range splitWords(text) {
		what, fix := w.broken, ""
		if what == "" {
			if _, again := seen[w.key]; again {
				what, fix = fmt.Sprintf("%q is given twice", w.key), "keep one"
			} else {
				seen[w.key] = w.offset
				what, fix = d.set(w)
			}
		}
		if what != "" {
			problems = append(problems, directiveProblem{w.offset, what, fix})
		}
	}
	for _, c := range [...]struct{ a, b, why string }{
		{"live", "additive", "a live command only reads, so it adds nothing"},
		{"live", "readonly", "a live command is read-only already"},
		{"readonly", "additive", "a command that only reads adds nothing"},
	} {
		first, hasA := seen[c.a]
		second, hasB := seen[c.b]
		if hasA && hasB {
			problems = append(problems, directiveProblem{
				max(first, second),
				fmt.Sprintf("%q and %q contradict each other", c.a, c.b), "keep one: " + c.why,
			})
		}
	}
	return d, problems
}

// splitWords cuts at spaces, except inside a double-quoted value.
func splitWords(text string) []word {
	var words []word
	for at := 0; at < len(text); {
		if r, size := utf8.DecodeRuneInString(text[at:]); unicode.IsSpace(r) {
			at += size
			continue
		}
		w := word{offset: at}
		rest := text[at:]
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		w.key, w.value, w.hasValue = strings.Cut(rest[:end], "=")
		if w.hasValue && strings.HasPrefix(w.value, `"`) {
			start := len(w.key) + 1
			quoted, err := strconv.QuotedPrefix(rest[start:])
			if err != nil {
				w.broken = fmt.Sprintf("the quoted value of %q does not end", w.key)
				return append(words, w)
			}
			end = start + len(quoted)
			w.value, err = strconv.Unquote(quoted)
			if err != nil {
				w.broken = fmt.Sprintf("the value of %q is no Go string", w.key)
			} else if next, _ := utf8.DecodeRuneInString(rest[end:]); end < len(rest) && !unicode.IsSpace(next) {
				w.broken = fmt.Sprintf("a space is missing after the value of %q", w.key)
			}
		}
		words = append(words, w)
		at += end
	}
	return words
}

// set stores one word and says what is wrong with it, if anything.
func (d *directive) set(w word) (what, fix string) {
	flags := map[string]*bool{
		"live": &d.live, "additive": &d.additive, "readonly": &d.readOnly,
		"idempotent": &d.idempotent, "openworld": &d.openWorld,
	}
	if flag, ok := flags[w.key]; ok {
		if w.hasValue {
			return fmt.Sprintf("%q takes no value", w.key), "write " + w.key
		}
		*flag = true
		return "", ""
	}
	switch w.key {
	case "can", "name", "title", "timeout":
	default:
		known := make([]string, len(directiveWords))
		for i, k := range directiveWords {
			known[i] = strings.TrimSuffix(k, "=")
		}
		if n := nearest.Name(w.key, known); n != "" {
			return fmt.Sprintf("unknown word %q", w.key), fmt.Sprintf("did you mean %q?", n)
		}
		return fmt.Sprintf("unknown word %q", w.key), "known are " + strings.Join(directiveWords[:], " ")
	}
	if !w.hasValue || w.value == "" {
		return fmt.Sprintf("%q has no value", w.key), "write " + map[string]string{
			"can": "can=customers.view", "name": "name=customers_store", "title": `title="Add a customer"`, "timeout": "timeout=30s",
		}[w.key]
	}
	return d.setValue(w.key, w.value)
}

func (d *directive) setValue(key, value string) (what, fix string) {
	switch key {
	case "can":
		if err := ability.Check(value); err != nil {
			return err.Error(), "a wildcard belongs in a grant"
		}
		d.can = value
	case "name":
		if what, fix = checkName(value); what != "" {
			return what, fix
		}
		d.name = value
	case "title":
		if strings.ContainsFunc(value, unicode.IsControl) || !utf8.ValidString(value) {
			return "the title has characters that cannot be shown", "write plain text on one line"
		}
		d.title = value
	case "timeout":
		timeout, err := time.ParseDuration(value)
		if err != nil || timeout <= 0 {
			return fmt.Sprintf("timeout %q is no duration above zero", value), "write timeout=30s or timeout=5m"
		}
		d.timeout = timeout
	}
	return "", ""
}

// checkName says what is wrong with a command name, which is also a tool name.
func checkName(name string) (what, fix string) {
	if !nameGrammar.MatchString(name) {
		return fmt.Sprintf("the name %q is not snake_case of ASCII letters and digits", name), "give one with name=, like name=customers_store"
	}
	if len(name) > maxName {
		return fmt.Sprintf("the name %q is longer than %d characters", name, maxName), "give a shorter one with name="
	}
	return "", ""
}
