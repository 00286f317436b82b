package mcpschema

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// notice is what any notification may say about the request that it belongs to.
type notice struct {
	Meta      map[string]jsontext.Value `json:"_meta"`
	RequestID jsontext.Value            `json:"requestId"`
	Token     jsontext.Value            `json:"progressToken"`
	Progress  *float64                  `json:"progress"`
	Level     string                    `json:"level"`
}

// notification judges a notification by its method, and by the request that it names.
func (c *Checker) notification(m wire.Message, line []byte, revision string, fromServer bool) error {
	var n notice
	if m.Params != nil {
		// What cannot be read has a definition that says so better.
		_ = json.Unmarshal(m.Params, &n, jsontext.AllowDuplicateNames(true))
	}
	version, err := c.noticed(m.Method, n, fromServer)
	if err != nil {
		return err
	}
	if revision != "" {
		version = revision
	}
	rev, err := find(version)
	if err != nil {
		return err
	}
	definition := rev.sent(fromServer).notifications[m.Method]
	if definition == "" {
		return fmt.Errorf("a notification %q, which %s does not have", m.Method, rev.name)
	}
	return rev.validate(definition, line)
}

// noticed applies a notification to the request that it names, and returns the revision of both.
func (c *Checker) noticed(method string, n notice, fromServer bool) (string, error) {
	side := client
	if fromServer {
		side = server
	}
	switch subscription := n.Meta[mcp.MetaSubscriptionID]; {
	case method == mcp.NotifyCancelled:
		return c.cancelled(side, string(n.RequestID)), nil
	case fromServer && subscription != nil:
		return mcp.V2026_07_28, c.subscribed(method, string(subscription))
	case fromServer && method == mcp.NotifyProgress:
		r := c.reported(n.Token)
		if r == nil {
			return "", fmt.Errorf("progress of %s, which is the token of no request in flight", n.Token)
		}
		if n.Progress != nil && r.progress != nil && *n.Progress <= *r.progress {
			return "", fmt.Errorf("progress of %v after %v", *n.Progress, *r.progress)
		}
		r.progress = n.Progress
		return r.version, nil
	case fromServer && method == mcp.NotifyMessage && c.session == "":
		return mcp.V2026_07_28, c.logged(n.Level)
	case fromServer && c.session == "":
		return mcp.V2026_07_28, errors.New("a notification of no subscription on a connection that was not initialized")
	}
	return c.or(""), nil
}

// cancelled marks what one side cancelled: a request of its own, or as a server a subscription.
func (c *Checker) cancelled(side int, id string) string {
	version := ""
	for _, r := range c.asked[side][id] {
		r.cancelled = true
		version = r.version
	}
	if version == "" && side == server {
		for _, r := range c.asked[client][id] {
			if r.method == mcp.MethodListen {
				version = r.version
			}
		}
	}
	return c.or(version)
}

// subscribed checks that a subscription is open, and that its acknowledgement comes first.
func (c *Checker) subscribed(method, id string) error {
	list := c.asked[client][id]
	i := slices.IndexFunc(list, func(r *request) bool { return r.method == mcp.MethodListen })
	switch {
	case i < 0:
		return fmt.Errorf("a notification of the subscription %s, which is not open", id)
	case method == mcp.NotifyAcknowledged:
		list[i].acknowledged = true
	case !list[i].acknowledged:
		return fmt.Errorf("a notification of the subscription %s before its acknowledgement", id)
	}
	return nil
}

// logged checks that a modern request in flight wants messages of a level. A legacy server may send
// them without being asked.
func (c *Checker) logged(level string) error {
	for _, list := range c.asked[client] {
		for _, r := range list {
			if r.level > 0 && r.level <= mcp.Severity(level) {
				return nil
			}
		}
	}
	return fmt.Errorf("a message of the level %q to the log, which no request in flight asks for", level)
}

// reported returns the client's request whose progress has the token.
func (c *Checker) reported(token jsontext.Value) *request {
	for _, list := range c.asked[client] {
		for _, r := range list {
			if r.token != nil && string(r.token) == string(token) {
				return r
			}
		}
	}
	return nil
}
