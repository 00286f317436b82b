package elyra

import (
	"context"
	"errors"
	"io/fs"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/internal/bridge"
	"github.com/elyra-go/elyra/window"
)

// runWindows shows the app's windows until the last one closes or ctx ends.
func (in *Instance) runWindows(ctx context.Context, backend window.Backend) error {
	var options []window.Options
	var assets fs.FS
	for _, w := range in.app.windowList(in.env.AppID) {
		if assets == nil {
			assets = w.Assets
		}
		options = append(options, window.Options{ID: w.ID, Title: w.Title, Width: w.Width, Height: w.Height})
	}
	if len(options) == 0 {
		return errors.New("open windows: the app describes none: call App.Window, or start it with --headless or --mcp")
	}
	b := bridge.New(bridge.Options{App: page{in}, Assets: assets, Rand: in.env.Rand, Log: in.log})
	defer b.Close()
	if asker, ok := backend.(window.Asker); ok {
		in.setAsker(asker)
		defer in.setAsker(nil)
	}
	return backend.Run(ctx, b, options)
}

// page is what the page of a window may do with the app.
type page struct{ instance *Instance }

func (p page) Call(ctx context.Context, windowID, command string, args []byte) ([]byte, error) {
	return p.instance.Call(ctx, Frontend{Window: windowID}, command, args)
}

func (p page) Subscribe(windowID, command string, args []byte) (bridge.Live, error) {
	q, err := p.instance.Live(Frontend{Window: windowID}, command, args)
	if err != nil {
		return nil, err // a nil *LiveQuery in the interface would not be nil
	}
	return q, nil
}

func (p page) Channels(string) (<-chan bridge.Message, func()) { return p.instance.channels.listen() }

// errorBody is an error as the runtime in a page reads it.
type errorBody struct {
	Error struct {
		Kind    string              `json:"kind"`
		Message string              `json:"message"`
		Fields  map[string][]string `json:"fields,omitempty"`
		Ability string              `json:"ability,omitempty"`
	} `json:"error"`
}

// DescribeError returns the status and the body that tell a page of err.
func (p page) DescribeError(err error) (status int, body []byte) {
	var b errorBody
	status, b.Error.Kind, b.Error.Message = 400, "command", err.Error()
	if bag, ok := errors.AsType[ValidationError](err); ok {
		status, b.Error.Kind, b.Error.Fields = 422, "validation", bag
	} else if refused, ok := errors.AsType[*NotAllowedError](err); ok {
		status, b.Error.Kind, b.Error.Ability = 403, "notAllowed", refused.Ability
	} else if _, ok := errors.AsType[*UnknownCommandError](err); ok {
		status, b.Error.Kind = 404, "unknownCommand"
	} else if hidden, ok := errors.AsType[*hiddenError](err); ok {
		status, b.Error.Kind = 500, "internal"
		if p.instance.env.Getenv("ELYRA_DEV") == "1" {
			b.Error.Message += ": " + hidden.cause.Error()
		}
	} else if errors.Is(err, errStopped) {
		status, b.Error.Kind = 503, "stopped"
	}
	body, encodeErr := json.Marshal(b, json.Deterministic(true))
	if encodeErr != nil { // the message is not valid UTF-8
		return 500, []byte(`{"error":{"kind":"internal","message":"the error has no readable text"}}`)
	}
	return status, body
}
