// Package queries is written in the form that sqlc gives its output, over the interface that
// it asks of a database.
package queries

import (
	"context"
	"database/sql"
)

// DBTX is what the queries run on: a *sql.DB or a *sql.Tx.
type DBTX interface {
	ExecContext(context.Context, string, ...interface{}) (sql.Result, error)
	PrepareContext(context.Context, string) (*sql.Stmt, error)
	QueryContext(context.Context, string, ...interface{}) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...interface{}) *sql.Row
}

// New gives the queries over db.
func New(db DBTX) *Queries { return &Queries{db: db} }

// Queries are the statements of the app.
type Queries struct{ db DBTX }

// WithTx gives the queries inside a transaction.
func (q *Queries) WithTx(tx *sql.Tx) *Queries { return &Queries{db: tx} }

const addPerson = `-- name: AddPerson :one
INSERT INTO people (name) VALUES (?) RETURNING id
`

// AddPerson adds a person and gives its id.
func (q *Queries) AddPerson(ctx context.Context, name string) (int64, error) {
	row := q.db.QueryRowContext(ctx, addPerson, name)
	var id int64
	err := row.Scan(&id)
	return id, err
}

const renamePerson = `-- name: RenamePerson :exec
UPDATE people SET name = ?1 WHERE id = ?2
`

// RenamePersonParams are the arguments of RenamePerson.
type RenamePersonParams struct {
	Name string
	ID   int64
}

// RenamePerson gives a person another name.
func (q *Queries) RenamePerson(ctx context.Context, arg RenamePersonParams) error {
	_, err := q.db.ExecContext(ctx, renamePerson, arg.Name, arg.ID)
	return err
}

const removePerson = `-- name: RemovePerson :exec
DELETE FROM people WHERE id = ?
`

// RemovePerson removes a person.
func (q *Queries) RemovePerson(ctx context.Context, id int64) error {
	_, err := q.db.ExecContext(ctx, removePerson, id)
	return err
}

const showName = `-- name: ShowName :one
SELECT name FROM people WHERE id = ? LIMIT 1
`

// ShowName gives the name of a person.
func (q *Queries) ShowName(ctx context.Context, id int64) (string, error) {
	row := q.db.QueryRowContext(ctx, showName, id)
	var name string
	err := row.Scan(&name)
	return name, err
}

const listNames = `-- name: ListNames :many
SELECT name FROM people ORDER BY id
`

// ListNames gives all names.
func (q *Queries) ListNames(ctx context.Context) ([]string, error) {
	rows, err := q.db.QueryContext(ctx, listNames)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var items []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		items = append(items, name)
	}
	if err := rows.Close(); err != nil {
		return nil, err
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return items, nil
}
