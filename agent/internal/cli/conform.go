package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/terminal"
)

// conformanceCommand is the client that the protocol's conformance suite tests: it uses all that the server at URL offers,
// over the same host, logins and questions as every other command, with a person who agrees to everything. The suite says
// through the environment what it wants besides.
type conformanceCommand struct {
	URL string `arg:"" help:"The suite's server."`
}

// conformanceServer is the only server of the run.
const conformanceServer = "conformance"

func (c *conformanceCommand) Run(r *run) error {
	asked, err := r.conformanceContext()
	if err != nil {
		return err
	}
	// No run knows of another: each has a home of its own.
	folder, err := os.MkdirTemp("", "elyra-conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	dir, err := home.Open(folder)
	if err != nil {
		return err
	}
	login, err := conformanceLogin(r, dir, c.URL, asked)
	if err != nil {
		return err
	}
	defer login.Close() //nolint:errcheck // It only frees what the process had.
	asker := &terminal.Asker{Program: "elyra", Open: agreeing, Notices: r.Stderr}
	h := host.New(host.Options{
		Servers: []config.Server{{Name: conformanceServer, Scope: config.User, Transport: config.HTTP, URL: c.URL, Timeout: config.DefaultTimeout}},
		Home:    dir, Environ: r.Environ,
		Info:       mcp.Implementation{Name: "elyra", Title: "Elyra", Version: version()},
		Authorizer: func(config.Server) host.Authorizer { return login },
		Elicit:     asker.Ask,
	})
	err = use(r.ctx, h, asked)
	return errors.Join(err, h.Close())
}

// conformanceContext is what the suite tells a scenario's client.
type conformanceContext struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
	} `json:"toolCalls"`

	version string // the protocol version that the scenario is about, "" for any
}

func (e *Env) conformanceContext() (conformanceContext, error) {
	c := conformanceContext{version: e.getenv("MCP_CONFORMANCE_PROTOCOL_VERSION")}
	text := e.getenv("MCP_CONFORMANCE_CONTEXT")
	if text == "" {
		return c, nil
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return c, usageError("MCP_CONFORMANCE_CONTEXT cannot be read: %w", err)
	}
	return c, nil
}

// use lists what the server offers and uses each of it once.
func use(ctx context.Context, h *host.Host, asked conformanceContext) error {
	listing, err := h.Refresh(ctx, conformanceServer)
	if err != nil {
		return err
	}
	var errs []error
	if asked.version != "" && listing.Era != asked.version {
		errs = append(errs, fmt.Errorf("the protocol version is %s, want %s", listing.Era, asked.version))
	}
	for _, c := range asked.ToolCalls {
		errs = append(errs, useTool(ctx, h, c.Name, c.Arguments))
	}
	if len(asked.ToolCalls) == 0 {
		for _, t := range listing.Tools {
			errs = append(errs, useTool(ctx, h, t.Name, sample(t, listing.Tools)))
		}
	}
	for _, r := range listing.Resources {
		_, err := h.ReadResource(ctx, conformanceServer, r.URI)
		errs = append(errs, err)
	}
	for _, p := range listing.Prompts {
		_, err := h.Request(ctx, conformanceServer, mcp.MethodGetPrompt, map[string]string{"name": p.Name})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func useTool(ctx context.Context, h *host.Host, tool string, arguments jsontext.Value) error {
	result, err := h.Call(ctx, conformanceServer, tool, arguments, host.CallOptions{})
	if err == nil && result.IsError {
		err = fmt.Errorf("tool %q failed", tool)
	}
	return err
}

// sample makes arguments that a tool's schema allows. Where it wants an object of any kind, it gets the schema of another
// tool: the suite has a tool to see in which form schemas arrive.
func sample(t catalog.Tool, all []catalog.Tool) jsontext.Value {
	var schema struct {
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	if json.Unmarshal(t.InputSchema, &schema) != nil {
		return jsontext.Value(`{}`)
	}
	arguments := map[string]any{}
	for name, property := range schema.Properties {
		switch property.Type {
		case "string":
			arguments[name] = "text"
		case "integer", "number":
			arguments[name] = 7
		case "boolean":
			arguments[name] = true
		case "object":
			for _, other := range all {
				if other.Name != t.Name {
					arguments[name] = other.InputSchema
				}
			}
		}
	}
	text, err := json.Marshal(arguments, json.Deterministic(true))
	if err != nil {
		return jsontext.Value(`{}`)
	}
	return text
}
