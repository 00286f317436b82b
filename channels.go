package elyra

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/elyra-go/elyra/internal/bridge"
	"github.com/elyra-go/elyra/internal/typegraph"
)

// agentChannel carries an [AgentActivity] for the start and the end of every call of an agent.
const agentChannel = "elyra:mcp"

// channelBacklog is how many messages a listener of the channels may be behind.
const channelBacklog = 256

// AgentActivity is what the channel elyra:mcp carries.
type AgentActivity struct {
	// Phase is "started" or "finished".
	Phase string `json:"phase"`
	// ID is the same for the two phases of a call.
	ID int64 `json:"id"`
	// Kind is "tool" for a call, "resource" when a live command was read as a resource, or "prompt".
	Kind string `json:"kind"`
	// Tool is the name of the command or prompt, Client the agent's, as it says.
	Tool   string `json:"tool"`
	Client string `json:"client"`
	// OK reports success, Millis the duration; both only when finished.
	OK     *bool  `json:"ok,omitempty"`
	Millis *int64 `json:"millis,omitempty"`
}

// ChannelMessage is one message to the app's windows: the channel's name and the message as JSON.
type ChannelMessage = bridge.Message

// Emit sends v, as JSON, to all windows on a channel: pages receive it with channel(name) of the
// runtime. A window that is too far behind loses messages rather than stopping the app.
func Emit(ctx context.Context, channel string, v any) error {
	c := callOf(ctx)
	if c == nil {
		return fmt.Errorf("emit on %q: this context belongs to no call; use the one that the command was given", channel)
	}
	return c.instance.channels.emit(channel, v)
}

// channelHub fans messages out to whoever listens. The zero value has no listener.
type channelHub struct {
	log *slog.Logger

	mu        sync.Mutex
	listeners map[chan ChannelMessage]bool // true: has lost messages since it last kept up
}

// heard reports whether anybody listens.
func (h *channelHub) heard() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.listeners) > 0
}

func (h *channelHub) emit(channel string, v any) error {
	if channel == "" {
		return errors.New("emit: a channel needs a name")
	}
	value, err := typegraph.Encode(v)
	if err != nil {
		return fmt.Errorf("emit on %q: %w", channel, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for l, losing := range h.listeners {
		select {
		case l <- ChannelMessage{Channel: channel, Value: value}:
			h.listeners[l] = false
		default:
			if !losing {
				h.log.Warn("a window does not keep up and loses channel messages", "channel", channel)
			}
			h.listeners[l] = true
		}
	}
	return nil
}

// listen returns the messages emitted from now on; stop ends it and closes the channel.
func (h *channelHub) listen() (messages <-chan ChannelMessage, stop func()) {
	l := make(chan ChannelMessage, channelBacklog)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = map[chan ChannelMessage]bool{}
	}
	h.listeners[l] = false
	return l, sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.listeners, l)
		close(l)
	})
}
