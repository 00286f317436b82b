package cli

import (
	"fmt"
	"path/filepath"

	"github.com/elyra-go/elyra/rata/internal/project"
)

// databaseVariable names the database of an app.
const databaseVariable = "DATABASE_URL"

// database gives DATABASE_URL for an app that is started in dir: what the environment says, else
// elyra.toml, else "", which leaves it to the app. It says on standard error when it is the file. A relative
// file is made absolute: one of the environment is in the working folder, one of elyra.toml beside it.
func database(r *run, dir string) (string, error) {
	if set, _ := r.lookup(databaseVariable); set != "" {
		working, err := filepath.Abs(".")
		if err != nil {
			return "", fmt.Errorf("find the working directory: %w", err)
		}
		return absoluteURL(set, working), nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the app: %w", err)
	}
	p, err := project.Read(dir)
	if err != nil || p.Database.URL == "" {
		return "", err
	}
	configured, err := p.Expand("database.url", p.Database.URL, r.lookup)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(r.Stderr, "rata: DATABASE_URL is unset, so the database is the one that elyra.toml names")
	return absoluteURL(configured, dir), nil
}
