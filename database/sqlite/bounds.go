package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"strings"
	"time"

	"github.com/elyra-go/elyra/database"
)

// study asks EXPLAIN what a statement that somebody records is proven to read. It does so
// once for each compiled statement.
//
// It is done on readers alone: on the writer the schema may be one that is rolled back. If
// the schema changes between this and the statement's first step, SQLite compiles the
// statement again, and what was proven is dropped.
//
// SQLite may choose another plan than the one that EXPLAIN shows, because it looks at the
// values of some parameters. That does no harm: a result is the same by every plan, so what
// one of them proves it to depend on is all that it depends on.
func (p *physical) study(ctx context.Context, s *statement, arguments int) {
	if database.RecorderFrom(ctx) == nil || s.access.plan != nil || p.writer || s.script || s.access.everything || !s.access.readOnly || len(s.access.reads) == 0 {
		return
	}
	p.silent = true
	defer func() { p.silent = false }()
	// A cancelled call must not leave a statement that was never studied.
	if !numbersAreOrdinals(s.text) {
		s.access.plan = &plan{}
		return
	}
	if result, err := p.explainPlan(context.WithoutCancel(ctx), s.text, arguments); err == nil {
		s.access.plan = result // else next time perhaps; until then it reads whole tables
	}
}

var errUnproven = errors.New("this release of SQLite was not tested")

func (p *physical) explainPlan(ctx context.Context, text string, arguments int) (*plan, error) {
	if !p.proven {
		return nil, errUnproven
	}
	program, version, err := p.program(ctx, text, arguments)
	if err != nil {
		return nil, err
	}
	if p.schema == nil || p.schema.version != version {
		if p.schema, err = p.loadSchema(ctx); err != nil {
			p.schema = nil
			return nil, err
		}
		if p.schema.version != version {
			return nil, errMoved
		}
	}
	return prove(program, p.schema), nil
}

// program gives the bytecode, and the version of the schema that it is for.
func (p *physical) program(ctx context.Context, statement string, arguments int) (program []operation, version int64, err error) {
	rows, err := p.ask(ctx, "explain "+statement, make([]any, arguments)...)
	if err != nil {
		return nil, 0, err
	}
	version = -1
	for _, r := range rows {
		if len(r) < 7 {
			return nil, 0, errUnproven
		}
		o := operation{code: text(r[1]), p1: int(whole(r[2])), p2: int(whole(r[3])), p3: int(whole(r[4])), p4: text(r[5]), p5: int(whole(r[6]))}
		if o.code == "Transaction" && o.p1 == 0 && o.p5 != 0 {
			version = int64(o.p3)
		}
		program = append(program, o)
	}
	return program, version, nil
}

// record tells what a statement read to whoever wants to know. What a statement that could
// not be compiled would have read is not known.
func (v *conn) record(ctx context.Context, a access, args []sqldriver.NamedValue, err error) {
	r := database.RecorderFrom(ctx)
	if r == nil {
		v.store.warnUntracked()
		return
	}
	if a.volatile != "" {
		r.Volatile(a.volatile)
	}
	r.From(v.store.handle)
	if _, uncompiled := errors.AsType[*compileError](err); uncompiled || a.everything {
		r.ReadEverything()
		return
	}
	for _, table := range a.reads {
		conditions, t := a.conditions(table, args)
		if conditions == nil {
			r.Read(table)
			continue
		}
		v.store.watched.want(table, t.columns, t.stored)
		r.ReadRows(table, conditions)
	}
}

// conditions gives what the rows of table that a statement reads meet, or nil when it may be
// any row.
func (a *access) conditions(table string, args []sqldriver.NamedValue) ([]database.Condition, *tablePlan) {
	if a.plan == nil {
		return nil, nil
	}
	t := a.plan.tables[table]
	if t == nil {
		return nil, nil
	}
	var all []database.Condition
	for _, p := range t.paths {
		some, ok := p.conditions(args)
		if !ok || len(all)+len(some) > maxValues {
			return nil, nil
		}
		all = append(all, some...)
	}
	return all, t
}

// conditions gives one condition for each combination of the values that columns equal.
func (p path) conditions(args []sqldriver.NamedValue) ([]database.Condition, bool) {
	all := []database.Condition{make(database.Condition, 0, len(p))}
	for _, b := range p {
		terms, ok := b.terms(args)
		if !ok || len(all)*len(terms) > maxValues {
			return nil, false
		}
		next := all[:0:0]
		for _, c := range all {
			for _, t := range terms {
				next = append(next, append(c[:len(c):len(c)], t))
			}
		}
		all = next
	}
	return all, true
}

// terms gives the ranges of the column, any of which a row may meet.
func (b *bound) terms(args []sqldriver.NamedValue) ([]database.Term, bool) {
	if len(b.equal) > 0 {
		terms := make([]database.Term, 0, len(b.equal))
		for _, o := range b.equal {
			v, ok := o.value(args, b.affinity)
			if !ok {
				return nil, false
			}
			terms = append(terms, database.Term{Column: b.column, Low: v, High: v})
		}
		return terms, true
	}
	t := database.Term{Column: b.column}
	for _, o := range b.low {
		v, ok := o.value(args, b.affinity)
		if !ok {
			return nil, false
		}
		if !t.Low.IsKnown() || v.Compare(t.Low) < 0 {
			t.Low = v
		}
	}
	for _, o := range b.high {
		v, ok := o.value(args, b.affinity)
		if !ok {
			return nil, false
		}
		if !t.High.IsKnown() || v.Compare(t.High) > 0 {
			t.High = v
		}
	}
	return []database.Term{t}, true
}

// value gives the value as it is compared with a column, and false when a conversion that
// SQLite would make could change it.
func (o operand) value(args []sqldriver.NamedValue, column affinity) (database.Value, bool) {
	v := o.literal
	if o.parameter > 0 {
		if o.parameter > len(args) {
			return v, false
		}
		arg := args[o.parameter-1]
		if arg.Name != "" || arg.Ordinal != o.parameter {
			return v, false
		}
		given := arg.Value
		if at, ok := given.(time.Time); ok {
			given = at.Format(timeFormat)
		}
		if b, ok := given.([]byte); ok && len(b) == 0 {
			return v, false // null, or an empty blob
		}
		var ok bool
		if v, ok = database.ValueOf(given); !ok {
			return v, false
		}
	}
	switch {
	case v.IsText():
		// The preupdate hook's text ends at a zero byte.
		stays := !o.asNumber && column != numberAffinity || isNoNumber(v.Bytes())
		return v, stays && !strings.Contains(v.Bytes(), "\x00")
	case v.IsNumber():
		return v, !o.asText && column != textAffinity
	}
	return v, true
}

// timeFormat is how the library writes a time: see source.
const timeFormat = "2006-01-02 15:04:05.999999999-07:00"

// isNoNumber reports whether text is certainly no number to SQLite, which would compare one
// that is as a number.
func isNoNumber(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789+-.eE \t\n\v\f\r", r) })
}
