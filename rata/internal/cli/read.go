package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/terminal"
)

type readCommand struct {
	agentFlags
	URI string `arg:"" name:"uri" help:"Address of the resource, like app://customers_show/12."`
}

func (c *readCommand) Run(r *run) error {
	return usage(c.connect(r, mcpclient.Options{}, func(ctx context.Context, client *mcpclient.Client) error {
		texts, err := read(ctx, client, c.URI)
		if err != nil {
			return refused(r, err)
		}
		for _, text := range texts {
			if pretty := jsontext.Value(text); pretty.IsValid() {
				if err := pretty.Indent(jsontext.WithIndent("  ")); err == nil {
					text = string(pretty)
				}
			}
			if _, err := fmt.Fprintln(r.Stdout, terminal.Visible(text)); err != nil {
				return err
			}
		}
		return nil
	}))
}

// read returns the parts of a resource as text.
func read(ctx context.Context, client *mcpclient.Client, uri string) ([]string, error) {
	raw, err := client.Request(ctx, mcp.MethodReadResource, map[string]string{"uri": uri})
	if err != nil {
		return nil, err
	}
	var result mcp.ReadResourceResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, fmt.Errorf("read what the app sent: %w", err)
	}
	var texts []string
	for _, part := range result.Contents {
		if part.Blob != nil {
			texts = append(texts, fmt.Sprintf("[%d bytes of %s]", len(part.Blob), part.MIMEType))
		} else {
			texts = append(texts, part.Text)
		}
	}
	return texts, nil
}

// refused shows an answer of the app that is an error, which has exit code 1; other errors are
// returned.
func refused(r *run, err error) error {
	answer, ok := errors.AsType[*mcp.Error](err)
	if !ok {
		return err
	}
	fmt.Fprintln(r.Stderr, terminal.Visible(answer.Message))
	return &exitError{code: exitFailed}
}

type watchCommand struct {
	agentFlags
	Count int    `help:"End after this many lines. Default: when interrupted." placeholder:"N"`
	URI   string `arg:"" name:"uri" help:"Address of the resource, like app://customers_index."`
}

func (c *watchCommand) Run(r *run) error {
	if c.Count < 0 {
		return usageError("--count is %d: want how many lines to print", c.Count)
	}
	changes := make(chan struct{}, 1)
	told := func(method string, params jsontext.Value) {
		var p mcp.ResourceUpdated
		if method != mcp.NotifyResourceUpdated || json.Unmarshal(params, &p) != nil || p.URI != c.URI {
			return
		}
		select {
		case changes <- struct{}{}:
		default: // the next read sees both changes
		}
	}
	return usage(c.connect(r, mcpclient.Options{OnNotification: told}, func(ctx context.Context, client *mcpclient.Client) error {
		ended, err := subscribe(ctx, client, c.URI, told)
		if err == nil {
			err = c.follow(r, client, changes, ended)
		}
		if r.ctx.Err() != nil {
			return nil // interrupted, which is how watching ends
		}
		return refused(r, err)
	}))
}

// subscribe has the app tell of changes, in the way of the era. The channel is closed when the app
// ends that; it is nil when only the connection can end.
func subscribe(ctx context.Context, client *mcpclient.Client, uri string, told func(string, jsontext.Value)) (ended <-chan struct{}, err error) {
	if !mcp.Modern(client.Version()) {
		_, err := client.Request(ctx, mcp.MethodSubscribe, map[string]string{"uri": uri})
		return nil, err
	}
	s, err := client.Listen(ctx, mcp.SubscriptionFilter{ResourceSubscriptions: []string{uri}}, told)
	if err != nil {
		return nil, err
	}
	if len(s.Filter().ResourceSubscriptions) == 0 {
		if _, err := read(ctx, client, uri); err != nil { // which says why not
			return nil, err
		}
		return nil, errors.New("the app does not tell of changes of " + uri)
	}
	return s.Done(), nil
}

// follow prints the resource as it is, and again whenever it has changed: each time one line.
func (c *watchCommand) follow(r *run, client *mcpclient.Client, changes, ended <-chan struct{}) error {
	for n := 1; ; n++ {
		texts, err := read(r.ctx, client, c.URI)
		line := terminal.OneLine(strings.Join(texts, " "))
		if answer, ok := errors.AsType[*mcp.Error](err); ok && n > 1 {
			line, err = "error: "+terminal.OneLine(answer.Message), nil // it may be well again later
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(r.Stdout, terminal.Visible(line)); err != nil {
			return err
		}
		if n == c.Count {
			return nil
		}
		select {
		case <-changes:
		case <-ended:
			return errors.New("the app ended the subscription")
		case <-r.ctx.Done():
			return nil
		}
	}
}
