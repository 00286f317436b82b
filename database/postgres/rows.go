package postgres

import (
	sqldriver "database/sql/driver"
	"errors"
	"io"
	"reflect"

	"github.com/jackc/pgx/v5/stdlib"
)

// openRows are rows as they come from the server.
type openRows struct {
	*stdlib.Rows
	done func()
}

func (r *openRows) Close() error {
	err := r.Rows.Close()
	if r.done != nil {
		r.done()
		r.done = nil
	}
	return err
}

// keptRows are all rows of a statement that has run to its end.
type keptRows struct {
	columns []string
	types   []string
	scans   []reflect.Type
	rows    [][]sqldriver.Value
	next    int
}

// keep reads what a query gave and closes it.
func keep(given sqldriver.Rows, err error) (*keptRows, error) {
	if err != nil {
		return nil, err
	}
	rows := given.(*stdlib.Rows)
	k := &keptRows{columns: rows.Columns()}
	for i := range k.columns {
		k.types = append(k.types, rows.ColumnTypeDatabaseTypeName(i))
		k.scans = append(k.scans, rows.ColumnTypeScanType(i))
	}
	for {
		row := make([]sqldriver.Value, len(k.columns))
		if err := rows.Next(row); err == io.EOF {
			return k, rows.Close()
		} else if err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		for i, v := range row {
			if b, ok := v.([]byte); ok {
				row[i] = append([]byte(nil), b...) // the buffer is used again
			}
		}
		k.rows = append(k.rows, row)
	}
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

func (k *keptRows) ColumnTypeScanType(i int) reflect.Type { return k.scans[i] }
