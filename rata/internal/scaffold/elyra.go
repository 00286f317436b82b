package scaffold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// elyraPath is the framework's module.
const elyraPath = "github.com/elyra-go/elyra"

// Elyra is where a new app takes the framework from.
type Elyra struct {
	// Version of its modules, as a go.mod names it.
	Version string
	// Checkout is the folder of a checkout that takes the place of that version, "" for none.
	Checkout string
}

// unreleased is the version that a checkout takes the place of.
const unreleased = "v0.0.0"

// FindElyra tells where rata's own Elyra is. info is how this rata was built; source is the path of a
// file of its source, as the compiler wrote it down. A rata that was installed as a version belongs to
// that version of Elyra, one that was built in a checkout to the checkout.
func FindElyra(info *debug.BuildInfo, source string) (Elyra, error) {
	// Only what came from a module proxy has a sum; a checkout may have a version, too, that of its commit.
	if info != nil && info.Main.Sum != "" {
		for _, dep := range info.Deps {
			if dep.Path == elyraPath && dep.Replace == nil {
				return Elyra{Version: dep.Version}, nil
			}
		}
	}
	for dir := filepath.Dir(source); filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if e, err := Checkout(dir); err == nil {
			return e, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return Elyra{}, errors.New("this rata was built from a checkout of Elyra that is no longer there, or without paths: name a checkout with --elyra DIR")
}

var moduleLine = regexp.MustCompile(`(?m)^module ` + regexp.QuoteMeta(elyraPath) + `$`)

// Checkout is the Elyra of a folder with its source.
func Checkout(dir string) (Elyra, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return Elyra{}, fmt.Errorf("find the checkout of Elyra: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(absolute, "go.mod"))
	if err != nil || !moduleLine.MatchString(strings.ReplaceAll(string(text), "\r", "")) {
		return Elyra{}, fmt.Errorf("%s is no checkout of Elyra: its go.mod does not say module %s", absolute, elyraPath)
	}
	return Elyra{Version: unreleased, Checkout: absolute}, nil
}
