package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"sync"

	lib "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// physical is one real connection to the file: a reader, or the writer.
type physical struct {
	raw     rawConn
	writer  bool
	watched *watched // of the store
	proven  bool     // this release of SQLite is the one that plans were tested with

	// mu is held during every use of raw. Statements that join a transaction come through
	// several virtual connections, and SQLite's connection is one.
	mu      sync.Mutex
	cache   cache
	kinds   rawStatement // asks what a name stands for, once compiled
	version rawStatement // asks for the version of the schema
	foreign rawStatement // asks whether others have committed

	// The callbacks below run inside calls that hold mu.
	silent     bool    // our own question is being compiled: note nothing
	events     []event // what was asked since the last statement began
	refused    error   // why the authorizer said no
	ours       bool    // BEGIN, COMMIT and ROLLBACK are ours now, else a statement's
	inTx       bool    // a transaction of ours is open
	rolledBack bool    // SQLite ended the transaction by itself
	pending    changes // of the transaction that is open
	committed  changes // of transactions that were committed and are not published yet
	several    bool    // the statement begun last is a script, of which a part may be committed
	row        []any   // what the preupdate hook reads into

	schema   *schema // what plans were made by, nil before the first
	dataSeen int64   // the last answer about the commits of others
	born     int     // the store's generation
}

// rawConn is what this package uses of a connection of modernc.org/sqlite.
type rawConn interface {
	sqldriver.Conn
	sqldriver.ConnBeginTx
	sqldriver.ConnPrepareContext
	lib.AuthorizerRegisterer
	lib.HookRegisterer
	IsReadOnly(schema string) (bool, error)
}

var (
	errNeedsWriter = errors.New("this statement is not for a reader")
	errOwnBegin    = errors.New("BEGIN, COMMIT and ROLLBACK cannot be statements, because connections are pooled: use db.BeginTx, or database.Transact")
	errLooseSave   = errors.New("SAVEPOINT outside a transaction: use database.Transact, which nests")
	errRolledBack  = errors.New("the transaction was rolled back by SQLite when an earlier statement failed or was cancelled")
	errReadOnlyTx  = errors.New("this transaction is read-only")
)

// connect opens one connection. name is from source.
func connect(ctx context.Context, name string, writer bool, w *watched) (*physical, error) {
	connector, err := lib.NewConnector(name)
	if err != nil {
		return nil, err
	}
	opened, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	raw, ok := opened.(rawConn)
	if !ok {
		_ = opened.Close()
		return nil, fmt.Errorf("the SQLite library's connection %T lacks the hooks that are needed", opened)
	}
	p := &physical{raw: raw, writer: writer, watched: w}
	if err := raw.RegisterAuthorizer(p.authorize); err != nil {
		_ = raw.Close()
		return nil, err
	}
	if writer {
		raw.RegisterPreUpdateHook(p.changing)
		raw.RegisterCommitHook(p.committing)
		raw.RegisterRollbackHook(p.rollingBack)
	}
	return p, nil
}

func (p *physical) close() error {
	p.cache.clear()
	for _, s := range []rawStatement{p.kinds, p.version, p.foreign} {
		if s != nil {
			_ = s.Close()
		}
	}
	return p.raw.Close()
}

// statement compiles text, or finds it compiled. The caller gives it back by release.
func (p *physical) statement(ctx context.Context, text string) (*statement, error) {
	p.events, p.refused = p.events[:0], nil
	if s := p.cache.take(text); s != nil {
		if s.access.savepoint != "" && !p.inTx {
			p.release(s)
			return nil, errLooseSave
		}
		return s, nil
	}
	raw, err := p.raw.PrepareContext(ctx, text)
	if err != nil {
		return nil, &compileError{p.explain(err)}
	}
	s := &statement{raw: raw.(rawStatement), text: text, script: isScript(text), busy: true}
	s.access = p.noted()
	s.access.volatile = s.access.volatileIn(text)
	if s.script {
		// Only the first of its statements has been compiled.
		s.access.everything, s.access.readOnly = true, false
	}
	if !s.script && !s.access.schema {
		p.cache.put(s)
	}
	return s, nil
}

func (p *physical) release(s *statement) {
	if s.cached {
		s.busy = false
		return
	}
	_ = s.raw.Close()
}

// noted makes sense of the events since the last call.
func (p *physical) noted() access {
	events := p.events
	p.silent = true
	a := describe(events, p.kind)
	p.silent = false
	p.events = p.events[:0]
	return a
}

// after is called when a statement has taken its first step, in which SQLite compiles it
// again if the schema changed.
func (p *physical) after(s *statement) {
	if len(p.events) > 0 {
		s.access.merge(p.noted())
		if s.access.plan != nil && !p.sameSchema() {
			s.access.plan = nil
		}
	}
}

// sameSchema reports whether the schema is the one that plans were proven with. SQLite also
// compiles statements again to look at new values of parameters.
func (p *physical) sameSchema() bool {
	p.silent = true
	defer func() { p.silent = false }()
	version, err := p.one(context.Background(), &p.version, "pragma schema_version")
	return err == nil && p.schema != nil && whole(version) == p.schema.version
}

// explain puts the reason why the authorizer said no in place of SQLite's "not authorized", and
// says what to do about a disk.
func (p *physical) explain(err error) error {
	if err != nil && p.refused != nil {
		return p.refused
	}
	return aboutDisk(err)
}

// aboutDisk says what to do when the disk is the reason of err.
func aboutDisk(err error) error {
	e, ok := errors.AsType[*lib.Error](err)
	switch {
	case ok && e.Code()&0xff == codes.SQLITE_FULL:
		return fmt.Errorf("the disk is full: free some space: %w", err)
	case ok && e.Code()&0xff == codes.SQLITE_IOERR:
		return fmt.Errorf("the system could not read or write the file: check the disk and its space: %w", err)
	}
	return err
}

// kind tells what a name in the main schema stands for: "table", "view", "virtual" or
// "shadow", and "" for none of them or when it cannot be told. silent must be set.
func (p *physical) kind(name string) string {
	kind, err := p.one(context.Background(), &p.kinds, "select type from pragma_table_list(?) where schema = 'main'", name)
	if err != nil {
		return ""
	}
	return text(kind)
}
