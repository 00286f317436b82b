// Package migrations owns the files of an app's migrations as rata writes them: their numbers, their names
// and what a new one begins with.
//
// It promises that a new migration has a number above all others in every dialect, and that the files
// of one migration have the same. It reads folders and plans files; it must not open databases,
// run programs or write.
package migrations

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/elyra-go/elyra/rata/internal/change"
)

// dialects are the folders that a database driver looks for its migrations in, with the key of a new table.
var dialects = []struct{ name, key string }{
	{"sqlite", "INTEGER PRIMARY KEY AUTOINCREMENT"},
	{"postgres", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"},
}

// longestName is how long a migration's name may be.
const longestName = 100

var validName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// CheckName says what is wrong with the name of a migration, and which one would do.
func CheckName(name string) error {
	switch {
	case len(name) > longestName:
		return fmt.Errorf("the name has %d bytes: at most %d make a file name that people can read", len(name), longestName)
	case validName.MatchString(name):
		return nil
	}
	advice := "such as add_price_to_products"
	if better := suggest(name); validName.MatchString(better) && len(better) <= longestName {
		advice = "write " + better
	}
	return fmt.Errorf("the name %q: it has lower-case letters, digits and underscores between them, and begins with a letter: %s", name, advice)
}

// suggest is a name in the spelling of migrations.
func suggest(name string) string {
	name = strings.TrimSuffix(name, ".sql")
	var b strings.Builder
	gap, lower := false, false
	for _, r := range name {
		word := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if (!word || unicode.IsUpper(r) && lower) && b.Len() > 0 {
			gap = true
		}
		if word {
			if gap {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
			gap = false
		}
		lower = word && !unicode.IsUpper(r)
	}
	return b.String()
}

// Add plans a migration: a file in the folder of each dialect that is there, else in the folder itself when
// migrations lie in it. The folder is relative to dir.
func Add(set *change.Set, dir, folder, name string) error {
	folder = path.Clean(filepath.ToSlash(folder))
	if !filepath.IsLocal(filepath.FromSlash(folder)) {
		return fmt.Errorf("the folder of migrations is %s, which is not within the app: see [database] migrations in elyra.toml", folder)
	}
	root := filepath.Join(dir, filepath.FromSlash(folder))
	var newest Numbers
	found := map[string]bool{}
	for _, sub := range []string{".", dialects[0].name, dialects[1].name} {
		has, err := newest.read(filepath.Join(root, sub))
		if err != nil {
			return err
		}
		found[sub] = has
	}
	numbered := newest.newest > 0
	next, err := newest.Next()
	if err != nil {
		return err
	}
	file := next + "_" + name + ".sql"
	planned := false
	for _, d := range dialects {
		if found[d.name] {
			set.Create(path.Join(folder, d.name, file), text(name, d.key))
			planned = true
		}
	}
	switch {
	case planned:
		return nil
	case numbered:
		set.Create(path.Join(folder, file), text(name, ""))
		return nil
	}
	return fmt.Errorf("there is no folder for migrations in %s: make %s, for PostgreSQL %s, and embed them; "+
		"if they are elsewhere, elyra.toml says so by [database] migrations",
		path.Join(filepath.ToSlash(dir), folder), path.Join(folder, dialects[0].name), path.Join(folder, dialects[1].name))
}

// read notes the files of a folder and reports whether it is there.
func (n *Numbers) read(folder string) (found bool, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for migrations: %w", err)
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			n.Note(entry.Name())
		}
	}
	return true, nil
}

// noTable is in the names of migrations that create something else.
var noTable = regexp.MustCompile(`(^|_)(index|indexes|view|trigger|triggers|function|on|for)(_|$)`)

// text is a migration that is yet to be written.
func text(name, key string) []byte {
	table, creates := strings.CutPrefix(name, "create_")
	table = strings.TrimSuffix(table, "_table")
	if creates && key != "" && !noTable.MatchString(table) {
		return fmt.Appendf(nil, "-- +goose Up\nCREATE TABLE %[1]s (\n    id %[2]s\n);\n\n-- +goose Down\nDROP TABLE %[1]s;\n", table, key)
	}
	return []byte("-- +goose Up\n-- Statements that change the schema, each with a semicolon at its end.\n\n" +
		"-- +goose Down\n-- Statements that take it back, in the opposite order.\n")
}
