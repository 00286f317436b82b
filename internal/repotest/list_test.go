package repotest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A listed is what `go list` says about a package, as far as these tests ask.
type listed struct {
	ImportPath   string
	Name         string
	Standard     bool
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// goList runs `go list -e` in a folder of the repository for one operating system. It finds everything
// in the module cache and the tree, and packages that do not build are listed all the same.
func goList(t *testing.T, folder, goos string, args ...string) []listed {
	t.Helper()
	command := goCommand(folder, append([]string{
		"list", "-e", "-json=ImportPath,Name,Standard,Imports,TestImports,XTestImports",
	}, args...)...)
	// The WebKitGTK tests stand behind a tag of ours; their imports count too.
	command.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0", "GOFLAGS=-tags=webkit", "GOPROXY=off")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, stderr.String())
	}
	var all []listed
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%v: %v", command.Args, err)
		}
		all = append(all, p)
	}
}

func goCommand(folder string, args ...string) *exec.Cmd {
	command := exec.Command("go", args...)
	command.Dir = filepath.Join(root, folder)
	return command
}
