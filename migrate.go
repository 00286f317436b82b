package elyra

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/database"
)

// migrateWait is how long a process that only migrates waits for another one that does.
const migrateWait = 30 * time.Second

// migration is what ELYRA_MIGRATE asks for.
type migration struct {
	word  string // up, down or status
	count int64  // of up the last version, of down the number of steps; 0 when it is not given
	json  bool   // of status
}

func parseMigration(text string) (migration, error) {
	word, rest, more := strings.Cut(text, ":")
	m := migration{word: word}
	var err error
	switch {
	case word == "status" && more:
		m.json = true
		if rest != "json" {
			err = errors.New("it is not json")
		}
	case (word == "up" || word == "down") && more:
		bits := 64
		if word == "down" {
			bits = 32 // a number of steps
		}
		m.count, err = strconv.ParseInt(rest, 10, bits)
		if err == nil && m.count < 1 {
			err = errors.New("it is not positive")
		}
	case word != "up" && word != "down" && word != "status":
		err = errors.New("it is not known")
	}
	if err != nil {
		return m, &usageError{fmt.Sprintf("ELYRA_MIGRATE is %q; want up, up:VERSION, down, down:STEPS, status or status:json", text)}
	}
	return m, nil
}

// migrate runs the app's migrations in one direction, or shows their state, and leaves.
func (p *program) migrate(ctx context.Context, text string) (err error) {
	m, err := parseMigration(text)
	if err != nil {
		return err
	}
	app, err := p.build(p.env)
	if err != nil {
		return err
	}
	if _, err := app.compile(); err != nil {
		return err
	}
	if app.db == nil || app.migrations == nil {
		return &usageError{"the app has no migrations: App.Database and App.Migrations give it some"}
	}
	defer func() { err = errors.Join(err, app.db.Close()) }()
	h, _ := database.HandleOf(app.db) // compile has looked
	name := h.Dialect() + " " + h.Name()
	if m.word == "status" {
		return p.migrationStatus(ctx, app, name, m.json)
	}
	whose := "the app's own"
	if p.env.Getenv("DATABASE_URL") != "" {
		whose = "from DATABASE_URL"
	}
	fmt.Fprintf(p.stderr, "database: %s (%s)\n", name, whose)
	return p.migrateTo(ctx, app, m)
}

func (p *program) migrateTo(ctx context.Context, app *App, m migration) error {
	o := database.MigrateOptions{Wait: migrateWait, Log: p.env.Log, To: m.count}
	did := "applied"
	if m.word == "down" {
		o.Down, o.Steps, o.To, did = true, int(m.count), 0, "took back"
	}
	o.Each = func(file string, took time.Duration) {
		fmt.Fprintf(p.stdout, "%s %s (%v)\n", did, file, took.Round(time.Millisecond))
	}
	n, err := database.Migrate(ctx, app.db, app.migrations, o)
	if err == nil && n == 0 && m.word == "up" {
		fmt.Fprintln(p.stdout, "nothing to apply: the database is up to date")
	} else if err == nil && n == 0 {
		fmt.Fprintln(p.stdout, "nothing to take back")
	}
	return err
}

// migrationState is a migration as ELYRA_MIGRATE=status:json shows it.
type migrationState struct {
	database.Migration
	State string `json:"state"` // applied, pending or unknown
}

// migrationStatus prints the migrations of the app and those of its database.
func (p *program) migrationStatus(ctx context.Context, app *App, name string, asJSON bool) error {
	all, err := database.MigrationStatus(ctx, app.db, app.migrations)
	if err != nil {
		return err
	}
	states := []migrationState{}
	for _, m := range all {
		state := "applied"
		if m.AppliedAt.IsZero() {
			state = "pending"
		} else if m.File == "" {
			state = "unknown"
		}
		states = append(states, migrationState{m, state})
	}
	if asJSON {
		err := json.MarshalWrite(p.stdout, map[string]any{"database": name, "migrations": states},
			json.Deterministic(true), jsontext.WithIndent("  "))
		fmt.Fprintln(p.stdout)
		return err
	}
	fmt.Fprintf(p.stdout, "database: %s\n", name)
	return writeMigrations(p.stdout, states)
}

func writeMigrations(w io.Writer, states []migrationState) error {
	columns := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, s := range states {
		state := s.State
		if state != "pending" {
			state += " " + s.AppliedAt.Local().Format("2006-01-02 15:04:05")
		}
		fmt.Fprintf(columns, "%d\t%s\t%s\n", s.Version, cmp.Or(s.File, "(the app has no such migration)"), state)
	}
	return columns.Flush()
}
