package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestTheCRM runs testdata/crm: what somebody does with the agent and the example app, which is built from its source. The
// model's part is in story.script, which modeltest/play plays by hand, too.
func TestTheCRM(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./crm", "./crm/inapp")
	build.Dir = filepath.Join("..", "..", "..", "examples")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the CRM: %v\n%s", err, out)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "crm", "story.script"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, params(filepath.Join("testdata", "crm"), func(e *testscript.Env) {
		e.Setenv("PATH", bin+string(filepath.ListSeparator)+e.Getenv("PATH"))
		if err := os.WriteFile(filepath.Join(e.WorkDir, "story.script"), script, 0o600); err != nil {
			t.Error(err)
		}
	}))
}
