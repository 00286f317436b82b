// Command demo shows Elyra's idea in one go: it builds the example CRM, opens its window when there
// is a display, and plays an MCP client that works in it through `crm --mcp`. Nothing in it is
// simulated but the model: the client speaks the protocol to the real binary, and the data is in
// the CRM's own SQLite file, which the next run still has.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	fast := flag.Bool("fast", false, "do not pause between the steps for somebody who watches the window")
	keep := flag.Bool("keep", false, "leave the window open until it is closed or this program is interrupted")
	headless := flag.Bool("headless", false, "open no window even if there is a display")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *fast, *keep, *headless); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, fast, keep, headless bool) (err error) {
	fmt.Println("Elyra: an agent works in a running app, and its user watches.")
	fmt.Println()
	began := time.Now()
	binary, err := build(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("Built the example CRM in %.1f s: %s\n", time.Since(began).Seconds(), binary)

	began = time.Now()
	app, alreadyOpen, how, err := open(ctx, binary, headless)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := app.close(); err == nil {
			err = closeErr
		}
	}()
	fmt.Println(how)
	fmt.Println()
	s := &story{binary: binary, watched: app != nil || alreadyOpen}
	if s.watched && !fast {
		s.pause = 900 * time.Millisecond
	}
	if err := s.tell(ctx); err != nil {
		return err
	}
	fmt.Printf("\nThat took %.2f s, %.1f s of it pauses for whoever watches.\n", time.Since(began).Seconds(), s.paused.Seconds())
	if err := printConfig(binary); err != nil {
		return err
	}
	if keep && app != nil {
		fmt.Println("\nThe window stays open until you close it.")
		return app.wait(ctx)
	}
	return nil
}

// build compiles the CRM into the user's cache folder, where it stays for the configuration that is
// printed at the end.
func build(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a place for the binary: %w", err)
	}
	binary := filepath.Join(cache, "elyra-demo", "crm")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/elyra-go/elyra/examples/crm")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build the CRM (run this from the repository): %w", err)
	}
	return binary, nil
}

// printConfig ends the transcript with what somebody pastes into an MCP client of their own.
func printConfig(binary string) error {
	type server struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env,omitempty"`
	}
	crm := server{Command: binary, Args: []string{"--mcp"}}
	if url := os.Getenv("DATABASE_URL"); url != "" {
		crm.Env = map[string]string{"DATABASE_URL": url}
	}
	config := map[string]any{"mcpServers": map[string]any{"crm": crm}}
	text, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return err
	}
	fmt.Printf("\nNow with your own agent. Open the CRM with\n\n  %s\n\nand paste this into your client's MCP configuration:\n\n%s\n\n"+
		"or, for Claude Code:\n\n  claude mcp add crm -- %s --mcp\n", binary, text, binary)
	return nil
}
