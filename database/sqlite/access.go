package sqlite

import (
	"slices"
	"strings"

	lib "modernc.org/sqlite"
)

// access is what one compiled statement touches.
type access struct {
	reads      []string // tables, each once
	everything bool     // it reads more than can be told
	readOnly   bool     // it changes nothing
	schema     bool     // it changes the schema, or in a way that no hook tells of
	bare       bool     // SQLite asked nothing: it is VACUUM, or empty
	savepoint  string   // BEGIN, RELEASE or ROLLBACK when it sets, releases or goes back to one
	name       string   // of the savepoint
	virtual    []string // virtual tables it writes to, of which no hook tells
	volatile   string   // a function it calls that depends on the time or on chance
	plan       *plan    // nil when nothing was proven, or nobody asked yet
}

// event is one thing that SQLite asked leave for while it compiled a statement.
type event struct {
	action         lib.AuthorizerActionCode
	first, second  string // what they mean depends on the action
	databaseSchema string // "main", "temp" or the name of an attached database
}

// describe makes sense of the events of one statement. kind tells what a name stands for.
func describe(events []event, kind func(name string) string) access {
	if len(events) == 0 {
		return access{bare: true, schema: true, everything: true}
	}
	a := access{readOnly: true}
	for _, e := range events {
		switch e.action {
		case lib.AuthSelect, lib.AuthRecursive, lib.AuthTransaction:
		case lib.AuthFunction:
			if a.volatile == "" && isVolatile(e.second) {
				a.volatile = e.second
			}
		case lib.AuthSavepoint:
			a.savepoint, a.name = e.first, e.second
		case lib.AuthRead:
			a.read(e, kind)
		case lib.AuthInsert, lib.AuthUpdate, lib.AuthDelete:
			a.write(e, kind)
		case lib.AuthPragma:
			a.everything = true
			if !pragmaReads(e.first, e.second) {
				a.readOnly, a.schema = false, true
			}
		default:
			a.readOnly, a.schema = false, true
		}
	}
	slices.Sort(a.reads)
	a.reads = slices.Compact(a.reads)
	return a
}

func (a *access) read(e event, kind func(string) string) {
	name := e.first
	switch {
	case name == "" || isSchemaTable(name):
		// A change of the schema is published as everything, so nothing has to be kept.
	case slices.Contains(a.reads, name):
	case e.databaseSchema != "main" && e.databaseSchema != "":
		a.everything = true
	case strings.HasPrefix(name, "sqlite_"):
		a.everything = true // SQLite writes sqlite_sequence and the like past the hook
	default:
		switch kind(name) {
		case "table", "shadow":
			a.reads = append(a.reads, name)
		case "view":
			// The tables below it are told separately.
		default:
			// A virtual table may read other tables, or the world.
			a.everything = a.everything || !isPure(name)
		}
	}
}

func (a *access) write(e event, kind func(string) string) {
	name := e.first
	if isSchemaTable(name) {
		a.readOnly = false
		return // the event that says which change of the schema it is comes too
	}
	switch kind(name) {
	case "shadow":
		// Some modules compile their own writes when a table of theirs is only read. If the
		// statement does write, SQLite refuses it on a reader and it goes to the writer.
	case "virtual":
		a.readOnly = false
		a.virtual = append(a.virtual, name)
	default:
		a.readOnly = false
	}
}

// merge adds what came up while the statement ran: SQLite compiled it again after a change
// of the schema, or a virtual table compiled statements of its own.
func (a *access) merge(b access) {
	a.reads = append(slices.Clip(a.reads), b.reads...)
	slices.Sort(a.reads)
	a.reads = slices.Compact(a.reads)
	a.virtual = append(slices.Clip(a.virtual), b.virtual...)
	a.everything = a.everything || b.everything
	a.readOnly = a.readOnly && b.readOnly
	a.schema = a.schema || b.schema
}

func isSchemaTable(name string) bool {
	switch name {
	case "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema":
		return true
	}
	return false
}

// isPure names the built-in virtual tables that depend on their arguments and on the schema
// alone.
func isPure(name string) bool {
	switch name {
	case "json_each", "json_tree", "generate_series":
		return true
	}
	return false
}

// pragmaReads reports whether a PRAGMA only asks. Others may take effect as soon as they are
// compiled, so they must not even be compiled on a reader.
func pragmaReads(name, value string) bool {
	switch strings.ToLower(name) {
	case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
		"foreign_key_list", "foreign_key_check", "database_list", "collation_list", "function_list",
		"module_list", "pragma_list", "compile_options", "integrity_check", "quick_check":
		return true
	case "user_version", "application_id", "schema_version", "data_version", "encoding",
		"page_count", "page_size", "freelist_count", "journal_mode", "auto_vacuum", "max_page_count":
		return value == ""
	}
	return false
}

// isVolatile names the functions that may give another result each time. Those of dates do so
// only with the time of now.
func isVolatile(function string) bool {
	switch strings.ToLower(function) {
	case "random", "randomblob", "current_timestamp", "current_date", "current_time":
		return true
	}
	return isOfDates(function)
}

func isOfDates(function string) bool {
	switch strings.ToLower(function) {
	case "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff":
		return true
	}
	return false
}

// volatileIn gives the volatile function that a statement calls, or "". A function of dates
// counts when the text names now, or gives it no argument, which is the same. What the text does not
// name does not count: the first statement of a connection also tells of the functions in the schema,
// such as that of a column's default.
func (a *access) volatileIn(text string) string {
	function, text := strings.ToLower(a.volatile), strings.ToLower(text)
	switch {
	case function == "", !strings.Contains(text, function):
		return ""
	case isOfDates(function) && !strings.Contains(text, "'now'") && !strings.Contains(text, function+"()"):
		return ""
	}
	return a.volatile
}
