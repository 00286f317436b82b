package live_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// sqlWorld makes up schemas, queries and writes, with a liking for what makes it hard to say
// which rows a query depends on: types that convert, collations, expressions, generated
// columns, partial and descending indexes, rows without a rowid, triggers and cascades.
type sqlWorld struct {
	*rand.Rand
	tables []*sqlTable
}

type sqlTable struct {
	name      string
	columns   []string
	plain     []string // those that can be written to
	parent    string   // what the column p refers to, or ""
	indexes   [][]string
	letters   map[string]bool // columns of text
	withoutID bool
}

func newSQLWorld(seed uint64) *sqlWorld {
	return &sqlWorld{Rand: rand.New(rand.NewPCG(seed, 7))}
}

func pick[T any](w *sqlWorld, from ...T) T { return from[w.IntN(len(from))] }

func (w *sqlWorld) chance(percent int) bool { return w.IntN(100) < percent }

// schema gives the statements that make the tables.
func (w *sqlWorld) schema() []string {
	var all []string
	for i := range 2 + w.IntN(2) {
		t := &sqlTable{name: pick(w, "t", "T ", "order ", "x-") + fmt.Sprint(i), letters: map[string]bool{}}
		all = append(all, w.createTable(t))
		w.tables = append(w.tables, t)
		for range 1 + w.IntN(4) {
			all = append(all, w.createIndex(t))
		}
	}
	if w.chance(30) {
		from, to := w.table(), w.table()
		all = append(all, fmt.Sprintf("create trigger tr after %s on %s begin update or ignore %s set %s = %s where %s = %s; end",
			pick(w, "insert", "update", "delete"), quote(from.name), quote(to.name), pick(w, to.plain...), w.literal(), pick(w, to.columns...), w.literal()))
	}
	if w.chance(40) {
		t := w.table()
		all = append(all, fmt.Sprintf("create view v as select %s, %s from %s where %s", pick(w, t.columns...)+" as a", pick(w, t.columns...)+" as b", quote(t.name), w.plainTerm(t)))
		w.tables = append(w.tables, &sqlTable{name: "v", columns: []string{"a", "b"}, withoutID: true})
	}
	return all
}

func quote(name string) string { return `"` + name + `"` }

func (w *sqlWorld) createTable(t *sqlTable) string {
	t.withoutID = w.chance(15)
	var columns []string
	add := func(definition, name string, plain bool) {
		columns = append(columns, definition)
		t.columns = append(t.columns, name)
		if plain {
			t.plain = append(t.plain, name)
		}
	}
	if w.chance(15) {
		add("g0 as (a || 'x')", "g0", false)
	}
	switch {
	case t.withoutID:
		add("id "+pick(w, "integer", "text", "")+" primary key", "id", true)
	case w.chance(70):
		add("id integer primary key", "id", true)
	case w.chance(50):
		add("id text primary key", "id", true)
	default:
		add("id", "id", true)
	}
	kinds := []string{"integer", "text", "real", "numeric", "blob", "", "varchar(20)", "datetime", "bool", "text collate nocase", "text collate nocase", "integer default 3", "text default 'b'", "real not null default 1"}
	for _, name := range []string{"a", "b", "c", "d"} {
		kind := pick(w, kinds...)
		t.letters[name] = strings.Contains(kind, "text") || strings.Contains(kind, "char")
		add(name+" "+kind, name, true)
	}
	if w.chance(15) {
		add("g as (a + 1) "+pick(w, "virtual", "stored"), "g", false)
	}
	if len(w.tables) > 0 && w.chance(30) {
		t.parent = w.tables[0].name
		add("p references "+quote(t.parent)+"(id) on delete "+pick(w, "cascade", "set null")+" on update cascade", "p", true)
	}
	text := fmt.Sprintf("create table %s(%s)", quote(t.name), strings.Join(columns, ", "))
	if t.withoutID {
		text += " without rowid"
	}
	return text
}

