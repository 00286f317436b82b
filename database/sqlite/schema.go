package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"io"
	"strings"
)

// schema is what a connection knows of the trees in the file while its version stays the
// same. It is only used on readers: a writer could roll a version back and use it again.
type schema struct {
	version int64
	trees   map[int]*tree // by root page
	columns map[string]int
}

// tree is a table or an index.
type tree struct {
	table   string
	isIndex bool
	// bounded is false when nothing less than the whole table can be said: rows without a
	// rowid.
	bounded bool
	keys    []keyColumn // of an index, as far as rows can be compared with them
}

// keyColumn is one column of an index.
type keyColumn struct {
	column     int // in the table, or database.RowID
	affinity   affinity
	descending bool
}

type affinity byte

const (
	anyAffinity affinity = iota
	textAffinity
	numberAffinity
)

// affinityOf follows the rules by which SQLite reads a declared type.
func affinityOf(declared string) affinity {
	declared = strings.ToUpper(declared)
	has := func(s string) bool { return strings.Contains(declared, s) }
	switch {
	case has("INT"):
		return numberAffinity
	case has("CHAR"), has("CLOB"), has("TEXT"):
		return textAffinity
	case has("BLOB"), declared == "":
		return anyAffinity
	}
	return numberAffinity
}

var errMoved = errors.New("the schema changed meanwhile")

// loadSchema looks at the schema from inside one view of the data.
func (p *physical) loadSchema(ctx context.Context) (*schema, error) {
	if !p.inTx {
		tx, err := p.raw.BeginTx(ctx, sqldriver.TxOptions{ReadOnly: true})
		if err != nil {
			return nil, err
		}
		defer func() { _ = tx.Rollback() }()
	}
	// The first statement takes the view and brings the connection's own picture of the
	// schema up to date with it; the pragmas below only look at that picture.
	entries, err := p.ask(ctx, "select type, name, tbl_name, rootpage from sqlite_schema where rootpage > 0")
	if err != nil {
		return nil, err
	}
	version, err := p.ask(ctx, "pragma schema_version")
	if err != nil {
		return nil, err
	}
	encoding, err := p.ask(ctx, "pragma encoding")
	if err != nil {
		return nil, err
	}
	s := &schema{version: whole(version[0][0]), trees: map[int]*tree{}, columns: map[string]int{}}
	tables := map[string]*tableShape{}
	for _, e := range entries {
		if text(e[0]) == "table" {
			if tables[text(e[1])], err = p.shapeOf(ctx, text(e[1])); err != nil {
				return nil, err
			}
		}
	}
	for _, e := range entries {
		shape := tables[text(e[2])]
		if shape == nil {
			return nil, errMoved
		}
		t := &tree{table: text(e[2]), isIndex: text(e[0]) == "index", bounded: shape.bounded}
		if t.isIndex && t.bounded && text(encoding[0][0]) == "UTF-8" {
			if t.keys, err = p.keysOf(ctx, t.table, text(e[1]), shape); err != nil {
				return nil, err
			}
		}
		s.trees[int(whole(e[3]))] = t
		s.columns[t.table] = len(shape.affinities)
	}
	return s, nil
}

// tableShape is what matters of a table.
type tableShape struct {
	bounded    bool
	generated  bool // it has generated columns, whose values the preupdate hook does not tell
	affinities []affinity
}

func (p *physical) shapeOf(ctx context.Context, name string) (*tableShape, error) {
	kind, err := p.ask(ctx, "select wr, type from pragma_table_list(?) where schema = 'main'", name)
	if err != nil {
		return nil, err
	}
	columns, err := p.ask(ctx, "select type, hidden from pragma_table_xinfo(?) order by cid", name)
	if err != nil {
		return nil, err
	}
	shape := &tableShape{bounded: len(kind) == 1 && whole(kind[0][0]) == 0 && text(kind[0][1]) == "table"}
	for _, c := range columns {
		shape.affinities = append(shape.affinities, affinityOf(text(c[0])))
		shape.generated = shape.generated || whole(c[1]) != 0
	}
	return shape, nil
}

// keysOf gives the columns of an index up to the first that rows cannot be compared with: an
// expression, a generated column, or one with a collation of its own. A partial index has
// none.
func (p *physical) keysOf(ctx context.Context, table, index string, shape *tableShape) ([]keyColumn, error) {
	if shape.generated {
		return nil, nil
	}
	full, err := p.ask(ctx, "select 1 from pragma_index_list(?) where name = ? and partial = 0", table, index)
	if err != nil || len(full) != 1 {
		return nil, err
	}
	columns, err := p.ask(ctx, "select cid, coll, desc from pragma_index_xinfo(?) order by seqno", index)
	if err != nil {
		return nil, err
	}
	var keys []keyColumn
	for _, c := range columns {
		k := keyColumn{column: int(whole(c[0])), affinity: numberAffinity, descending: whole(c[2]) != 0}
		if k.column < -1 || k.column >= len(shape.affinities) || k.column >= 0 && text(c[1]) != "BINARY" {
			break
		}
		if k.column >= 0 {
			k.affinity = shape.affinities[k.column]
		}
		keys = append(keys, k)
	}
	return keys, nil
}

func whole(v sqldriver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func text(v sqldriver.Value) string {
	switch x := v.(type) {
	case string:
		return x
	case []byte:
		return string(x)
	}
	return ""
}

// ask runs a question of our own. silent must be set and mu held.
func (p *physical) ask(ctx context.Context, question string, values ...any) (rows [][]sqldriver.Value, err error) {
	raw, err := p.raw.PrepareContext(ctx, question)
	if err != nil {
		return nil, err
	}
	defer func() { _ = raw.Close() }()
	s := raw.(rawStatement)
	result, err := s.QueryContext(ctx, arguments(values))
	if err != nil {
		return nil, err
	}
	defer func() { _ = result.Close() }()
	for {
		row := make([]sqldriver.Value, len(result.Columns()))
		switch err := result.Next(row); err {
		case nil:
			rows = append(rows, row)
		case io.EOF:
			return rows, nil
		default:
			return nil, err
		}
	}
}

// one asks a question that has one answer. The statement stays compiled in *kept. silent must
// be set and mu held.
func (p *physical) one(ctx context.Context, kept *rawStatement, question string, values ...any) (sqldriver.Value, error) {
	if *kept == nil {
		raw, err := p.raw.PrepareContext(ctx, question)
		if err != nil {
			return nil, err
		}
		*kept = raw.(rawStatement)
	}
	rows, err := (*kept).QueryContext(ctx, arguments(values))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	row := make([]sqldriver.Value, 1)
	err = rows.Next(row)
	return row[0], err
}

func arguments(values []any) []sqldriver.NamedValue {
	args := make([]sqldriver.NamedValue, len(values))
	for i, v := range values {
		args[i] = sqldriver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return args
}
