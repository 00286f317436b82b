package cli

import (
	"fmt"
	"path/filepath"

	"github.com/elyra-go/elyra/rata/internal/project"
)

// databaseVariable names the database of an app.
const databaseVariable = "DATABASE_URL"

// database gives DATABASE_URL for an app that is started in dir: what the environment says, else elyra.toml in
// dir, else "", which leaves it to the app. A relative file is made absolute: one of the environment is in
// the working folder, one of elyra.toml beside it. dir is "" for an app whose folder is not known.
func database(r *run, dir string) (url string, fromFile bool, err error) {
	if set, _ := r.lookup(databaseVariable); set != "" {
		working, err := filepath.Abs(".")
		if err != nil {
			return "", false, fmt.Errorf("find the working directory: %w", err)
		}
		return absoluteURL(set, working), false, nil
	}
	if dir == "" {
		return "", false, nil
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", false, fmt.Errorf("find the app: %w", err)
	}
	p, err := project.Read(dir)
	if err != nil || p.Database.URL == "" {
		return "", false, err
	}
	configured, err := p.Expand("database.url", p.Database.URL, r.lookup)
	if err != nil {
		return "", false, err
	}
	return absoluteURL(configured, dir), true, nil
}

// databaseVariables are what an app is started with in dir, to use the database of rata's user. It says so
// when that is the one in elyra.toml, because that is seen nowhere else.
func databaseVariables(r *run, dir string) ([]string, error) {
	url, fromFile, err := database(r, dir)
	if err != nil || url == "" {
		return nil, err
	}
	if fromFile {
		fmt.Fprintln(r.Stderr, "rata: DATABASE_URL is unset, so the database is the one that elyra.toml names")
	}
	return []string{databaseVariable + "=" + url}, nil
}
