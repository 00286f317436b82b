package elyra

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/elyra-go/elyra/window"
)

// How many confirmations may wait for the app's dialog: of one client, and of all, since a client
// can call itself anything.
const (
	maxDialogsPerClient = 3
	maxDialogs          = 12
)

// dialogs counts the confirmations that wait for the app's dialog. The zero value has none.
type dialogs struct {
	mu     sync.Mutex
	all    int
	client map[string]int
}

// enter takes a place; leave gives it back.
func (d *dialogs) enter(client string) (leave func(), err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all >= maxDialogs || d.client[client] >= maxDialogsPerClient {
		return nil, errors.New("too many confirmations wait for the user already: wait until they are answered")
	}
	if d.client == nil {
		d.client = map[string]int{}
	}
	d.all++
	d.client[client]++
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.all--
		if d.client[client]--; d.client[client] == 0 {
			delete(d.client, client)
		}
	}, nil
}

// confirmedInApp asks in a native dialog of the running app.
func (c *toolCatalog) confirmedInApp(ctx context.Context, a *ask) error {
	asker, ok := c.instance.shown().(window.Asker)
	if !ok {
		return fmt.Errorf("%s is confirmed in the app's own window, and the app is not open: nothing was changed; ask the user to open it, then try again", a.tool.name)
	}
	leave, err := c.dialogs.enter(a.origin.Client)
	if err != nil {
		return err
	}
	defer leave()
	return a.call.Await(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeoutCause(ctx, askTimeout, errNoAnswer)
		defer cancel()
		return c.untilStable(ctx, a, func(question string) error {
			ok, err := asker.Ask(ctx, window.Question{
				Title: c.instance.app.title(c.instance.env.AppID), Text: question, Accept: "Allow", Refuse: "Cancel",
			})
			switch {
			case err != nil && errors.Is(context.Cause(ctx), errNoAnswer):
				return errNoAnswer
			case err != nil:
				return fmt.Errorf("the app could not ask its user, so nothing was changed: %w", err)
			case !ok:
				return errDeclined
			}
			return nil
		})
	})
}
