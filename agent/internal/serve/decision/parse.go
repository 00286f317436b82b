package decision

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/result"
)

const (
	maxTitle   = 200
	maxStatus  = 200
	maxSummary = 400
)

// Parse reads one record. The problems say what of it could not be understood; the rest is there all the same.
func Parse(text string) (d Decision, problems []string) {
	text = result.Clean(strings.TrimPrefix(text, "\uFEFF"))
	d.Text = text
	head, body, closed := frontMatter(text)
	if !closed {
		problems = append(problems, "its front matter is not closed by a line of ---")
	}
	doc := outline(body)
	d.Title = clean(first(head["title"], doc.title), maxTitle)
	if d.Title == "" {
		problems = append(problems, "it has no title")
	}
	d.Status = clean(first(head["status"], doc.line["status"], doc.section("status")), maxStatus)
	date := first(head["date"], doc.line["date"], doc.section("date"))
	if date != "" {
		var ok bool
		if d.Date, ok = dateOf(date); !ok {
			problems = append(problems, fmt.Sprintf("its date %q is none", clean(date, 40)))
		}
	}
	d.Summary = clean(first(doc.section("decision outcome"), doc.section("decision"), doc.intro, doc.section("context"), doc.section("context and problem statement")), maxSummary)
	return d, problems
}

func first(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}

// frontMatter takes the names with texts between lines of --- from the beginning. Closed is false when the second line of
// --- is missing; then all is body.
func frontMatter(text string) (head map[string]string, body string, closed bool) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text, true
	}
	head = map[string]string{}
	for {
		line, more, found := strings.Cut(rest, "\n")
		if trimmed := strings.TrimRight(line, " \t"); trimmed == "---" || trimmed == "..." {
			return head, more, true
		}
		if !found {
			return nil, text, false
		}
		rest = more
		if name, value, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") {
			head[strings.ToLower(strings.TrimSpace(name))] = scalar(value)
		}
	}
}

// scalar is a text of one line as YAML writes it.
func scalar(value string) string {
	value = strings.TrimSpace(value)
	if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		return value[1 : len(value)-1]
	}
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value)
}

// document is the outline of a record.
type document struct {
	title    string
	line     map[string]string // "Status: accepted" and the like before the first section
	intro    string            // the first paragraph before the first section
	sections map[string]string // the first paragraph of each, by heading
}

func (d *document) section(name string) string { return d.sections[name] }

var field = regexp.MustCompile(`^[-*]?\s*\**(?i:(status|date))\**\s*:\**\s*(.+)$`)

// otherField is a line of a list of facts such as "* Deciders: a, b".
var otherField = regexp.MustCompile(`^[-*]\s+\**[A-Za-z][A-Za-z ]{0,30}\**:\**\s`)

// outline reads the headings of Markdown and the first paragraphs below them. What stands in code blocks is no heading.
func outline(body string) *document {
	d := &document{line: map[string]string{}, sections: map[string]string{}}
	section, fenced := "", false
	var paragraph []string
	take := func() {
		text := strings.Join(paragraph, " ")
		paragraph = nil
		if section == "" && d.intro == "" {
			d.intro = text
		} else if section != "" && d.sections[section] == "" {
			d.sections[section] = text
		}
	}
	for line := range strings.SplitSeq(body, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
			continue
		}
		heading := strings.TrimLeft(trimmed, "#")
		level := len(trimmed) - len(heading)
		switch {
		case fenced:
		case level > 0 && strings.HasPrefix(heading, " "):
			take()
			heading = strings.TrimSpace(strings.TrimRight(heading, "# "))
			if level == 1 && d.title == "" {
				d.title = heading
			} else if level == 2 {
				section = strings.ToLower(heading)
			}
		case trimmed == "", trimmed == "---":
			take()
		case section == "" && field.MatchString(trimmed):
			m := field.FindStringSubmatch(trimmed)
			if name := strings.ToLower(m[1]); d.line[name] == "" {
				d.line[name] = strings.Trim(m[2], "* ")
			}
		case section == "" && otherField.MatchString(trimmed):
		default:
			paragraph = append(paragraph, trimmed)
		}
	}
	take()
	return d
}

// dateOf reads a date in the ways in which records have it.
func dateOf(text string) (string, bool) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.DateOnly, "2006/01/02", "2006.01.02", "02.01.2006", "2 January 2006", "January 2, 2006", "2 Jan 2006", "Jan 2, 2006", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format(time.DateOnly), true
		}
	}
	if len(text) > len(time.DateOnly) { // with the time of day, or a remark
		if t, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)]); err == nil {
			return t.Format(time.DateOnly), true
		}
	}
	return "", false
}
