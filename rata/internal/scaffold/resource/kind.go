package resource

import (
	"strings"

	"github.com/elyra-go/elyra/internal/nearest"
)

// Kind is a type that a field can have.
type Kind struct {
	Name string
	// Go is the type of its values in Go, "" when each field has its own.
	Go string
	// Rules are the validator's, without limits and required.
	Rules string
	// SQLite and Postgres are the types of its column.
	SQLite, Postgres string
	// About ends the comment of such a field, for the model.
	About string
	// Empty values stand for an optional field that is left out. Other kinds store null.
	Empty bool
	// What it can be asked for.
	Search, Sort, Unique, Limits bool
	// Length is the longest text, 0 for what is no text.
	Length int
}

// maxWhole is the largest integer up to which JavaScript keeps all integers apart. A row beyond it could
// not be shown in a window.
const maxWhole = 1<<53 - 1

// kinds are all types of fields, in the order in which people are told of them.
func kinds() []Kind {
	return []Kind{
		{Name: "string", Go: "string", SQLite: "TEXT", Postgres: "TEXT", Empty: true, Search: true, Sort: true, Unique: true, Limits: true, Length: 200},
		{Name: "text", Go: "string", SQLite: "TEXT", Postgres: "TEXT", Empty: true, Search: true, Limits: true, Length: 10000, About: ": text of any number of lines"},
		{Name: "int", Go: "int64", SQLite: "INTEGER", Postgres: "BIGINT", Sort: true, Unique: true, Limits: true},
		{Name: "float", Go: "float64", SQLite: "REAL", Postgres: "DOUBLE PRECISION", Sort: true, Limits: true},
		{Name: "decimal", Rules: "numeric", SQLite: "INTEGER", Postgres: "BIGINT", Sort: true, Unique: true},
		{Name: "bool", Go: "bool", SQLite: "BOOLEAN", Postgres: "BOOLEAN", Sort: true},
		{Name: "date", Go: "string", Rules: "datetime=2006-01-02", SQLite: "TEXT", Postgres: "DATE", Sort: true, Unique: true, About: `: a day such as "2026-12-01"`},
		{Name: "datetime", Go: "time.Time", SQLite: "TIMESTAMP", Postgres: "TIMESTAMPTZ", Sort: true, About: `: a moment such as "2026-12-01T09:30:00Z"`},
		{Name: "email", Go: "string", Rules: "email", SQLite: "TEXT", Postgres: "TEXT", Search: true, Sort: true, Unique: true, Length: 200, About: ": an email address"},
		{Name: "url", Go: "string", Rules: "http_url", SQLite: "TEXT", Postgres: "TEXT", Search: true, Sort: true, Unique: true, Length: 2000, About: ": the address of a web page, with https:// or http://"},
		{Name: "uuid", Go: "string", Rules: "uuid", SQLite: "TEXT", Postgres: "TEXT", Sort: true, Unique: true, About: ": a UUID"},
		{Name: "enum", SQLite: "TEXT", Postgres: "TEXT", Sort: true},
	}
}

// kindNames are the names of all types, for messages.
func kindNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.Name)
	}
	return names
}

// kindOf gives the type with a name; instead says what to write when there is none.
func kindOf(name string) (kind Kind, instead string) {
	for _, k := range kinds() {
		if k.Name == name {
			return k, ""
		}
	}
	other := map[string]string{
		"str": "string", "varchar": "string", "char": "string", "integer": "int", "bigint": "int", "int64": "int", "number": "int", "serial": "int",
		"double": "float", "real": "float", "float64": "float", "numeric": "decimal", "money": "decimal", "price": "decimal", "currency": "decimal", "boolean": "bool",
		"time": "datetime", "timestamp": "datetime", "longtext": "text", "markdown": "text", "mail": "email", "uri": "url", "link": "url", "guid": "uuid",
	}[strings.ToLower(name)]
	switch {
	case isOneOf("references belongs_to belongsto belongs-to has_many hasmany foreign", strings.ToLower(name)):
		return Kind{}, "links between resources are yours to write: make it an int such as customer_id:int, and add REFERENCES to the migration"
	case other != "":
		return Kind{}, "write " + other
	}
	if near := nearest.Name(strings.ToLower(name), kindNames()); near != "" {
		return Kind{}, "did you mean " + near + "?"
	}
	return Kind{}, "there are " + strings.Join(kindNames(), ", ")
}
