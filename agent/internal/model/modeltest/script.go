package modeltest

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// script is what a server does.
type script struct {
	freePrefix bool
	anyOrder   bool
	exchanges  []*exchange
}

// exchange is one request and what is answered.
type exchange struct {
	name      string // for messages
	header    http.Header
	pattern   []byte // of the body, nil: any
	newPrefix bool

	status   int
	response http.Header
	reply    string // in the language of replies, "" when body says what is sent
	body     string
	isReply  bool
	used     bool
}

// Unquote returns a script that stands in another archive, where == has to take the place of -- around the names of its
// files, as it is to be read.
func Unquote(text string) string {
	return regexp.MustCompile(`(?m)^== (\w+) ==$`).ReplaceAllString(text, "-- $1 --")
}

func parse(text string) (*script, error) {
	archive := txtar.Parse([]byte(text))
	s := &script{}
	for line := range strings.Lines(string(archive.Comment)) {
		switch line = strings.TrimSpace(line); line {
		case "prefix: free":
			s.freePrefix = true
		case "order: any":
			s.anyOrder = true
		}
	}
	next := &exchange{header: http.Header{}}
	for i, f := range archive.Files {
		kind, _, _ := strings.Cut(f.Name, " ")
		header, body, err := head(f.Data)
		if err != nil && kind != "reply" {
			return nil, fmt.Errorf("read script: %s (file %d): %w", f.Name, i+1, err)
		}
		switch kind {
		case "request":
			next.newPrefix = header.Get("Prefix") == "new"
			header.Del("Prefix")
			next.header, next.pattern = header, bytes.TrimSpace(body)
			continue
		case "reply":
			next.status, next.isReply, next.reply = http.StatusOK, true, string(f.Data)
			if _, err := frames(Messages, next.reply); err != nil {
				return nil, fmt.Errorf("read script: %s (file %d): %w", f.Name, i+1, err)
			}
		case "response":
			next.status, next.response, next.body = http.StatusOK, header, string(body)
			if status := header.Get("Status"); status != "" {
				if next.status, err = strconv.Atoi(status); err != nil {
					return nil, fmt.Errorf("read script: %s (file %d): status %q is no number", f.Name, i+1, status)
				}
				header.Del("Status")
			}
		default:
			return nil, fmt.Errorf("read script: file %d is %q, not request, reply or response", i+1, f.Name)
		}
		next.name = fmt.Sprintf("exchange %d", len(s.exchanges)+1)
		s.exchanges = append(s.exchanges, next)
		next = &exchange{header: http.Header{}}
	}
	if next.pattern != nil {
		return nil, fmt.Errorf("read script: the last request has no answer")
	}
	return s, nil
}

// head splits headers from the body after the first blank line. A text that begins with something else is all body.
func head(data []byte) (http.Header, []byte, error) {
	header := http.Header{}
	first := strings.TrimSpace(string(data))
	if first == "" || strings.ContainsAny(first[:1], "{#:<") || strings.HasPrefix(first, "data:") || strings.HasPrefix(first, "event:") {
		return header, data, nil
	}
	for {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		text := strings.TrimSpace(string(line))
		if text == "" {
			return header, data, nil
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, nil, fmt.Errorf("%q is no header", text)
		}
		header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
		if len(data) == 0 {
			return header, nil, nil
		}
	}
}

// step is a piece of what is sent: bytes, or what happens between them.
type step struct {
	send  string
	delay time.Duration
	cut   bool
	hang  bool
}

// directive reads a line that begins with #.
func directive(line string) (step, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch word {
	case "#delay":
		d, err := time.ParseDuration(strings.TrimSpace(rest))
		return step{delay: d}, err
	case "#cut":
		return step{cut: true}, nil
	case "#hang":
		return step{hang: true}, nil
	}
	return step{}, fmt.Errorf("%q is no directive", word)
}

// steps returns what an exchange sends to a client of an API.
func (e *exchange) steps(api API) ([]step, error) {
	if e.isReply {
		return frames(api, e.reply)
	}
	var steps []step
	lines := bufio.NewScanner(strings.NewReader(e.body))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "#"):
			s, err := directive(line)
			if err != nil {
				return nil, err
			}
			steps = append(steps, s)
		case e.isStream() && strings.HasPrefix(line, "{"):
			steps = append(steps, step{send: frame(api, line)})
		default:
			steps = append(steps, step{send: line + "\n"})
		}
	}
	return steps, lines.Err()
}

func (e *exchange) isStream() bool {
	return e.isReply || e.status == http.StatusOK && e.response.Get("Content-Type") == ""
}
