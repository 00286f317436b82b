package typegraph

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxProblems bounds what one pass reports: more than a model or a person reads
// at once, and a limit for hostile input.
const maxProblems = 32

// rootPath stands for the whole text, which has no name of its own.
const rootPath = "arguments"

// Problems says what is wrong with a JSON text: a path such as
// "input.lines[1].qty" leads to messages that say what to change.
type Problems map[string][]string

// Error lists the problems by path, one a line.
func (p Problems) Error() string {
	var text strings.Builder
	text.WriteString("the arguments do not fit:")
	count := 0
	for _, path := range slices.Sorted(maps.Keys(p)) {
		for _, message := range p[path] {
			fmt.Fprintf(&text, "\n- %s: %s", path, message)
			count++
		}
	}
	if count >= maxProblems {
		text.WriteString("\n- the check stopped here; there may be more")
	}
	return text.String()
}

// step is one part of a path: a member's name, an index, or the key of a map.
type step struct {
	name  string
	index int
	kind  stepKind
}

type stepKind uint8

const (
	stepMember stepKind = iota
	stepIndex
	stepKey
)

// pathText writes steps as people write them: input.lines[1].tags[blue].
func pathText(steps []step) string {
	if len(steps) == 0 {
		return rootPath
	}
	var text strings.Builder
	for i, s := range steps {
		switch s.kind {
		case stepIndex:
			text.WriteString("[" + strconv.Itoa(s.index) + "]")
		case stepKey:
			text.WriteString("[" + visible(s.name, shortText) + "]")
		default:
			if i > 0 {
				text.WriteByte('.')
			}
			text.WriteString(visible(s.name, shortText))
		}
	}
	return text.String()
}

// How many characters of text from outside a message quotes.
const (
	shortText = 64
	longText  = 240
)

// visible cuts text that came from outside to most characters and escapes what is
// not printable, so that it cannot disguise the message around it.
func visible(s string, most int) string {
	if runes := []rune(s[:min(len(s), 4*most+4)]); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
