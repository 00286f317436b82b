package elyra

import (
	"context"
	"errors"
	"net"
	"os"
	"runtime/debug"

	"github.com/elyra-go/elyra/internal/endpoint"
)

// endpoint describes the way into the running app that configDir leads to.
func (e *Env) endpoint(configDir string) endpoint.Options {
	return endpoint.Options{
		AppID: e.AppID, Version: e.Version, BuildID: buildID(),
		Paths: endpoint.Paths{ConfigDir: configDir, RuntimeDir: e.RuntimeDir, TempDir: os.TempDir()},
		Rand:  e.Rand, Log: e.Log,
	}
}

// listen opens the endpoints that the app has: for agents, and for further starts where it shows
// windows. What it returns is to be closed also when there is an error.
//
// Where XDG_CONFIG_HOME moves the app's config folder, a client that starts the app without that
// variable looks in the folder that HOME alone gives: there is an endpoint for agents in each.
func (p *program) listen(ctx context.Context, in *Instance, headless bool) (listeners []*endpoint.Listener, err error) {
	if !headless {
		l, err := p.listenForStarts(ctx, in)
		if err != nil {
			return nil, err
		}
		listeners = append(listeners, l)
	}
	if in.server == nil {
		return listeners, nil
	}
	serve := func(ctx context.Context, conn net.Conn, peer endpoint.Peer) {
		if err := in.ServeMCP(ctx, conn, conn); err != nil && !errors.Is(err, context.Canceled) {
			p.env.Log.Warn("a connection to the app ended", "error", err)
		}
	}
	l, err := endpoint.Listen(ctx, p.env.endpoint(p.env.ConfigDir), serve)
	if err != nil {
		return listeners, err
	}
	listeners = append(listeners, l)
	if p.env.HomeConfigDir != p.env.ConfigDir && p.env.HomeConfigDir != "" {
		l, err := endpoint.Listen(ctx, p.env.endpoint(p.env.HomeConfigDir), serve)
		if err != nil {
			p.env.Log.Warn("clients started without XDG_CONFIG_HOME will not find this app", "error", err)
		} else {
			listeners = append(listeners, l)
		}
	}
	return listeners, nil
}

// buildID tells two builds of the app apart, as far as the build says: the revision of its source.
func buildID() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	id := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			id = s.Value
		}
		if s.Key == "vcs.modified" && s.Value == "true" {
			id += "+modified"
		}
	}
	return id
}
