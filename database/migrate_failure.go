package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// longestStatement is how much of a statement an error shows, in bytes.
const longestStatement = 400

// listener hears what goose says while it migrates.
type listener struct{ m *migrator }

func (l listener) Enabled(context.Context, slog.Level) bool { return true }
func (l listener) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l listener) WithGroup(string) slog.Handler            { return l }

func (l listener) Handle(_ context.Context, r slog.Record) error {
	values := map[string]slog.Value{}
	r.Attrs(func(a slog.Attr) bool {
		values[a.Key] = a.Value
		return true
	})
	switch r.Message {
	case "executing statement":
		l.m.statement = values["statement"].String()
	case "migration completed":
		l.m.completed(values)
	}
	return nil
}

func (m *migrator) completed(values map[string]slog.Value) {
	m.done++
	m.statement = ""
	file, took := values["source"].String(), time.Duration(values["duration_seconds"].Float64()*float64(time.Second))
	if m.options.Each != nil {
		m.options.Each(file, took)
		return
	}
	m.options.Log.Info("migrated", "database", m.handle.Name(), "migration", file, "direction", values["direction"].String(),
		"milliseconds", took.Milliseconds())
}

// explain says of an error of goose's which file failed, where, and what has become of the rest.
func (m *migrator) explain(err error) error {
	partial, ok := errors.AsType[*goose.PartialError](err)
	if !ok {
		return err
	}
	file, direction := partial.Failed.Source.Path, partial.Failed.Direction
	text, readErr := fs.ReadFile(m.fsys, file)
	if readErr != nil {
		return errors.Join(partial.Err, readErr)
	}
	place := file
	if line := lineOf(string(text), m.statement); line > 0 {
		place = fmt.Sprintf("%s, line %d", file, line)
	}
	var last string
	if m.statement != "" {
		last = "\nlast statement: " + shorten(m.statement)
	}
	return fmt.Errorf("%s: %w%s\n%s", place, partial.Err, last, fate(file, direction == "up", annotated(text, "NO TRANSACTION"), m.done))
}

// fate says what has become of the migration that failed, and of those before it.
func fate(file string, up, noTransaction bool, before int) string {
	var words string
	switch {
	case noTransaction:
		words = file + ` says "-- +goose NO TRANSACTION", so what it did before that statement stays: look at the database`
	case up:
		words = "nothing of " + file + " was applied"
	default:
		words = "nothing of " + file + " was taken back"
	}
	did := "applied"
	if !up {
		did = "taken back"
	}
	switch before {
	case 0:
		return words
	case 1:
		return words + "; one migration before it stays " + did
	}
	return fmt.Sprintf("%s; %d migrations before it stay %s", words, before, did)
}

// lineOf is the line on which a statement begins, counted from 1; 0 when that is not certain.
func lineOf(text, statement string) int {
	if statement == "" || strings.Count(text, statement) != 1 {
		return 0
	}
	before, _, _ := strings.Cut(text, statement)
	return strings.Count(before, "\n") + 1
}

func shorten(statement string) string {
	if len(statement) <= longestStatement {
		return statement
	}
	return strings.ToValidUTF8(statement[:longestStatement], "") + " …"
}

// annotated reports whether a migration has the line "-- +goose WORDS", read as goose reads it.
func annotated(text []byte, words string) bool {
	for line := range strings.Lines(string(text)) {
		line, isComment := strings.CutPrefix(strings.TrimSpace(line), "--")
		_, found, ok := strings.Cut(line, "+goose")
		if isComment && ok && strings.EqualFold(strings.TrimSpace(strings.ReplaceAll(found, "--", "")), words) {
			return true
		}
	}
	return false
}
