// Package vendor makes providers: it knows which adapter speaks to which vendor of the catalogue.
//
// It owns no state and reads no environment; keys are given to it. It promises that a provider that cannot work is refused
// when it is made, with an error that says what to do.
package vendor

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/anthropic"
	"github.com/elyra-go/elyra/agent/internal/model/openai"
)

// Config is what a user configures of a vendor.
type Config struct {
	BaseURL string            // "": the catalogue's
	Key     string            // may be empty where a vendor runs on this machine
	HTTP    *http.Client      // nil: the default transport, which obeys the environment's proxies
	Headers map[string]string // besides the catalogue's
	Idle    time.Duration     // how long a stream may be silent; 0: 5 min
}

// NewProvider returns the provider for a vendor of the catalogue. It sends each request once: see model.Retry.
func NewProvider(c *model.Catalog, name string, o Config) (model.Provider, error) {
	v, err := c.Vendor(name)
	if err != nil {
		return nil, err
	}
	base := o.BaseURL
	if base == "" {
		base = v.BaseURL
	}
	if v.API == "" {
		return nil, fmt.Errorf("use vendor %s: its API is not spoken here; a gateway that offers Chat Completions is: set api and baseUrl", name)
	}
	if base == "" {
		return nil, fmt.Errorf("use vendor %s: it has no base URL; set baseUrl%s", name, orVariable(v.BaseURLVariable))
	}
	local, err := checkURL(base)
	if err != nil {
		return nil, fmt.Errorf("use vendor %s: %w", name, err)
	}
	if o.Key == "" && !local {
		variable := v.KeyVariable
		if variable == "" {
			variable = "an environment variable and name it by keyVariable"
		}
		return nil, &model.Error{
			Kind:    model.ErrAuth,
			Message: fmt.Sprintf("%s: there is no key; set %s or run: elyra auth set %s", name, variable, name),
		}
	}
	headers := map[string]string{}
	for _, from := range []map[string]string{v.Headers, o.Headers} {
		for name, value := range from {
			headers[name] = value
		}
	}
	if v.API == model.APIAnthropic {
		return anthropic.New(anthropic.Options{
			Vendor: v.ID, BaseURL: base, Key: o.Key, HTTP: o.HTTP, Headers: headers, Idle: o.Idle,
		}), nil
	}
	options := openai.Options{Vendor: v.ID, BaseURL: base, Key: o.Key, HTTP: o.HTTP, Headers: headers, Idle: o.Idle}
	if v.API == model.APIOpenAI {
		return openai.NewResponses(options), nil
	}
	return openai.NewChat(options), nil
}

func orVariable(variable string) string {
	if variable == "" {
		return ""
	}
	return " or " + variable
}

// checkURL refuses what is no web address and reports whether it is on this machine or in its network: there, a key may
// be missing and the connection unencrypted.
func checkURL(base string) (local bool, err error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false, fmt.Errorf("base URL %.200q is no http or https address", base)
	}
	if u.User != nil {
		return false, fmt.Errorf("base URL of %s has a user in it; set a header instead", u.Host)
	}
	ip := net.ParseIP(u.Hostname())
	local = u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".local") || !strings.Contains(u.Hostname(), ".") && ip == nil ||
		ip != nil && (ip.IsLoopback() || ip.IsPrivate())
	if u.Scheme == "http" && !local {
		return false, fmt.Errorf("base URL of %s is not https: the key would be readable on the way", u.Host)
	}
	return local, nil
}