func (w *sqlWorld) createIndex(t *sqlTable) string {
	var keys, columns []string
	for range 1 + w.IntN(3) {
		k := pick(w, t.columns...)
		columns = append(columns, k)
		if w.chance(10) {
			k = pick(w, "lower("+k+")", k+" + 0", "-"+k)
		}
		if w.chance(12) {
			k += " collate " + pick(w, "nocase", "rtrim", "binary")
		}
		if w.chance(35) {
			k += " desc"
		}
		keys = append(keys, k)
	}
	t.indexes = append(t.indexes, columns)
	text := fmt.Sprintf("create index if not exists i%d on %s(%s)", w.IntN(1000), quote(t.name), strings.Join(keys, ", "))
	if w.chance(10) {
		text += " where " + pick(w, t.columns...) + pick(w, " is not null", " > 2", " is null", " = 'a'")
	}
	return text
}

func (w *sqlWorld) table() *sqlTable { return w.tables[w.IntN(len(w.tables))] }

// literal gives a value as SQL spells it.
func (w *sqlWorld) literal() string {
	return pick(w, "0", "1", "2", "3", "4", "5", "2.0", "2.5", "'a'", "'b'", "'A'", "'2'", "'2.0'", "null", "x'61'", "-1", "9223372036854775807", "'c '", "true")
}

// value gives a value as Go has it.
func (w *sqlWorld) value() any {
	return pick[any](w, 0, 1, 2, 3, 4, 5, int64(6), 2.0, 2.5, "a", "b", "A", "2", "2.0", "c ", nil, []byte("a"), true, "", []byte{}, int64(1)<<53+1, float64(1<<53), -1, "a\x00b", 1e300,
		"1e3", " 2", "2026-01-02", at(1), at(2), at(3))
}

// at gives one of a few times.
func at(n int) time.Time {
	return time.Date(2026, 1, n, 3, 4, 5, n%2*1000, time.FixedZone("", n*3600))
}

// expression gives a value that is a parameter, a literal or something of both, and adds the
// argument for it.
func (w *sqlWorld) expression(args *[]any) string {
	switch {
	case w.chance(60):
		*args = append(*args, w.value())
		return "?"
	case w.chance(85):
		return w.literal()
	}
	*args = append(*args, w.value())
	return pick(w, "? + 1", "cast(? as text)", "cast(? as integer)", "+?", "(select ?)", "coalesce(?, 2)")
}

// plainTerm gives a condition without parameters.
func (w *sqlWorld) plainTerm(t *sqlTable) string {
	return pick(w, t.columns...) + pick(w, " = ", " > ", " <= ", " <> ", " is ") + w.literal()
}

// column gives a column of t, now and then the rowid.
func (w *sqlWorld) column(t *sqlTable, alias string) string {
	if !t.withoutID && w.chance(15) {
		return alias + ".rowid"
	}
	return alias + "." + t.columns[min(w.IntN(len(t.columns)), w.IntN(len(t.columns)+2))]
}

// term gives one condition on t.
func (w *sqlWorld) term(t *sqlTable, alias string, args *[]any, depth int) string {
	c := w.column(t, alias)
	switch n := w.IntN(100); {
	case n < 45:
		return c + " = " + w.expression(args)
	case n < 58:
		return c + pick(w, " > ", " >= ", " < ", " <= ", " is ", " <> ") + w.expression(args)
	case n < 64:
		return c + " between " + w.expression(args) + " and " + w.expression(args)
	case n < 74:
		list := make([]string, 1+w.IntN(4))
		for i := range list {
			list[i] = w.expression(args)
		}
		return c + " in (" + strings.Join(list, ", ") + ")"
	case n < 77:
		return c + pick(w, " is null", " is not null", " collate nocase = 'a'")
	case n < 80:
		return c + pick(w, " like ", " glob ") + w.expression(args)
	case n < 84:
		return pick(w, "lower("+c+")", c+" + 0", "-"+c, "coalesce("+c+", 2)", "typeof("+c+")") + " = " + w.expression(args)
	case n < 87:
		return "(" + c + ", " + w.column(t, alias) + ") = (" + w.expression(args) + ", " + w.expression(args) + ")"
	case n < 92 && depth > 0:
		return "(" + w.term(t, alias, args, depth-1) + pick(w, " or ", " and ") + w.term(t, alias, args, depth-1) + ")"
	case n < 95 && depth > 0:
		o := w.table()
		return c + pick(w, " = ", " in ", " > ") + "(select " + w.column(o, "s") + " from " + quote(o.name) + " s where " + w.term(o, "s", args, 0) + " order by 1)"
	case n < 98 && depth > 0:
		o := w.table()
		return pick(w, "exists", "not exists") + "(select 1 from " + quote(o.name) + " s where s." + pick(w, o.columns...) + " = " + c + " and " + w.term(o, "s", args, 0) + ")"
	}
	return c + pick(w, " = ", " < ") + w.column(t, alias)
}

