package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"io"
)

// exec runs a statement to its end.
func (p *physical) exec(ctx context.Context, text string, args []sqldriver.NamedValue, may func(access) error) (sqldriver.Result, access, error) {
	s, err := p.statement(ctx, text)
	if err != nil {
		return nil, access{}, err
	}
	defer p.release(s)
	if err := may(s.access); err != nil {
		return nil, s.access, err
	}
	p.study(ctx, s, len(args))
	p.several = s.script
	p.announce(s)
	p.ours = s.access.bare // VACUUM has a transaction of its own
	result, err := s.raw.ExecContext(ctx, args)
	p.ours = false
	p.after(s)
	if s.access.savepoint != "" && err == nil {
		p.pending.mark(s.access.savepoint, s.access.name)
	}
	if s.access.bare && err == nil {
		p.committed.everything = p.writer // VACUUM renumbers rows and runs no hook
	}
	return result, s.access, p.explain(err)
}

// query begins a statement. The rows must be closed, with mu held, before the connection is
// used for another transaction.
func (p *physical) query(ctx context.Context, text string, args []sqldriver.NamedValue, may func(access) error) (*cursor, access, error) {
	s, err := p.statement(ctx, text)
	if err != nil {
		return nil, access{}, err
	}
	if err := may(s.access); err != nil {
		p.release(s)
		return nil, s.access, err
	}
	p.study(ctx, s, len(args))
	p.several = s.script
	p.announce(s)
	p.ours = s.access.bare
	raw, err := s.raw.QueryContext(ctx, args)
	p.ours = false
	p.after(s)
	if err != nil {
		p.release(s)
		return nil, s.access, p.explain(err)
	}
	return &cursor{rawRows: raw.(rawRows), p: p, s: s}, s.access, nil
}

// announce notes what no hook will tell, before the statement may commit.
func (p *physical) announce(s *statement) {
	if !p.writer {
		return
	}
	if s.access.schema || s.script {
		p.pending.everything = true
	}
	for _, table := range s.access.virtual {
		p.pending.add(table)
	}
}

// cursor is an open statement and its rows. mu guards it.
type cursor struct {
	rawRows
	p      *physical
	s      *statement
	closed bool
}

func (c *cursor) close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	err := c.rawRows.Close()
	c.p.release(c.s)
	return err
}

// all reads the rows that are left and closes the cursor.
func (c *cursor) all() (*keptRows, error) {
	kept := &keptRows{columns: c.Columns()}
	for i := range kept.columns {
		kept.types = append(kept.types, c.ColumnTypeDatabaseTypeName(i))
	}
	for {
		row := make([]sqldriver.Value, len(kept.columns))
		err := c.Next(row)
		if err == io.EOF {
			return kept, c.close()
		}
		if err != nil {
			_ = c.close()
			return nil, aboutDisk(err)
		}
		kept.rows = append(kept.rows, row)
	}
}
