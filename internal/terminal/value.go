package terminal

import (
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// parse makes a JSON value of what was typed. A problem says, in words for the person, why it does not fit.
func (s *fieldSchema) parse(typed string) (value jsontext.Value, problem string) {
	options := s.options()
	switch {
	case s.Type == "array":
		return s.several(options, typed)
	case len(options) > 0:
		return choose(options, typed)
	case s.Type == "boolean":
		return parseYes(typed)
	case s.Type == "string":
		problem = s.textProblem(typed)
		value, _ = json.Marshal(typed)
		return value, problem
	}
	n, err := strconv.ParseFloat(typed, 64)
	switch {
	case err != nil || math.IsInf(n, 0) || math.IsNaN(n):
		return nil, "it is no number"
	case s.Type == "integer" && n != math.Trunc(n):
		return nil, "it is no whole number"
	case s.Minimum != nil && n < *s.Minimum:
		return nil, fmt.Sprintf("it is less than %v", *s.Minimum)
	case s.Maximum != nil && n > *s.Maximum:
		return nil, fmt.Sprintf("it is more than %v", *s.Maximum)
	}
	if value := jsontext.Value(typed); value.IsValid() { // As it was typed: a float would round a long number.
		return value, ""
	}
	value, _ = json.Marshal(n)
	return value, ""
}

func parseYes(typed string) (jsontext.Value, string) {
	switch strings.ToLower(typed) {
	case "y", "yes", "true":
		return jsontext.Value("true"), ""
	case "n", "no", "false":
		return jsontext.Value("false"), ""
	}
	return nil, "type yes or no"
}

// choose finds an option by its number, its value or its title.
func choose(options []option, typed string) (jsontext.Value, string) {
	for _, o := range options {
		if plain(o.value) == typed || strings.EqualFold(o.title, typed) {
			return o.value, ""
		}
	}
	if n, err := strconv.Atoi(typed); err == nil && n >= 1 && n <= len(options) {
		return options[n-1].value, ""
	}
	return nil, fmt.Sprintf("type a number from 1 to %d, or one of the texts", len(options))
}

// several reads a list of options.
func (s *fieldSchema) several(options []option, typed string) (jsontext.Value, string) {
	var chosen []jsontext.Value
	for part := range strings.SplitSeq(typed, ",") {
		v, problem := choose(options, strings.TrimSpace(part))
		if problem != "" {
			return nil, problem
		}
		if !slices.ContainsFunc(chosen, func(c jsontext.Value) bool { return string(c) == string(v) }) {
			chosen = append(chosen, v)
		}
	}
	switch {
	case s.MinItems != nil && len(chosen) < *s.MinItems:
		return nil, fmt.Sprintf("choose at least %d", *s.MinItems)
	case s.MaxItems != nil && len(chosen) > *s.MaxItems:
		return nil, fmt.Sprintf("choose at most %d", *s.MaxItems)
	}
	value, err := json.Marshal(chosen)
	if err != nil {
		return nil, err.Error()
	}
	return value, ""
}

// textProblem says why a text does not fit. A pattern that is none of ours is left to the server.
func (s *fieldSchema) textProblem(typed string) string {
	n := utf8.RuneCountInString(typed)
	switch {
	case s.MinLength != nil && n < *s.MinLength:
		return fmt.Sprintf("it is shorter than %d characters", *s.MinLength)
	case s.MaxLength != nil && n > *s.MaxLength:
		return fmt.Sprintf("it is longer than %d characters", *s.MaxLength)
	}
	if pattern, err := regexp.Compile(s.Pattern); s.Pattern != "" && err == nil && !pattern.MatchString(typed) {
		return "it does not match " + Visible(s.Pattern)
	}
	fits := true
	switch s.Format {
	case "email":
		a, err := mail.ParseAddress(typed)
		fits = err == nil && a.Address == typed
	case "uri":
		u, err := url.Parse(typed)
		fits = err == nil && u.Scheme != ""
	case "date":
		_, err := time.Parse(time.DateOnly, typed)
		fits = err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339, typed)
		fits = err == nil
	}
	if !fits {
		return "it is no " + s.Format
	}
	return ""
}
