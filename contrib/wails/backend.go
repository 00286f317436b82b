//go:build (windows || (darwin && cgo) || (linux && cgo && gtk3)) && !ios && !android

package wails

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/wailsapp/wails/v3/pkg/application"
	"github.com/wailsapp/wails/v3/pkg/events"

	"github.com/elyra-go/elyra/window"
)

type backend struct {
	options Options
	streams bool                    // see pages.Options
	running atomic.Pointer[session] // the Run in progress, once its windows are open
}

// New gives a backend over Wails.
func New(o Options) window.Backend { return &backend{options: o.withDefaults(), streams: canStream} }

func (b *backend) Name() string { return "wails" }

func (b *backend) Run(ctx context.Context, h window.Host, windows []window.Options) error {
	checked, err := window.Checked(windows)
	if err != nil {
		return err
	}
	if err := available(b.options.Getenv); err != nil {
		return err
	}
	if application.Get() != nil {
		return errors.New("run windows: Wails can run once in a process, and it has; start the program again")
	}
	s := newSession(b, h)
	s.app = application.New(s.appOptions(checked[0].Icon))
	finished := make(chan struct{})
	var begun atomic.Bool
	s.app.Event.OnApplicationEvent(events.Common.ApplicationStarted, func(*application.ApplicationEvent) {
		if begun.Swap(true) {
			return
		}
		defer close(finished)
		s.run(ctx, checked, func() { b.running.Store(s) })
	})
	err = s.app.Run()
	b.running.Store(nil)
	if !begun.Load() {
		return fmt.Errorf("run windows: Wails stopped before it had started: %v", err)
	}
	// Wails ends its loop because the session said so, which is the last thing that it does, or because it broke.
	if !s.quitting.Load() {
		s.abandon()
		return fmt.Errorf("run windows: Wails stopped: %v", err)
	}
	<-finished
	return nil
}
