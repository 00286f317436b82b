package liveload

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"testing/fstest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
)

// Postgres is a database of its own on a PostgreSQL server, and somebody else who writes to it.
type Postgres struct {
	*World
	other *sql.DB
}

// OpenPostgres makes the database. Capture has it say at once what changed.
func OpenPostgres(ctx context.Context, address string, capture bool) (p *Postgres, err error) {
	name := fmt.Sprintf("bench%d", time.Now().UnixNano())
	if err := once(ctx, address, "create database "+name); err != nil {
		return nil, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	u.Path = name
	files := fstest.MapFS{"00001_member.sql": {Data: []byte("-- +goose Up\ncreate table member(id int primary key, name text, team int);\n" +
		"insert into member select i, 'Person ' || i, i % 1000 from generate_series(0, 9999) i;\n")}}
	if capture {
		files["00002_capture.sql"] = &fstest.MapFile{Data: []byte(postgres.CaptureMigration)}
	}
	db, err := postgres.Driver().Open(database.OpenOptions{URL: u.String()})
	if err != nil {
		return nil, err
	}
	p = &Postgres{World: over(db, Options{})}
	if _, err = database.Migrate(ctx, db, files, database.MigrateOptions{}); err == nil {
		p.other, err = postgres.Driver().Open(database.OpenOptions{URL: u.String()})
	}
	if err != nil {
		return nil, errors.Join(err, p.World.Close())
	}
	return p, nil
}

func once(ctx context.Context, address, statement string) error {
	db, err := postgres.Driver().Open(database.OpenOptions{URL: address})
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement)
	return errors.Join(err, db.Close())
}

// PushOthers has the other one change a member n times.
func (p *Postgres) PushOthers(ctx context.Context, n int) (push Push, err error) {
	const id = 7
	s, err := p.follow("member", func(ctx context.Context, db *sql.DB) ([]byte, error) {
		var name string
		err := db.QueryRowContext(ctx, "select name from member where id = $1", id).Scan(&name)
		return []byte(name), err
	})
	if err != nil {
		return push, err
	}
	return PushOthers(func(statement string) error {
		_, err := p.other.ExecContext(ctx, statement)
		return err
	}, s, id, n)
}

// Close lets go of both. The database stays, on a server that is the measurement's own.
func (p *Postgres) Close() error { return errors.Join(p.World.Close(), p.other.Close()) }
