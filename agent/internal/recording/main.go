// Command recording plays a story at a real terminal and writes it down as an animated SVG, for the README.
//
// It builds elyra and the example CRM, gives them a home and a project of their own, and types what the story says. All of
// it is real but the model: modeltest says its part by a script. Nothing may import it, and nothing but the repository's
// own pictures may come of it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
)

func main() {
	out := flag.String("o", "docs/agent.svg", "where the picture goes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := record(ctx, *out); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

// record plays the story in a folder that is removed again.
func record(ctx context.Context, out string) (err error) {
	dir, err := os.MkdirTemp("", "elyra-recording-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	stage, err := build(ctx, dir)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(modelPart)
	if err != nil {
		return fmt.Errorf("the model's part: %w", err)
	}
	model, err := modeltest.Start(string(text))
	if err != nil {
		return fmt.Errorf("the model's part: %s: %w", modelPart, err)
	}
	stage.environ = append(stage.environ, "ANTHROPIC_BASE_URL="+strings.TrimSuffix(model.URL, "/v1"))
	frames, err := stage.play(ctx, story)
	for _, problem := range model.Close() {
		err = errors.Join(err, errors.New("the model's part: "+problem))
	}
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(picture(frames)), 0o644)
}

// stage is where a story plays.
type stage struct {
	program string // elyra
	project string
	environ []string
}

// build makes the programs, a home, and a project that the CRM is configured in and that is trusted.
func build(ctx context.Context, dir string) (*stage, error) {
	s := &stage{program: filepath.Join(dir, "bin", "elyra"), project: filepath.Join(dir, "home", "shop")}
	crm := filepath.Join(dir, "bin", "crm")
	for program, source := range map[string]string{s.program: "./agent/cmd/elyra", crm: "./examples/crm"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", program, source)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("build %s: %w", source, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(s.project, ".git"), 0o700); err != nil {
		return nil, err
	}
	const servers = `{"mcpServers": {"crm": {"command": "crm", "args": ["--mcp"]}}}`
	if err := os.WriteFile(filepath.Join(s.project, ".mcp.json"), []byte(servers), 0o600); err != nil {
		return nil, err
	}
	s.environ = []string{
		"HOME=" + filepath.Join(dir, "home"), "PATH=" + filepath.Dir(crm) + string(filepath.ListSeparator) + os.Getenv("PATH"), "LANG=C.UTF-8",
		"TERM=xterm-256color", "COLORTERM=truecolor", "ANTHROPIC_API_KEY=of-no-use-elsewhere",
	}
	trust := exec.CommandContext(ctx, s.program, "trust", "--yes")
	trust.Dir, trust.Env = s.project, s.environ
	if out, err := trust.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("trust the project: %w\n%s", err, out)
	}
	return s, nil
}
