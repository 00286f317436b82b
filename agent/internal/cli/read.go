package cli

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/internal/terminal"
)

type readCommand struct {
	projectFlags

	Server string `arg:"" help:"Name of the server."`
	URI    string `arg:"" optional:"" help:"The resource's URI. Default: list what there is to read."`
	JSON   bool   `name:"json" help:"Print the result as JSON."`
}

func (c *readCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	return s.with(func(ctx context.Context, h *host.Host) error {
		if c.URI == "" {
			return c.list(ctx, r, h)
		}
		raw, err := h.ReadResource(ctx, c.Server, c.URI)
		if err != nil {
			return fmt.Errorf("read %s: %w", c.URI, err)
		}
		if c.JSON {
			return printJSON(r.Stdout, raw)
		}
		return writeContents(r, raw)
	})
}

// list prints the resources and templates of the server.
func (c *readCommand) list(ctx context.Context, r *run, h *host.Host) error {
	listing, err := h.Listing(ctx, c.Server)
	if err != nil {
		return err
	}
	line := func(uri, description string) {
		fmt.Fprintf(r.Stdout, "%s  %s\n", terminal.OneLine(terminal.Visible(uri)), terminal.FirstLine(terminal.Visible(description)))
	}
	for _, res := range listing.Resources {
		line(res.URI, res.Description)
	}
	for _, t := range listing.Templates {
		line(t.URITemplate, t.Description)
	}
	if len(listing.Resources)+len(listing.Templates) == 0 {
		return fmt.Errorf("server %q has no resources", c.Server)
	}
	return nil
}

// writeContents prints texts as they are but for control characters, and bytes as they are.
func writeContents(r *run, raw jsontext.Value) error {
	var result struct {
		Contents []struct {
			Text *string `json:"text"`
			Blob *string `json:"blob"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return fmt.Errorf("the server's answer cannot be used: %w", err)
	}
	for _, c := range result.Contents {
		var err error
		switch {
		case c.Text != nil:
			_, err = fmt.Fprintln(r.Stdout, terminal.Visible(*c.Text))
		case c.Blob != nil:
			var bytes []byte
			if bytes, err = base64.StdEncoding.DecodeString(*c.Blob); err == nil {
				_, err = r.Stdout.Write(bytes)
			}
		}
		if err != nil {
			return fmt.Errorf("print the resource: %w", err)
		}
	}
	return nil
}
