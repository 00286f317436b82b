package database

import (
	"context"
	"fmt"
)

// scope is all that this package keeps in a context. It is one immutable value, so that a
// driver pays for one look-up a statement.
type scope struct {
	call     *Call
	recorder Recorder
	readOnly *ReadOnlyError
	tx       *Joining
}

type scopeKey struct{}

func scopeOf(ctx context.Context) scope {
	if s, ok := ctx.Value(scopeKey{}).(*scope); ok {
		return *s
	}
	return scope{}
}

func (s scope) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeKey{}, &s)
}

// Call marks the statements of one call of a command. Its identity is all that matters.
type Call struct {
	_ byte // two pointers to a type of no size may be equal
}

// WithCall marks ctx as one call. A database has one writer, so a call that holds it open
// in a transaction and writes beside that transaction would wait for itself for ever; the
// marker is how a driver sees this and fails at once instead. The framework marks the ctx
// of every command. A ctx that is marked already keeps its marker, because a command called
// by a command waits with it.
func WithCall(ctx context.Context) context.Context {
	s := scopeOf(ctx)
	if s.call != nil {
		return ctx
	}
	s.call = &Call{}
	return s.in(ctx)
}

// CallOf gives the marker that [WithCall] put on ctx, or nil.
func CallOf(ctx context.Context) *Call { return scopeOf(ctx).call }

// WithRecorder has the reads of all statements made with the returned context told to r.
func WithRecorder(ctx context.Context, r Recorder) context.Context {
	s := scopeOf(ctx)
	s.recorder = r
	return s.in(ctx)
}

// RecorderFrom gives the recorder of ctx, or nil.
func RecorderFrom(ctx context.Context) Recorder { return scopeOf(ctx).recorder }

// WithReadOnly makes statements that write fail with a [ReadOnlyError] that names command,
// and transactions read-only.
func WithReadOnly(ctx context.Context, command string) context.Context {
	s := scopeOf(ctx)
	s.readOnly = &ReadOnlyError{Command: command}
	return s.in(ctx)
}

// ReadOnlyFrom gives the error with which a statement that writes must fail under ctx, or
// nil when it may write.
func ReadOnlyFrom(ctx context.Context) error {
	if e := scopeOf(ctx).readOnly; e != nil {
		return e
	}
	return nil
}

// ReadOnlyError is the error of a statement that tried to write under [WithReadOnly].
type ReadOnlyError struct {
	Command string // the command that must only read
}

func (e *ReadOnlyError) Error() string {
	return fmt.Sprintf("`%s` is a live command and must only read", e.Command)
}

// Detach gives a context for work that outlives the call it was started from: it belongs to
// no call and no transaction, may write, and its reads are told to nobody. Values of others,
// the deadline and the cancellation stay.
func Detach(ctx context.Context) context.Context { return scope{}.in(ctx) }
