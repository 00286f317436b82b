package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpclient/streamable"
)

// conformance is a client under test of the conformance suite: it logs in when that is needed, and calls each tool. Given
// is what the suite says about a client that was registered by hand, JSON or nothing.
func conformance(ctx context.Context, url, given string) error {
	var registered struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	if given != "" {
		if err := json.Unmarshal([]byte(given), &registered); err != nil {
			return fmt.Errorf("read the suite's context: %w", err)
		}
	}
	folder, err := os.MkdirTemp("", "elyra-conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	dir, err := home.Open(folder)
	if err != nil {
		return err
	}
	session, err := oauth.New(dir).Session(oauth.Options{
		Name: "conformance", Identity: "user", URL: url, ClientID: registered.ID, ClientSecret: registered.Secret,
		ClientDocument: "https://conformance-test.local/client-metadata.json",
		Log:            slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Offer: func(context.Context, []string) (oauth.LoginOptions, bool) {
			return oauth.LoginOptions{Open: oauth.Browser(runtime.GOOS, nil), Timeout: 5 * time.Second}, true
		},
	})
	if err != nil {
		return err
	}
	defer session.Close()
	t, err := streamable.New(streamable.Options{URL: url, Auth: session})
	if err != nil {
		return err
	}
	c, err := mcpclient.Connect(ctx, t, mcpclient.Options{})
	if err != nil {
		return err
	}
	defer c.Close()
	tools, err := c.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, tool := range tools {
		if _, err := c.CallTool(ctx, tool.Name, map[string]any{}, mcpclient.CallOptions{}); err != nil {
			return err
		}
	}
	return nil
}
