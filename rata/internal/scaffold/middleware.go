package scaffold

import (
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/rata/internal/change"
)

// middlewareFolder is the package of an app's middleware.
const middlewareFolder = "middleware"

// CheckMiddleware reports why a middleware cannot have a name.
func CheckMiddleware(name string) error {
	_, _, err := identifier(name)
	return err
}

// AddMiddleware plans a middleware and its test for the app in dir.
func AddMiddleware(set *change.Set, dir, name string) (Added, error) {
	if _, err := readSource(dir, "."); err != nil {
		return Added{}, err
	}
	s, err := readSource(dir, middlewareFolder)
	if err != nil {
		return Added{}, err
	}
	exported, words, err := identifier(name)
	if err != nil {
		return Added{}, err
	}
	if err := s.free(words, exported, "by"+exported, "Test"+exported); err != nil {
		return Added{}, err
	}
	data := struct {
		Package, Go, Title string
		NewPackage         bool
	}{s.name, exported, strings.Join(words, " "), s.isNew}
	if err := addPair(set, s.folder, words, "middleware", data); err != nil {
		return Added{}, err
	}
	return Added{Folder: s.folder, Wiring: fmt.Sprintf(
		"Put it around the commands, in main.go. The first that is used is the outermost:\n\n\timport %q\n\tUse(%s.%s(env.Log)).\n", s.path, s.name, exported)}, nil
}
