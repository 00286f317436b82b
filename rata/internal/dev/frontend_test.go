package dev

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// serveEnv tells this test binary to be a development server on a port (0 is any that is free), or to end at once.
const serveEnv = "ELYRA_TEST_DEV_SERVER"

func TestMain(m *testing.M) {
	switch port := os.Getenv(serveEnv); port {
	case "":
		os.Exit(m.Run())
	case "end":
		os.Exit(1)
	default:
		_ = http.ListenAndServe(net.JoinHostPort("127.0.0.1", port), http.NotFoundHandler())
		os.Exit(1)
	}
}

// serve runs this test binary as a development server on the port that it is told, or in another mode.
func serve(mode string) func(port string) (*exec.Cmd, error) {
	return func(port string) (*exec.Cmd, error) {
		if mode != "" {
			port = mode
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), serveEnv+"="+port)
		return cmd, nil
	}
}

func TestFrontend(t *testing.T) {
	t.Parallel()
	f, err := StartFrontend(t.Context(), serve(""), Output{})
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(f.Address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if !strings.HasPrefix(f.Address, "http://127.0.0.1:") || response.StatusCode != 404 {
		t.Errorf("%s: %d", f.Address, response.StatusCode)
	}
	f.Stop()
	select {
	case <-f.Exited():
	default:
		t.Error("it was stopped and has not ended")
	}
	if _, err := http.Get(f.Address); err == nil {
		t.Error("it still answers")
	}
}

func TestFrontendDoesNotStart(t *testing.T) {
	t.Parallel()
	if _, err := StartFrontend(t.Context(), serve("end"), Output{}); err == nil || !strings.Contains(err.Error(), "development server ended") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	// One that serves elsewhere than it was told to.
	if _, err := StartFrontend(ctx, serve("0"), Output{}); err == nil || !strings.Contains(err.Error(), "did not answer at") {
		t.Errorf("%v", err)
	}
	if _, err := StartFrontend(t.Context(), func(string) (*exec.Cmd, error) { return nil, errors.New("none") }, Output{}); err == nil {
		t.Error("started nothing")
	}
}

func TestPagesOfAnApp(t *testing.T) {
	t.Parallel()
	s := &session{t: t, dir: t.TempDir()}
	s.write("go.mod", "module example.com/app\n\ngo 1.26\n",
		"main.go", "package main\n\nimport (\n\t\"embed\"\n\t\"example.com/app/ui\"\n)\n\n//go:embed data/*.sql\nvar data embed.FS\n\nfunc main() { _, _ = data, ui.Files }\n",
		"data/a.sql", "", "ui/ui.go", "package ui\n\nimport \"embed\"\n\n//go:embed all:dist\nvar Files embed.FS\n", "ui/dist/index.html", "", "ui/dist/sub/a.js", "")
	source, err := list(t.Context(), s.dir)
	if err != nil {
		t.Fatal(err)
	}
	path := func(name string) string {
		return s.dir + string(os.PathSeparator) + strings.ReplaceAll(name, "/", string(os.PathSeparator))
	}
	if got := source.pages(); got != path("ui/dist") {
		t.Errorf("pages in %q", got)
	}
	for name, want := range map[string]bool{
		"data/a.sql": true, "data/new.sql": true, "data/a.txt": false, "data/sub/a.sql": false, "ui/dist/sub/new.js": true, "ui/other.js": false, "dist/a": false,
	} {
		if source.embeds(path(name)) != want {
			t.Errorf("%s: not %v", name, want)
		}
	}
	s.write("ui/dist/sub/index.html", "")
	if got := source.pages(); got != path("ui/dist") {
		t.Errorf("with another page below: %q", got)
	}
	// Of two none could be told.
	s.write("data/index.html", "", "ui/ui.go", "package ui\n\nimport \"embed\"\n\n//go:embed dist old\nvar Files embed.FS\n", "ui/old/index.html", "")
	if source, err = list(t.Context(), s.dir); err != nil {
		t.Fatal(err)
	}
	if got := source.pages(); got != "" {
		t.Errorf("pages in %q", got)
	}
}
