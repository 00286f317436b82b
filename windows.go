package elyra

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/internal/bridge"
	"github.com/elyra-go/elyra/window"
)

// screen is what an instance knows of its windows. It is guarded by the instance's mutex.
type screen struct {
	backend window.Backend // nil while there are no windows
	opened  int            // how many windows were opened, to name the next one
}

// runWindows shows the app's windows until the last one closes or ctx ends.
func (in *Instance) runWindows(ctx context.Context, backend window.Backend) error {
	sizes := loadGeometry(in.env.DataDir, in.log)
	defer sizes.save()
	var options []window.Options
	var assets fs.FS
	for _, w := range in.app.windows {
		if assets == nil {
			assets = w.Assets
		}
		options = append(options, sizes.apply(in.windowOptions(w)))
	}
	if len(options) == 0 {
		return errors.New("open windows: the app describes none: call App.Window, or start it with --headless or --mcp")
	}
	assets, developer, err := in.develop(assets)
	if err != nil {
		return err
	}
	files, _ := backend.(window.FileDialogs)
	notifier, _ := backend.(window.Notifier)
	b := bridge.New(bridge.Options{
		App: page{in}, Assets: assets, Developer: developer, Files: files, Notifier: notifier, Rand: in.env.Rand, Log: in.log,
	})
	defer b.Close()
	in.show(backend)
	defer in.show(nil)
	return backend.Run(ctx, host{b, sizes}, options)
}

// host is the bridge, with a memory for the sizes of windows.
type host struct {
	*bridge.Bridge
	*geometry
}

// shown returns what shows the windows, nil when there are none.
func (in *Instance) shown() window.Backend {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.screen.backend
}

func (in *Instance) show(b window.Backend) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.screen.backend = b
}

// windowOptions fills in what a window leaves out, and names it.
func (in *Instance) windowOptions(w Window) window.Options {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.screen.opened++
	if w.ID == "" && in.screen.opened == 1 {
		w.ID = "main"
	} else if w.ID == "" {
		w.ID = fmt.Sprintf("window%d", in.screen.opened)
	}
	if w.Title == "" {
		w.Title = in.app.title(in.env.AppID)
	}
	return window.Options{ID: w.ID, Title: w.Title, Width: w.Width, Height: w.Height, Icon: w.Icon}
}

// OpenWindow opens another window of the running app, or raises the one that has this ID already. It
// fails where the app has no window, and where the system's backend can open none at run time.
func OpenWindow(ctx context.Context, w Window) error {
	c := callOf(ctx)
	if c == nil {
		return errors.New("elyra.OpenWindow: this context belongs to no call; use the one that the command was given")
	}
	opener, ok := c.instance.shown().(window.Opener)
	if !ok {
		return errors.New("open window: the app runs without a window that could open another one")
	}
	o := c.instance.windowOptions(w)
	err := opener.Open(ctx, o)
	if errors.Is(err, window.ErrAlreadyOpen) {
		return opener.Raise(ctx, o.ID, "")
	}
	return err
}

// page is what the page of a window may do with the app.
type page struct{ instance *Instance }

func (p page) Call(ctx context.Context, windowID, command string, args []byte) ([]byte, error) {
	return p.instance.Call(ctx, Frontend{Window: windowID}, command, args)
}

// CallRaw implements bridge.RawCaller.
func (p page) CallRaw(ctx context.Context, windowID, command string, body []byte) ([]byte, error) {
	return p.instance.call(ctx, Frontend{Window: windowID}, command, p.instance.prepareRaw(body))
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
		if p.instance.env.development() {
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
