package adapter

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// maxMessage is how much of a vendor's words an error holds.
const maxMessage = 2 << 10

// Failure makes an error of a status and the body that came with it.
func (x *Exchange) Failure(status int, body []byte) *model.Error {
	text := strings.TrimSpace(string(body))
	var r Reason
	switch {
	case jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)):
		r = ParseReason([]byte(text))
	case strings.HasPrefix(text, "<"):
		r.Message = "an HTML page" + title(text)
	default:
		r.Message = text
	}
	r.Message = cmp.Or(r.Message, strings.ToLower(http.StatusText(status)), "no reason given")
	e := x.Because(status, r)
	id, _ := asString(members(body)["request_id"])
	e.RequestID = Plain(id, 128)
	return e
}

// Because makes an error of what a vendor said, with the status that came with it or 0.
func (x *Exchange) Because(status int, r Reason) *model.Error {
	message := Plain(x.redact(r.Message), maxMessage)
	if status != 0 {
		message = fmt.Sprintf("%s (status %d)", message, status)
	}
	return &model.Error{Kind: kindOf(status, r), Status: status, Message: x.Vendor + ": " + message, Tool: refusedTool(r)}
}

// title returns the title of an HTML page, which says most of what there is to say about it.
func title(page string) string {
	found := regexp.MustCompile(`(?is)<title[^>]*>([^<]{1,200})`).FindStringSubmatch(page)
	if found == nil {
		return ""
	}
	return ` ("` + strings.TrimSpace(found[1]) + `")`
}

// Plain returns a foreign text without control characters, cut to a number of bytes at a rune.
func Plain(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// refusedTool finds the tool that a refusal is about, as 1 + its index in the request. Where tools are one list within
// another one, as Gemini has them, the inner index counts.
func refusedTool(r Reason) int {
	for _, text := range []string{r.Param, r.Message} {
		for _, form := range []string{`function_declarations\[(\d{1,4})\]`, `\btools[.\[](\d{1,4})\b`} {
			if found := regexp.MustCompile(form).FindStringSubmatch(text); found != nil {
				index, _ := strconv.Atoi(found[1])
				return index + 1
			}
		}
	}
	return 0
}

// NameTool finds the tool that a refusal names without counting: "function 'x'".
func NameTool(err error, tools []model.Tool) {
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.ErrInvalid || e.Tool != 0 && e.Tool <= len(tools) {
		return
	}
	e.Tool = 0
	found := regexp.MustCompile("(?i)(?:function|tool) ['\"`]([A-Za-z0-9_-]{1,64})['\"`]").FindStringSubmatch(e.Message)
	for i, t := range tools {
		if found != nil && t.Name == found[1] {
			e.Tool = i + 1
		}
	}
}
