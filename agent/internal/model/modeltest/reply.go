package modeltest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// event is a step of a reply before it is put in the words of an API.
type event struct {
	kind string // text, thinking, call, usage, stop, or "" for a directive
	text string // of text and thinking; the arguments of a call; the reason of stop
	id   string
	name string
	step step

	usage map[string]int64
}

// parseReply reads the language of replies. The last two events are usage and stop.
func parseReply(reply string) ([]event, error) {
	usage := event{kind: "usage", usage: map[string]int64{"input": 10, "output": 5}}
	stop := event{kind: "stop", text: "end"}
	var events []event
	told := false
	for line := range strings.Lines(reply) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case strings.HasPrefix(line, "#"):
			s, err := directive(line)
			if err != nil {
				return nil, err
			}
			events = append(events, event{step: s})
		case word == "text", word == "thinking":
			if strings.HasPrefix(rest, `"`) {
				text, err := strconv.Unquote(rest)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", line, err)
				}
				rest = text
			}
			events = append(events, event{kind: word, text: rest})
		case word == "call":
			id, rest, _ := strings.Cut(rest, " ")
			name, arguments, _ := strings.Cut(rest, " ")
			events = append(events, event{kind: "call", id: id, name: name, text: arguments})
			if !told {
				stop.text = "calls"
			}
		case word == "usage":
			for _, pair := range strings.Fields(rest) {
				name, value, _ := strings.Cut(pair, "=")
				n, err := strconv.ParseInt(value, 10, 64)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", line, err)
				}
				usage.usage[name] = n
			}
		case word == "stop":
			stop.text, told = rest, true
		default:
			return nil, fmt.Errorf("%q is no line of a reply", line)
		}
	}
	return append(events, usage, stop), nil
}

// Stream returns what a reply is over the wire, event by event.
func Stream(api API, reply string) ([]string, error) {
	steps, err := frames(api, reply)
	var events []string
	for _, s := range steps {
		if s.send != "" {
			events = append(events, s.send)
		}
	}
	return events, err
}

func frames(api API, reply string) ([]step, error) {
	events, err := parseReply(reply)
	if err != nil {
		return nil, err
	}
	w := &writer{api: api}
	switch api {
	case Messages:
		messagesReply(w, events)
	case Responses:
		responsesReply(w, events)
	default:
		chatReply(w, events)
	}
	return w.steps, nil
}

// writer collects the steps of a reply.
type writer struct {
	api   API
	steps []step
}

func (w *writer) event(format string, args ...any) {
	w.steps = append(w.steps, step{send: frame(w.api, fmt.Sprintf(format, args...))})
}

// frame makes an event of a stream of a line of JSON.
func frame(api API, line string) string {
	if api == Chat {
		return "data: " + line + "\n\n"
	}
	return "event: " + typeOf(line) + "\ndata: " + line + "\n\n"
}

// typeOf returns the member "type", wherever it stands.
func typeOf(line string) string {
	d := jsontext.NewDecoder(strings.NewReader(line))
	for {
		name, err := d.ReadToken()
		if err != nil {
			return ""
		}
		if name.Kind() == '"' && name.String() == "type" && d.StackDepth() == 1 {
			value, err := d.ReadToken()
			if err != nil {
				return ""
			}
			return value.String()
		}
		if name.Kind() == '"' && d.StackDepth() == 1 {
			if err := d.SkipValue(); err != nil {
				return ""
			}
		}
	}
}

// pieces cuts a text as models stream it: after spaces, and in the middle of what has none.
func pieces(text string) []string {
	var all []string
	for len(text) > 0 {
		end := strings.IndexByte(text, ' ') + 1
		if end == 0 || end > 8 {
			end = min(len(text), 8)
		}
		for end < len(text) && text[end]&0xC0 == 0x80 {
			end++
		}
		all = append(all, text[:end])
		text = text[end:]
	}
	return all
}

func quote(s string) string {
	v, _ := jsontext.AppendQuote(nil, s)
	return string(v)
}
