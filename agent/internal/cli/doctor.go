package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/internal/terminal"
)

type doctorCommand struct {
	projectFlags

	Server string `arg:"" optional:"" help:"Name of the server. Default: all that are enabled."`
	JSON   bool   `name:"json" help:"Print JSON for scripts."`
}

// finding is what the doctor says of one server.
type finding struct {
	Server       string   `json:"server"`
	OK           bool     `json:"ok"`
	Tools        int      `json:"tools"`
	Milliseconds int64    `json:"milliseconds"` // from nothing to the list of tools
	Version      string   `json:"version,omitzero"`
	Problem      string   `json:"problem,omitzero"`
	Notes        []string `json:"notes,omitempty"`
}

func (c *doctorCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	servers := s.Enabled()
	if c.Server != "" {
		one, err := s.find(c.Server)
		if err != nil {
			return err
		}
		servers = []config.Server{one}
	}
	findings := make([]finding, len(servers))
	err = s.with(func(ctx context.Context, h *host.Host) error {
		each(servers, func(i int, one config.Server) { findings[i] = examine(ctx, h, one) })
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(r.Stdout, map[string]any{"servers": findings, "files": s.Servers.Files, "problems": s.Servers.Problems})
	} else {
		for _, f := range findings {
			f.print(r)
		}
		s.showFiles()
	}
	if err != nil {
		return err
	}
	problems := 0
	for _, p := range s.Servers.Problems {
		if p.Dropped && (c.Server == "" || c.Server == p.Server) { // The others are warnings, or about something else.
			problems++
		}
	}
	return verdict(findings, problems)
}

// examine starts a server from nothing and lists its tools.
func examine(ctx context.Context, h *host.Host, c config.Server) finding {
	f := finding{Server: c.Name}
	start := time.Now()
	listing, err := h.Refresh(ctx, c.Name)
	f.Milliseconds = time.Since(start).Milliseconds()
	if err != nil {
		f.Problem = err.Error()
		return f
	}
	f.OK, f.Tools, f.Version, f.Notes = true, len(listing.Tools), listing.Era, listing.Notes
	for _, q := range listing.Quarantined {
		f.Notes = append(f.Notes, fmt.Sprintf("%s is left out: %s", q.Name, q.Reason))
	}
	return f
}

func (f *finding) print(r *run) {
	name := terminal.OneLine(terminal.Visible(f.Server))
	if !f.OK {
		fmt.Fprintf(r.Stdout, "%s: not usable\n  %s\n", name, terminal.Visible(f.Problem))
		return
	}
	fmt.Fprintf(r.Stdout, "%s: ok, %d tools, protocol %s, %d ms\n", name, f.Tools, terminal.Visible(f.Version), f.Milliseconds)
	for _, n := range f.Notes {
		fmt.Fprintf(r.Stdout, "  %s\n", terminal.Visible(n))
	}
}

// verdict makes the exit code: 1 when a server cannot be used or the configuration has problems.
func verdict(findings []finding, problems int) error {
	bad := 0
	for _, f := range findings {
		if !f.OK {
			bad++
		}
	}
	if bad+problems == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d servers cannot be used, and the configuration has %d problems", bad, len(findings), problems)
}
