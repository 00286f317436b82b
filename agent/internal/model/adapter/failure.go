package adapter

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// maxMessage is how much of a vendor's words an error holds.
const maxMessage = 2 << 10

// complaint is how vendors say what is wrong, in the forms that are in use: {"error":{…}}, {"error":"…"}, {"message":"…"},
// {"detail":"…"} and a list of the first.
type complaint struct {
	Error   jsontext.Value `json:"error"`
	Message jsontext.Value `json:"message"`
	Detail  jsontext.Value `json:"detail"`
	ID      string         `json:"request_id"`
}

// Reason is what a vendor says of a failure.
type Reason struct {
	Type    string
	Code    string
	Param   string
	Message string
}

// reasonFields are the members of an error, none of which has the same type with all vendors.
type reasonFields struct {
	Type     jsontext.Value `json:"type"`
	Code     jsontext.Value `json:"code"`
	Status   jsontext.Value `json:"status"`
	Param    jsontext.Value `json:"param"`
	Message  jsontext.Value `json:"message"`
	Metadata struct {
		Raw jsontext.Value `json:"raw"` // what the vendor behind a broker said
	} `json:"metadata"`
	Details struct {
		Code jsontext.Value `json:"error_code"`
	} `json:"details"`
}

// ParseReason reads a vendor's error: the member "error" of an answer or event, or the whole of it.
func ParseReason(text []byte) Reason {
	var r Reason
	if s, ok := asString(text); ok {
		r.Message = s
		return r
	}
	// A member of an odd type hides nothing but itself: what was read before the error stays.
	var list []jsontext.Value
	if json.Unmarshal(text, &list) == nil && len(list) > 0 {
		return ParseReason(list[0])
	}
	var f reasonFields
	_ = json.Unmarshal(text, &f)
	r.Type, _ = asString(f.Type)
	r.Code, _ = asString(f.Code)
	r.Param, _ = asString(f.Param)
	r.Message, _ = asString(f.Message)
	status, _ := asString(f.Status)
	details, _ := asString(f.Details.Code)
	r.Type = cmp.Or(r.Type, status)
	r.Code = cmp.Or(details, r.Code)
	if raw, ok := asString(f.Metadata.Raw); ok {
		r.Message += ": " + raw
	}
	if r.Message != "" {
		return r
	}
	var c complaint
	_ = json.Unmarshal(text, &c)
	for _, inner := range []jsontext.Value{c.Error, c.Detail, c.Message} {
		if len(inner) > 0 && string(inner) != "null" {
			return ParseReason(inner)
		}
	}
	return r
}

// asString returns a JSON string, or a number as it is written.
func asString(v jsontext.Value) (string, bool) {
	switch v.Kind() {
	case '"':
		var s string
		err := json.Unmarshal(v, &s, jsontext.AllowInvalidUTF8(true))
		return s, err == nil
	case '0':
		return string(v), true
	}
	return "", false
}

// Failure makes an error of a status and the body that came with it.
func (x *Exchange) Failure(status int, body []byte) *model.Error {
	text := strings.TrimSpace(string(body))
	var r Reason
	var envelope complaint
	switch {
	case jsontext.Value(text).IsValid():
		_ = json.Unmarshal([]byte(text), &envelope)
		r = ParseReason([]byte(text))
		if len(envelope.Error) > 0 && string(envelope.Error) != "null" {
			r = ParseReason(envelope.Error)
		}
	case strings.HasPrefix(text, "<"):
		r.Message = "an HTML page" + title(text)
	default:
		r.Message = text
	}
	r.Message = cmp.Or(r.Message, strings.ToLower(http.StatusText(status)), "no reason given")
	e := x.Because(status, r)
	e.RequestID = Plain(envelope.ID, 128)
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

// kindOf judges by status and by the words that vendors use for the same thing.
func kindOf(status int, r Reason) model.ErrorKind {
	words := strings.ToLower(r.Type + " " + r.Code + " " + r.Message)
	if (status == 0 || status == 400 || status == 413 || status == 422 || status == 500) && isOverflow(words) {
		return model.ErrOverflow
	}
	if (status == 0 || status >= 400 && status < 500) && mentions(words, "spend_limit", "insufficient_quota", "billing", "credit balance") {
		return model.ErrRefused
	}
	if k := kindOfStatus(status, words); k != "" {
		return k
	}
	switch {
	case mentions(words, "overloaded", "unavailable"):
		return model.ErrOverloaded
	case mentions(words, "rate_limit", "resource_exhausted"):
		return model.ErrRateLimit
	case mentions(words, "authentication_error", "invalid_api_key"):
		return model.ErrAuth
	case mentions(words, "permission", "content_policy", "policy_violation"):
		return model.ErrRefused
	case mentions(words, "invalid_request", "invalid_prompt", "not_found", "invalid_image"):
		return model.ErrInvalid
	}
	return model.ErrServer
}

func kindOfStatus(status int, words string) model.ErrorKind {
	aboutKey := mentions(words, "api key", "api_key", "authentication", "credentials")
	switch {
	case status < 300: // what counts are the words
		return ""
	case status == 401, (status == 400 || status == 403) && aboutKey:
		return model.ErrAuth
	case status == 402, status == 403, status == 451:
		return model.ErrRefused
	case status == 408:
		return model.ErrNetwork
	case status == 409:
		return model.ErrServer
	case status == 413:
		return model.ErrOverflow
	case status == 429:
		return model.ErrRateLimit
	case status == 503, status == 529:
		return model.ErrOverloaded
	case status >= 500:
		return model.ErrServer
	}
	return model.ErrInvalid
}

func mentions(words string, any ...string) bool {
	for _, w := range any {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// isOverflow knows the words of vendors and of the programs that people run models with.
func isOverflow(words string) bool {
	return mentions(words,
		"prompt is too long", "exceed context limit", "request_too_large", // Anthropic
		"context_length_exceeded", "maximum context length", "exceeds the context window", // OpenAI, vLLM, DeepSeek, OpenRouter
		"exceeds the maximum number of tokens",                      // Gemini
		"maximum prompt length",                                     // xAI
		"reduce the length of the messages",                         // Groq
		"input is too long",                                         // Bedrock
		"exceeds the available context size", "exceed_context_size", // llama.cpp
		"exceeded max context length", "context length exceeded", // Ollama
		"longer than the maximum model length",                          // vLLM
		"greater than the context length",                               // LM Studio
		"exceeded model token limit", "exceeds the model's token limit", // Kimi
		"context window exceeds limit", // MiniMax
		"too large for model with",     // Mistral
	)
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

// NameTool sets the tool that a refusal is about when it names it but does not count: "function 'x'".
func NameTool(err error, tools []model.Tool) {
	e, ok := err.(*model.Error)
	if !ok || e.Kind != model.ErrInvalid || e.Tool != 0 {
		if ok && e.Tool > len(tools) {
			e.Tool = 0
		}
		return
	}
	found := regexp.MustCompile(`(?i)(?:function|tool) ['"` + "`" + `]([A-Za-z0-9_-]{1,64})['"` + "`" + `]`).FindStringSubmatch(e.Message)
	for i, t := range tools {
		if found != nil && t.Name == found[1] {
			e.Tool = i + 1
		}
	}
}

// retryAfter reads how long a vendor asks to wait: milliseconds, seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return bounded(ms * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return bounded(s * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	// The server's own clock says what it means, when it tells the time.
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return bounded(float64(at.Sub(now)))
}

// bounded keeps a wait between nothing and a day.
func bounded(d float64) time.Duration {
	if !(d > 0) {
		return 0
	}
	return time.Duration(min(d, float64(24*time.Hour)))
}
