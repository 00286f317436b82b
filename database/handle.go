package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"log/slog"
)

// Driver opens databases of one kind. database/sqlite.Driver gives one.
type Driver interface {
	// Schemes are the URL schemes that the driver takes, without the colon: "sqlite".
	Schemes() []string

	// Open checks o and gives a *sql.DB. It is lazy: no file, folder or network is touched
	// before the first statement, so an error here is about the URL alone. Closing the
	// *sql.DB closes the database.
	Open(o OpenOptions) (*sql.DB, error)
}

// OpenOptions says which database to open.
type OpenOptions struct {
	// URL names the database, for SQLite "sqlite:crm.db", "sqlite:///var/lib/crm.db" or a
	// plain path. It is required.
	URL string

	// Dir is the folder that a relative path starts from. Empty means the working directory.
	Dir string

	// Private says that no other process uses the database, so that nobody looks for commits
	// of others. Tests in a testing/synctest bubble need it, because waiting for a file event
	// holds up the bubble's clock.
	Private bool

	// Development has the log say where a query was made inside a live command without its
	// ctx, so that nobody follows what it reads. It looks at the stack of each query without a
	// recorder, which costs some microseconds.
	Development bool

	// Log receives what a person may want to know, never statements or their arguments.
	// Nil discards it.
	Log *slog.Logger
}

// Handle is the database behind a tracked *sql.DB. [HandleOf] finds it.
type Handle interface {
	driver.Driver

	// Dialect names the SQL dialect, "sqlite" or "postgres". It is also the name of the
	// folder that holds this dialect's migrations.
	Dialect() string

	// Name tells people which database this is: a path, or a host and a database. It holds
	// no password.
	Name() string

	// OnCommit calls fn after each commit that changed something, once the database has
	// said that it is durable and before the statement that committed returns. Calls may
	// come from several goroutines at a time; fn must be quick and must not write to the
	// database. The function it gives back ends the calls that have not begun.
	OnCommit(fn func(Writes)) (stop func())

	// Watch has commits of other processes and machines told to OnCommit as well, as soon as
	// they are seen, until stop is called. It costs nothing when nobody calls it. What others
	// committed before the call, and nobody was told of, is told too.
	Watch() (stop func())

	// Bind gives a *sql.DB whose statements behave as if they were made with ctx as well as
	// with their own context, for libraries that drop the one they are given. It is closed
	// when ctx is done, so ctx must end.
	Bind(ctx context.Context) *sql.DB

	// Lock keeps other processes, and other callers in this one, out of a job such as
	// "migrate" until unlock is called. It waits until ctx is done. Locks with different
	// purposes do not exclude each other. A purpose consists of lower-case letters, digits
	// and hyphens.
	Lock(ctx context.Context, purpose string) (unlock func() error, err error)
}

// HandleOf gives the handle behind db. It is false when db was not opened by a [Driver] of
// this module.
func HandleOf(db *sql.DB) (Handle, bool) {
	if db == nil {
		return nil, false
	}
	h, ok := db.Driver().(Handle)
	return h, ok
}

// Writes says what one commit changed.
type Writes struct {
	// Tables are the tables in which rows changed, sorted, named as the schema spells them.
	Tables []string

	// Everything is true when it cannot be told what changed, as after a change of the
	// schema. Tables is then empty.
	Everything bool

	// Rows are the changes of single rows, for those of Tables whose changes are known in
	// full. A table that is not in it may have changed in any row.
	Rows map[string][]RowChange
}

// Recorder is told what the statements made with its context read. Its methods may be
// called from several goroutines.
type Recorder interface {
	// From names the database of a statement, before it reads.
	From(Handle)

	// Read says that rows of table were looked at, or looked for.
	Read(table string)

	// ReadRows says that of table only such rows were looked at, or looked for, that meet one
	// of the conditions: while none of them changes and none is added, the result is the
	// same.
	ReadRows(table string, conditions []Condition)

	// Volatile says that a statement calls function, whose result depends on the time or on
	// chance and not on rows alone.
	Volatile(function string)

	// ReadEverything says that a statement's reads could not be told.
	ReadEverything()
}
