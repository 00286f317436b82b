// Package notes holds the commands of the notes app.
package notes

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"

	"github.com/elyra-go/elyra"
)

//go:generate go run github.com/elyra-go/elyra/rata generate

// Migrations has the schema of the database, in a folder for each dialect.
//
//go:embed sqlite/*.sql
var Migrations embed.FS

// Note is something to remember.
type Note struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
	// Done is set once there is nothing left to do.
	Done bool `json:"done"`
}

// NoteInput is what can be said about a note.
type NoteInput struct {
	// Text of the note, in a line or two.
	Text string `json:"text" validate:"required,max=200"`
	// Done is whether there is nothing left to do. Default: false.
	Done bool `json:"done,omitempty"`
}

// Service runs the commands.
type Service struct {
	// DB is the app's database.
	DB *sql.DB
}

// Store adds a note. Use it when the user wants something remembered.
//
//elyra:command can=notes.create additive
func (s *Service) Store(ctx context.Context, input NoteInput) (Note, error) {
	note := Note{Text: input.Text, Done: input.Done}
	err := s.DB.QueryRowContext(ctx, `INSERT INTO notes (text, done) VALUES ($1, $2) RETURNING id`, note.Text, note.Done).Scan(&note.ID)
	if err != nil {
		return Note{}, elyra.Private(fmt.Errorf("add a note: %w", err))
	}
	return note, nil
}

// Index lists the notes, newest first. Use it to find a note's id.
//
//elyra:command can=notes.view live
func (s *Service) Index(ctx context.Context) ([]Note, error) {
	rows, err := s.DB.QueryContext(ctx, `SELECT id, text, done FROM notes ORDER BY id DESC`)
	if err != nil {
		return nil, elyra.Private(fmt.Errorf("list notes: %w", err))
	}
	defer rows.Close()
	var list []Note
	for rows.Next() {
		var n Note
		if err := rows.Scan(&n.ID, &n.Text, &n.Done); err != nil {
			return nil, elyra.Private(fmt.Errorf("read a note: %w", err))
		}
		list = append(list, n)
	}
	return list, rows.Err()
}

// Destroy deletes a note for good.
//
//elyra:command can=notes.delete
func (s *Service) Destroy(ctx context.Context, id int64) error {
	result, err := s.DB.ExecContext(ctx, `DELETE FROM notes WHERE id = $1`, id)
	if err != nil {
		return elyra.Private(fmt.Errorf("delete note %d: %w", id, err))
	}
	if n, err := result.RowsAffected(); err == nil && n == 0 {
		return notFound(id)
	}
	return nil
}

// Text returns the text of a note, for a question about it.
func (s *Service) Text(ctx context.Context, id int64) (text string, err error) {
	err = s.DB.QueryRowContext(ctx, `SELECT text FROM notes WHERE id = $1`, id).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", notFound(id)
	}
	return text, err
}

func notFound(id int64) error {
	return fmt.Errorf("there is no note #%d: list the notes to see which there are", id)
}
