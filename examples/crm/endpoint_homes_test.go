//go:build unix

package main

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/elyra-go/elyra/internal/hostile"
)

// launch starts the app with the environment env and returns it once it serves.
func launch(t *testing.T, env []string) *runningApp {
	t.Helper()
	return start(t, program(t, env, "--headless"))
}

// met has an agent of the environment env add a customer, and tells by the app's own log whether it came to the app.
func met(t *testing.T, app *runningApp, env []string) {
	t.Helper()
	agent := hostile.Start(t, program(t, env, "--mcp"))
	m := agent.Ask(`1`, hostile.Call(`1`, "customers_store", `{"input":{"name":"Ada","email":"ada@example.org"}}`))
	if !strings.Contains(string(m.Result), `\"id\":325`) {
		t.Errorf("the call gives %s %v", m.Result, m.Error)
	}
	agent.CloseInput()
	agent.Exited()
	if log := app.quit(); !strings.Contains(log, "tool=customers_store") {
		t.Errorf("the agent was not served by the running app:\n%s", log)
	}
}

// TestHomesOfAllKinds has the app and a client's server, both in the folder /, meet in homes whose names are hard.
func TestHomesOfAllKinds(t *testing.T) {
	t.Parallel()
	for name, home := range map[string]string{
		"200 characters":  strings.Repeat("long-home-", 20),
		"other alphabets": "Büro-Ødegård/顧客/клиенты/العملاء",
		"spaces":          "My  Home / with a folder ",
		"signs":           `it's"100%"$HOME;#?&\n`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := filepath.Join(t.TempDir(), home)
			if err := os.MkdirAll(home, 0o700); err != nil {
				t.Fatal(err)
			}
			met(t, launch(t, emptied(home)), emptied(home))
		})
	}
}

// TestTwoInstallsInOneSession has one user run the app for two homes at the same time.
func TestTwoInstallsInOneSession(t *testing.T) {
	t.Parallel()
	shared := t.TempDir()
	if err := os.Chmod(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	home, other := t.TempDir(), t.TempDir()
	with := func(home string) []string { return append(emptied(home), "XDG_RUNTIME_DIR="+shared) }
	first, second := launch(t, with(home)), launch(t, with(other))
	met(t, first, emptied(home))
	met(t, second, emptied(other)) // where the first new customer is the first again
}

// TestTwoBuildsOfOneApp has an older build of the app, with fewer tools, pass an agent on to a newer one, and the reverse.
// Whoever runs decides what the agent sees.
func TestTwoBuildsOfOneApp(t *testing.T) {
	t.Parallel()
	old := filepath.Join(t.TempDir(), "crm")
	build := exec.Command("go", "build", "-o", old, "github.com/elyra-go/elyra/examples/crm/e2e/unlimited")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the CRM: %v\n%s", err, out)
	}
	command := func(t *testing.T, older bool, home, mode string) *exec.Cmd {
		cmd := program(t, emptied(home), mode)
		if older {
			cmd.Path, cmd.Args[0] = old, old
		}
		return cmd
	}
	for name, olderApp := range map[string]bool{"an old shim and a new app": false, "a new shim and an old app": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			app := start(t, command(t, olderApp, home, "--headless"))
			agent := hostile.Start(t, command(t, !olderApp, home, "--mcp"))
			m := agent.Ask(`1`, hostile.Request(`1`, "tools/list", ""))
			if orders := strings.Contains(string(m.Result), `"orders_store"`); orders == olderApp || m.Error != nil {
				t.Errorf("the agent sees orders: %t; want what the running app has", orders)
			}
			if m := agent.Ask(`2`, hostile.Call(`2`, "customers_show", `{"id":1}`)); m.Error != nil || strings.Contains(string(m.Result), "isError") {
				t.Errorf("a call gives %s %v", m.Result, m.Error)
			}
			app.quit()
			// From here on the shim's own build serves.
			m = agent.Ask(`3`, hostile.Request(`3`, "tools/list", ""))
			if orders := strings.Contains(string(m.Result), `"orders_store"`); orders != olderApp || m.Error != nil {
				t.Errorf("after the app was closed the agent sees orders: %t, %v; want what its own build has", orders, m.Error)
			}
		})
	}
}

// TestAnOldBuildLeavesANewerDatabaseAlone starts the app without a window on a file that a later version has migrated.
func TestAnOldBuildLeavesANewerDatabaseAlone(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	launch(t, emptied(home)).quit()
	db, err := sql.Open("sqlite", filepath.Join(home, ".local", "share", "dev.elyra.crm", "crm.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (900, 1)"); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"--mcp", "--headless"} {
		cmd := program(t, emptied(home), mode)
		said, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(said), "newer") {
			t.Errorf("%s ended with %v:\n%s", mode, err, said)
		}
	}
}

// inReadOnlyHome prepares a home that its user may not write to, and gives commands in it. Root may write everywhere, so
// there the commands run as another user.
func inReadOnlyHome(t *testing.T) (home, writable string, command func(env []string, args ...string) *exec.Cmd) {
	t.Helper()
	base, err := os.MkdirTemp("", "e")
	if err != nil {
		t.Fatal(err)
	}
	home, writable = filepath.Join(base, "home"), filepath.Join(base, "writable")
	uid := os.Geteuid()
	if uid == 0 {
		uid = 65534
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(base, "crm") // the folder that go test builds in is closed to others
	for _, err := range []error{
		os.Chmod(base, 0o755), os.WriteFile(binary, content, 0o755),
		os.Mkdir(home, 0o700), os.Mkdir(writable, 0o700), os.Chown(home, uid, -1), os.Chown(writable, uid, -1), os.Chmod(home, 0o500),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		os.Chmod(home, 0o700)
		os.RemoveAll(base)
	})
	return home, writable, func(env []string, args ...string) *exec.Cmd {
		cmd := program(t, env, args...)
		cmd.Path, cmd.Args[0] = binary, binary
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
		}
		return cmd
	}
}

func TestAReadOnlyHome(t *testing.T) {
	t.Parallel()
	home, writable, command := inReadOnlyHome(t)
	for _, mode := range []string{"--mcp", "--headless"} {
		said, err := command(emptied(home), mode).CombinedOutput()
		if err == nil || !strings.Contains(string(said), "permission denied") || !strings.Contains(string(said), home) || strings.Contains(string(said), "goroutine ") {
			t.Errorf("%s ended with %v:\n%s\nwant one that names the folder", mode, err, said)
		}
	}
	// With its folders elsewhere the app works, and says who will not find it.
	moved := slices.Concat(emptied(home), []string{"XDG_DATA_HOME=" + writable, "XDG_CONFIG_HOME=" + writable})
	app := start(t, command(moved, "--headless"))
	agent := hostile.Start(t, command(moved, "--mcp"))
	if m := agent.Ask(`1`, hostile.Call(`1`, "customers_show", `{"id":1}`)); m.Error != nil || strings.Contains(string(m.Result), "isError") {
		t.Errorf("a call gives %s %v", m.Result, m.Error)
	}
	agent.CloseInput()
	agent.Exited()
	log := app.quit()
	for _, want := range []string{"tool=customers_show", "clients started without XDG_CONFIG_HOME will not find this app"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	// A client whose environment moves nothing finds no app, and no place for data of its own.
	said, err := command(emptied(home), "--mcp").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "permission denied") {
		t.Errorf("without the app the shim ended with %v:\n%s", err, said)
	}
}