// aimed gives conditions that an index can serve: its first columns fixed, the next one a
// range.
func (w *sqlWorld) aimed(t *sqlTable, args *[]any) string {
	columns := []string{"id"}
	if len(t.indexes) > 0 && w.chance(80) {
		columns = append(append([]string(nil), pick(w, t.indexes...)...), "rowid")
	}
	if t.withoutID {
		columns = columns[:1]
	}
	small := func(column string) string {
		if w.chance(85) {
			*args = append(*args, w.small(t, column))
			return "?"
		}
		return pick(w, "1", "2", "3", "'a'", "'A'")
	}
	var terms []string
	for range w.IntN(len(columns) + 1) {
		name := columns[len(terms)]
		c := "r." + name
		if w.chance(20) {
			terms = append(terms, c+" in ("+small(name)+", "+small(name)+")")
		} else {
			terms = append(terms, c+" = "+small(name))
		}
	}
	if len(terms) < len(columns) && w.chance(70) || len(terms) == 0 {
		name := columns[len(terms)]
		c := "r." + name
		if w.chance(60) {
			terms = append(terms, c+pick(w, " > ", " >= ", " < ", " <= ")+small(name))
		} else {
			terms = append(terms, c+pick(w, " > ", " >= ")+small(name), c+pick(w, " < ", " <= ")+small(name))
		}
	}
	return " where " + strings.Join(terms, " and ")
}

// small gives a value of the few that a column mostly holds.
func (w *sqlWorld) small(t *sqlTable, column string) any {
	if t.letters[column] && w.chance(90) {
		return pick[any](w, "a", "A", "b", "B", "c")
	}
	return pick[any](w, 0, 1, 2, 3, 4, 5, 2.5, "a", at(1), at(2))
}

// query gives a query that names its order in full, so that its result is one.
func (w *sqlWorld) query() (string, []any) {
	var args []any
	if w.chance(6) {
		a, first := w.selection(&args)
		b, second := w.selection(&args)
		_, _ = first, second
		return "select x from (" + a + ") union all select x from (" + b + ") order by 1", args
	}
	text, columns := w.selection(&args)
	if columns == 0 {
		return text, args
	}
	var order []string
	if w.chance(50) {
		order = append(order, pick(w, "y", "y desc", "x", "x desc", "z"))
	}
	order = append(order, "x", "y", "z")
	text += " order by " + strings.Join(order, ", ")
	if w.chance(40) {
		text += " limit " + pick(w, "1", "2", "3", "50")
		if w.chance(30) {
			text += " offset " + pick(w, "1", "2")
		}
	} else if w.chance(20) {
		text += " limit ?"
		args = append(args, pick[any](w, 1, 2, 10))
	}
	return text, args
}

