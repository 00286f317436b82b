// Command notes is the app that the tests of the command line look into. It owns nothing else, and
// keeps its notes in memory.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/elyra-go/elyra"
)

func main() { elyra.Main("dev.elyra.rata.notes", build, nil) }

func build(*elyra.Env) (*elyra.App, error) {
	return elyra.New().
		Commands((&book{}).Commands()...).
		Commands(Commands()...).
		AllowAbilities("notes.*").
		MCP(elyra.NewMCP().
			AllowAbilities("notes.*").
			Confirm("notes.delete")), nil
}

// Kind is what a note is about.
type Kind string

const (
	Work Kind = "work"
	Home Kind = "home"
)

// Note is something to remember.
type Note struct {
	Text string `json:"text"` // what to remember
	Kind Kind   `json:"kind"` // what it is about
}

// Filter selects notes.
type Filter struct {
	Kind   *Kind    `json:"kind"` // only these
	Around [2]int   `json:"around,omitempty"`
	Words  []string `json:"words,omitempty"` // all of them are in the text
}

// book keeps notes in memory.
type book struct {
	mu    sync.Mutex
	notes []Note

	counting int
}

// Store adds a note. Use it when the user wants something remembered.
//
//elyra:command can=notes.create additive
func (b *book) Store(ctx context.Context, note Note) (Note, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, note)
	return note, nil
}

// Index lists the notes.
//
//elyra:command can=notes.view readonly timeout=10s
func (b *book) Index(ctx context.Context, filter *Filter) ([]Note, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.notes, nil
}

// Count counts the notes of a kind, or all.
//
//elyra:command can=notes.view live
func (b *book) Count(ctx context.Context, kind *Kind) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counting++ // so that there is something to watch
	elyra.RerunAt(ctx, time.Now().Add(10*time.Millisecond))
	return b.counting, nil
}

// Clear deletes all notes.
//
//elyra:command can=notes.delete
func (b *book) Clear(ctx context.Context) error {
	fmt.Fprintln(os.Stderr, "all notes are gone")
	return nil
}

// Fail always fails.
//
//elyra:command can=notes.fail
func Fail(ctx context.Context, why string) error { return errors.New(why) }

//elyra:command
func Hidden(ctx context.Context) error { return nil }

//elyra:command can=admin.reset
func Reset(ctx context.Context) error { return nil }
