package shim

import (
	"bytes"

	"github.com/elyra-go/elyra/internal/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// messages calls each for the message of a piece, or for every message of a batch. Lines that are not
// messages are passed over: whoever serves refuses them.
func messages(p piece, each func(m wire.Message, raw []byte)) {
	line := bytes.TrimSpace(p.data)
	switch {
	case !p.first || len(line) == 0:
	case line[0] == '[':
		batch, _ := wire.ParseBatch(line, wire.Limits{})
		for _, raw := range batch {
			each(peek(raw), raw)
		}
	default:
		each(peek(line), line)
	}
}

// peek reads what the shim needs of a message and stops there, because most of a long message is the
// arguments or the result of a call, which whoever serves checks. Params are read, and the whole line is
// checked, only for the methods whose params matter here.
func peek(line []byte) wire.Message {
	var m wire.Message
	wire.Members(line, func(name []byte, value jsontext.Value) bool {
		switch string(name) {
		case "id":
			// The rest of the line is not checked, so that the id may be cut off: it must not be repeated then.
			if wire.ValidID(value) && value.IsValid() {
				m.ID = value
			}
		case "method":
			m.Method, _ = wire.Text(value)
		case "result":
			m.Result = value
		case "error":
			m.Error = new(wire.Error)
		}
		return m.ID == nil || m.Method == "" && m.Result == nil && m.Error == nil
	})
	switch m.Method {
	case "initialize", "resources/subscribe", "resources/unsubscribe", "notifications/cancelled":
		m, _ = wire.Parse(line, wire.Limits{})
	}
	return m
}

// member returns a member of checked params, nil when it is missing.
func member(params jsontext.Value, want string) (found jsontext.Value) {
	wire.Members(params, func(name []byte, value jsontext.Value) bool {
		if string(name) == want {
			found = value
		}
		return found == nil
	})
	return found
}
