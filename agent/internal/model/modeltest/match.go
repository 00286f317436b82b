package modeltest

import (
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mismatch says how a request differs from what an exchange expects, "" when it does not.
func (e *exchange) mismatch(header http.Header, body []byte) string {
	for name, want := range e.header {
		if got := header.Values(name); !reflect.DeepEqual(got, want) {
			return fmt.Sprintf("header %s is %q, want %q", name, got, want)
		}
	}
	if len(e.pattern) == 0 {
		return ""
	}
	var want, got any
	if err := json.Unmarshal(e.pattern, &want); err != nil {
		return fmt.Sprintf("the pattern is no JSON: %v", err)
	}
	if err := json.Unmarshal(body, &got); err != nil {
		return fmt.Sprintf("the body is no JSON: %v", err)
	}
	return differ("body", want, got)
}

// differ says where a value is not as a pattern wants it.
func differ(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %s, want an object", at, short(got))
		}
		for name, w := range want {
			g, ok := object[name]
			if w == "absent" && !ok {
				continue
			}
			if !ok {
				return fmt.Sprintf("%s has no %q", at, name)
			}
			if wrong := differ(at+"."+name, w, g); wrong != "" {
				return wrong
			}
		}
		return ""
	case []any:
		return differArray(at, want, got)
	case string:
		if want == "*" {
			return ""
		}
		text, ok := got.(string)
		if pattern, isPattern := strings.CutPrefix(want, "~"); ok && isPattern {
			if matched, err := regexp.MatchString(pattern, text); err != nil || !matched {
				return fmt.Sprintf("%s is %s, want a match of %s", at, short(got), pattern)
			}
			return ""
		}
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Sprintf("%s is %s, want %s", at, short(got), short(want))
	}
	return ""
}

func differArray(at string, want []any, got any) string {
	array, ok := got.([]any)
	if !ok {
		return fmt.Sprintf("%s is %s, want an array", at, short(got))
	}
	skip := 0
	switch {
	case len(want) > 0 && want[0] == "...":
		want = want[1:]
		skip = len(array) - len(want)
	case len(want) > 0 && want[len(want)-1] == "...":
		want = want[:len(want)-1]
		array = array[:min(len(array), len(want))]
	}
	if len(array)-skip != len(want) || skip < 0 {
		return fmt.Sprintf("%s has %d elements, want %d: %s", at, len(array), len(want), short(got))
	}
	for i, w := range want {
		if wrong := differ(fmt.Sprintf("%s[%d]", at, i+skip), w, array[i+skip]); wrong != "" {
			return wrong
		}
	}
	return ""
}

func short(v any) string {
	text, _ := json.Marshal(v, json.Deterministic(true))
	return fmt.Sprintf("%.2000s", text)
}

// prefix returns the bytes of system prompt and tools, which have to stay the same for the vendor's cache to hold. What is
// deferred is no part of Anthropic's.
func prefix(api API, body []byte) string {
	var b struct {
		System       jsontext.Value   `json:"system"`
		Instructions jsontext.Value   `json:"instructions"`
		Tools        jsontext.Value   `json:"tools"`
		Messages     []jsontext.Value `json:"messages"`
	}
	if json.Unmarshal(body, &b) != nil {
		return ""
	}
	var first struct {
		Role string `json:"role"`
	}
	system := append(b.System, b.Instructions...)
	if len(b.Messages) > 0 && json.Unmarshal(b.Messages[0], &first) == nil && first.Role == "system" {
		system = append(system, b.Messages[0]...)
	}
	var tools []jsontext.Value
	if api != Messages || json.Unmarshal(b.Tools, &tools) != nil {
		return string(system) + "\n" + string(b.Tools)
	}
	for _, raw := range tools {
		var t struct {
			Deferred bool `json:"defer_loading"`
		}
		if json.Unmarshal(raw, &t) != nil || !t.Deferred {
			system = append(append(system, '\n'), raw...)
		}
	}
	return string(system)
}
