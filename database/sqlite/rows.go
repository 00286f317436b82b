package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"io"
	"reflect"
	"sync"
)

// rawRows is what the SQLite library gives, with all that database/sql asks of columns.
type rawRows interface {
	sqldriver.Rows
	sqldriver.RowsColumnTypeDatabaseTypeName
	sqldriver.RowsColumnTypeScanType
	sqldriver.RowsColumnTypeNullable
	sqldriver.RowsColumnTypeLength
	sqldriver.RowsColumnTypePrecisionScale
}

// rows are rows of a reader, or of an open transaction, as they come.
type rows struct {
	*cursor
	ctx   context.Context // of the call to Query
	ended error           // guarded by p.mu: why there are no more rows
	done  func()          // gives back what the rows held; called once, without p.mu
	once  sync.Once
}

func (r *rows) Next(row []sqldriver.Value) error {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	if r.ended != nil {
		return r.ended
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return r.cursor.Next(row)
}

func (r *rows) Close() error {
	r.p.mu.Lock()
	err := r.cursor.close()
	r.p.mu.Unlock()
	r.once.Do(r.done)
	return err
}

func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	if r.cursor.closed {
		return reflect.TypeFor[any]()
	}
	return r.cursor.ColumnTypeScanType(i)
}

func (r *rows) ColumnTypeLength(i int) (int64, bool) {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	if r.cursor.closed {
		return 0, false
	}
	return r.cursor.ColumnTypeLength(i)
}

// keptRows are the rows of a statement that has run to its end. A statement that needs the
// writer outside a transaction gives these, so that the writer is free while the app looks
// at them.
type keptRows struct {
	columns []string
	types   []string // declared, in capitals
	rows    [][]sqldriver.Value
	next    int
}

func (k *keptRows) Columns() []string { return k.columns }

func (k *keptRows) Close() error {
	k.next = len(k.rows)
	return nil
}

func (k *keptRows) Next(row []sqldriver.Value) error {
	if k.next >= len(k.rows) {
		return io.EOF
	}
	copy(row, k.rows[k.next])
	k.next++
	return nil
}

func (k *keptRows) ColumnTypeDatabaseTypeName(i int) string { return k.types[i] }

// ColumnTypeScanType goes by the first row: SQLite's values have types, its columns do not.
func (k *keptRows) ColumnTypeScanType(i int) reflect.Type {
	if len(k.rows) == 0 || k.rows[0][i] == nil {
		return reflect.TypeFor[any]()
	}
	return reflect.TypeOf(k.rows[0][i])
}