// selection gives a select of the columns x, y and z, or of an aggregate x and no order.
func (w *sqlWorld) selection(args *[]any) (text string, columns int) {
	t, before := w.table(), len(*args)
	from, aliases, tables := quote(t.name)+" r", []string{"r"}, []*sqlTable{t}
	if w.chance(20) {
		o := w.table()
		on := "r." + pick(w, t.columns...) + " = o." + pick(w, o.columns...)
		if !o.withoutID && w.chance(40) {
			on = "r." + pick(w, t.columns...) + " = o.rowid"
		}
		from += pick(w, " join ", " left join ") + quote(o.name) + " o on " + on
		aliases, tables = append(aliases, "o"), append(tables, o)
	}
	column := func() string {
		i := w.IntN(len(tables))
		return w.column(tables[i], aliases[i])
	}
	var terms []string
	for range w.IntN(4) {
		i := w.IntN(len(tables))
		terms = append(terms, w.term(tables[i], aliases[i], args, 2))
	}
	where := ""
	if len(terms) > 0 {
		where = " where " + strings.Join(terms, " and ")
	}
	if t.name != "v" && w.chance(50) {
		*args = (*args)[:before]
		from, where = quote(t.name)+" r", w.aimed(t, args)
		aliases, tables = aliases[:1], tables[:1]
	}
	switch n := w.IntN(100); {
	case n < 20:
		return "select " + pick(w, "count(*)", "max("+column()+")", "min("+column()+")", "sum("+column()+")", "count(distinct "+column()+")", "max(r."+t.columns[0]+")") + " x from " + from + where, 0
	case n < 27:
		return "select exists(select 1 from " + from + where + ") x", 0
	case n < 33:
		return "select " + column() + " x, count(*) y, max(" + column() + ") z from " + from + where + " group by 1", 3
	}
	return "select " + pick(w, "", "", "distinct ") + column() + " x, " + column() + " y, " + column() + " z from " + from + where, 3
}

// write gives a statement that changes rows. It may fail.
func (w *sqlWorld) write() (string, []any) {
	t := w.table()
	for len(t.plain) == 0 {
		t = w.table()
	}
	var args []any
	small := func() any { return w.IntN(8) }
	value := func(column string) any {
		if w.chance(60) {
			return w.small(t, column)
		}
		return w.value()
	}
	key := w.column(t, quote(t.name))
	switch n := w.IntN(100); {
	case n < 40:
		values := make([]string, len(t.plain))
		for i, c := range t.plain {
			values[i] = "?"
			if c == "id" && w.chance(85) {
				args = append(args, small())
			} else {
				args = append(args, value(c))
			}
		}
		return fmt.Sprintf("insert or %s into %s(%s) values (%s)", pick(w, "replace", "replace", "ignore", "abort"), quote(t.name),
			strings.Join(t.plain, ", "), strings.Join(values, ", ")), args
	case n < 75:
		c := pick(w, t.plain...)
		text := fmt.Sprintf("update or %s %s set %s = ? where %s = ?", pick(w, "replace", "ignore", "fail"), quote(t.name), c, key)
		return text, append(args, value(c), pick(w, small(), value("")))
	case n < 85:
		return fmt.Sprintf("delete from %s where %s = ?", quote(t.name), key), append(args, pick(w, small(), value("")))
	case n < 88:
		return fmt.Sprintf("update or ignore %s set id = ? where id = ?", quote(t.name)), append(args, small(), small())
	case n < 91:
		return fmt.Sprintf("insert into %s(id, a) values (?, ?) on conflict do update set a = excluded.a", quote(t.name)), append(args, small(), w.value())
	case n < 93:
		c := pick(w, t.plain...)
		return fmt.Sprintf("update or ignore %s set %s = %s", quote(t.name), c, pick(w, c+" + 1", c+" || 'a'", w.literal())), nil
	case n < 95:
		return "delete from " + quote(t.name), nil
	}
	return fmt.Sprintf("insert or ignore into %s(id, a) with recursive n(i) as (select 1 union all select i + 1 from n where i < %d) select i, i %% 7 from n",
		quote(t.name), pick(w, 5, 20, 300)), nil
}

// alter gives a change of the schema.
func (w *sqlWorld) alter() string {
	t := w.table()
	for len(t.plain) == 0 {
		t = w.table()
	}
	if w.chance(40) {
		name := fmt.Sprintf("e%d", w.IntN(1000))
		t.columns, t.plain = append(t.columns, name), append(t.plain, name)
		return fmt.Sprintf("alter table %s add column %s %s", quote(t.name), name, pick(w, "integer default 2", "text default 'a'", "default 2", "real"))
	}
	if w.chance(30) {
		return "analyze"
	}
	return w.createIndex(t)
}
