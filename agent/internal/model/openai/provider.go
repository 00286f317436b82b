// Package openai speaks OpenAI's Responses API, and Chat Completions with all who offer that.
//
// It promises what package adapter does. The SDK reads no environment here and sends nothing twice: model.Retry does.
// Of the SDK it takes the Responses API and the reader of event streams. Chat Completions, which every server speaks with
// words of its own, has its own small types here: those of the SDK know none of these words and cost 14 MB of program.
// It must not import other adapters.
package openai

import (
	"net/http"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// Options say whom to speak to.
type Options struct {
	Vendor  string            // names the vendor in messages and in Thinking.Provider
	BaseURL string            // with /v1 or what the vendor has instead
	Key     string            // "": none is sent
	HTTP    *http.Client      // nil: the default transport, which obeys the environment's proxies
	Headers map[string]string // set on every request
	Idle    time.Duration     // how long the server may be silent; 0: adapter.DefaultIdle
}

func (o Options) exchange() *adapter.Exchange {
	return &adapter.Exchange{Vendor: o.Vendor, Key: o.Key, HTTP: o.HTTP, Idle: o.Idle, Header: o.Headers}
}

// NewResponses returns a provider that speaks the Responses API.
func NewResponses(o Options) model.Provider {
	x := o.exchange()
	settings := []option.RequestOption{
		option.WithBaseURL(strings.TrimRight(o.BaseURL, "/") + "/"), option.WithHTTPClient(x), option.WithMaxRetries(0),
	}
	if o.Key != "" {
		settings = append(settings, option.WithAPIKey(o.Key))
	}
	return &responder{vendor: o.Vendor, exchange: x, service: responses.NewResponseService(settings...)}
}

// NewChat returns a provider that speaks Chat Completions.
func NewChat(o Options) model.Provider {
	return &chat{options: o, exchange: o.exchange(), url: strings.TrimRight(o.BaseURL, "/") + "/chat/completions"}
}

// own reports whether a thought is of the vendor and model that a request goes to. What OpenAI and the brokers keep to
// themselves is of use to the same model only.
func own(r model.Request, m model.Message, t *model.Thinking) bool {
	return t.Provider == r.Model.Provider && m.Model == r.Model.String()
}
