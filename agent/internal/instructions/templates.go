package instructions

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Template is a prompt that the user calls by /name.
type Template struct {
	Name, Description string
	Path              string
	Project           bool
	body              string
}

// maxTemplates is how many of them there may be.
const maxTemplates = 500

// Templates finds the templates of prompts: prompts/*.md in the agent's folder and in .elyra of a trusted project. Notes
// say what cannot be used.
func Templates(o Options) (templates []Template, notes []string) {
	taken := map[string]bool{}
	for _, p := range o.places("prompts") {
		if filepath.Base(filepath.Dir(p.path)) == ".claude" {
			continue // others' prompts are none of these
		}
		names, err := p.names(p.path, maxNames)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s is not used: %v", p.path, err))
		}
		for _, file := range names {
			name, isText := strings.CutSuffix(file, ".md")
			if !isText || taken[name] || len(templates) == maxTemplates {
				continue
			}
			path := filepath.Join(p.path, file)
			_, text, err := p.read(path, maxMemory)
			if err == nil && !plainName(name) {
				err = fmt.Errorf("%.80q is no name: write small letters, digits and -, at most 64", name)
			}
			if err != nil {
				notes = append(notes, fmt.Sprintf("%s is not used: %v", path, err))
				continue
			}
			head, body := front(text)
			taken[name] = true
			templates = append(templates, Template{
				Name: name, Description: head["description"], Path: path, Project: p.project, body: strings.TrimSpace(body),
			})
		}
	}
	return templates, notes
}

// Expand returns the prompt for arguments: $1 to $9 are single ones, $ARGUMENTS and $@ all as they were written, $$ is a
// dollar sign. A template that asks for none gets them at its end. What arguments hold is not expanded again.
func (t Template) Expand(arguments string) string {
	arguments = strings.TrimSpace(arguments)
	words := SplitWords(arguments)
	var out strings.Builder
	used := false
	body := t.body
	for {
		before, after, ok := strings.Cut(body, "$")
		out.WriteString(before)
		if !ok {
			break
		}
		body = after
		switch {
		case strings.HasPrefix(body, "ARGUMENTS"):
			body = body[len("ARGUMENTS"):]
			out.WriteString(arguments)
			used = true
		case strings.HasPrefix(body, "@"):
			body = body[1:]
			out.WriteString(arguments)
			used = true
		case strings.HasPrefix(body, "$"):
			body = body[1:]
			out.WriteByte('$')
		case body != "" && body[0] >= '1' && body[0] <= '9' && (len(body) == 1 || body[1] < '0' || body[1] > '9'):
			n, _ := strconv.Atoi(body[:1])
			body = body[1:]
			if n <= len(words) {
				out.WriteString(words[n-1])
			}
			used = true
		default:
			out.WriteByte('$')
		}
	}
	if !used && arguments != "" {
		out.WriteString("\n\n" + arguments)
	}
	return out.String()
}

// SplitWords divides arguments at blanks outside of quotes.
func SplitWords(text string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	begun := false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, begun = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}
