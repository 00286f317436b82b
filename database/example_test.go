package database_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
)

func ExampleTransact() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: "sqlite:bank.db", Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, "create table account(owner text, amount integer); insert into account values ('Ada', 10), ('Grace', 0)"); err != nil {
		log.Fatal(err)
	}

	err = database.Transact(ctx, db, func(ctx context.Context) error {
		// The ctx of this function is what makes a statement part of the transaction.
		if _, err := db.ExecContext(ctx, "update account set amount = amount - 20 where owner = 'Ada'"); err != nil {
			return err
		}
		return errors.New("Ada has too little")
	})

	var amount int
	if err := db.QueryRowContext(ctx, "select amount from account where owner = 'Ada'").Scan(&amount); err != nil {
		log.Fatal(err)
	}
	fmt.Println(err, amount)
	// Output: Ada has too little 10
}

func ExampleMigrate() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: filepath.Join(dir, "crm.db")})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	// In an app this is an embed.FS.
	files := fstest.MapFS{"00001_customers.sql": {Data: []byte(
		"-- +goose Up\ncreate table customers(id integer primary key, name text);\n-- +goose Down\ndrop table customers;\n")}}
	for range 2 {
		applied, err := database.Migrate(context.Background(), db, files, database.MigrateOptions{})
		fmt.Println(applied, err)
	}
	// Output:
	// 1 <nil>
	// 0 <nil>
}

func ExampleHandle() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: "sqlite:notes.db", Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	h, _ := database.HandleOf(db)
	stop := h.OnCommit(func(w database.Writes) { fmt.Println(w.Tables, w.Everything) })
	defer stop()
	for _, text := range []string{"create table note(body text)", "insert into note values ('hello')"} {
		if _, err := db.Exec(text); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// [] true
	// [note] false
}
