package orm

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jmoiron/sqlx"
	gormsqlite "github.com/libtnb/sqlite"
	"github.com/pressly/goose/v3"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/test/orm/queries"
)

type person struct {
	bun.BaseModel `bun:"table:people" gorm:"-" db:"-"`

	ID   int64      `bun:",pk,autoincrement" db:"id" gorm:"primaryKey"`
	Name string     `db:"name"`
	Born *time.Time `db:"born"`
}

func (person) TableName() string { return "people" }

func join(all []person) string {
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return strings.Join(names, " ")
}

func TestSQLX(t *testing.T) {
	t.Parallel()
	db, r := open(t)
	x := sqlx.NewDb(db, "sqlite")
	x.MustExec(schema)
	exercise(t, db, r, store{
		add: func(ctx context.Context, name string) (id int64, err error) {
			err = x.GetContext(ctx, &id, "insert into people(name, born) values (?, ?) returning id", name, time.Now())
			return id, err
		},
		rename: func(ctx context.Context, id int64, name string) error {
			_, err := x.NamedExecContext(ctx, "update people set name = :name where id = :id", map[string]any{"id": id, "name": name})
			return err
		},
		remove: func(ctx context.Context, id int64) error {
			_, err := x.ExecContext(ctx, "delete from people where id = ?", id)
			return err
		},
		names: func(ctx context.Context) (string, error) {
			var all []person
			err := x.SelectContext(ctx, &all, "select id, name, born from people order by id")
			return join(all), err
		},
		show: func(ctx context.Context, id int64) (string, error) {
			var p person
			text, args, err := sqlx.In("select id, name, born from people where id in (?)", []int64{id})
			if err != nil {
				return "", err
			}
			err = x.GetContext(ctx, &p, x.Rebind(text), args...)
			return p.Name, err
		},
		pair: func(ctx context.Context, a, b string, back bool) error {
			tx, err := x.BeginTxx(ctx, nil)
			if err != nil {
				return err
			}
			defer func() { _ = tx.Rollback() }()
			for _, name := range []string{a, b} {
				if _, err := tx.NamedExecContext(ctx, "insert into people(name) values (:name)", person{Name: name}); err != nil {
					return err
				}
			}
			if back {
				return errBack
			}
			return tx.Commit()
		},
	})
}

func TestBun(t *testing.T) {
	t.Parallel()
	db, r := open(t)
	b := bun.NewDB(db, sqlitedialect.New())
	if _, err := b.NewCreateTable().Model((*person)(nil)).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	exercise(t, db, r, store{
		add: func(ctx context.Context, name string) (int64, error) {
			now := time.Now()
			p := &person{Name: name, Born: &now}
			_, err := b.NewInsert().Model(p).Exec(ctx)
			return p.ID, err
		},
		rename: func(ctx context.Context, id int64, name string) error {
			_, err := b.NewUpdate().Model(&person{ID: id, Name: name}).Column("name").WherePK().Exec(ctx)
			return err
		},
		remove: func(ctx context.Context, id int64) error {
			_, err := b.NewDelete().Model(&person{ID: id}).WherePK().Exec(ctx)
			return err
		},
		names: func(ctx context.Context) (string, error) {
			var all []person
			err := b.NewSelect().Model(&all).Order("id").Scan(ctx)
			return join(all), err
		},
		show: func(ctx context.Context, id int64) (string, error) {
			p := &person{ID: id}
			err := b.NewSelect().Model(p).WherePK().Scan(ctx)
			return p.Name, err
		},
		pair: func(ctx context.Context, one, two string, back bool) error {
			return b.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
				if _, err := tx.NewInsert().Model(&[]person{{Name: one}, {Name: two}}).Exec(ctx); err != nil {
					return err
				}
				if back {
					return errBack
				}
				return nil
			})
		},
	})
}

func TestGorm(t *testing.T) {
	t.Parallel()
	db, r := open(t)
	g, err := gorm.Open(&gormsqlite.Dialector{Conn: db}, &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.AutoMigrate(&person{}); err != nil {
		t.Fatal(err)
	}
	exercise(t, db, r, store{
		add: func(ctx context.Context, name string) (int64, error) {
			now := time.Now()
			p := &person{Name: name, Born: &now}
			err := plain(ctx, g).Create(p).Error
			return p.ID, err
		},
		rename: func(ctx context.Context, id int64, name string) error {
			return plain(ctx, g).Model(&person{ID: id}).Update("name", name).Error
		},
		remove: func(ctx context.Context, id int64) error { return plain(ctx, g).Delete(&person{ID: id}).Error },
		names: func(ctx context.Context) (string, error) {
			var all []person
			err := g.WithContext(ctx).Order("id").Find(&all).Error
			return join(all), err
		},
		show: func(ctx context.Context, id int64) (string, error) {
			var p person
			err := g.WithContext(ctx).First(&p, id).Error
			return p.Name, err
		},
		pair: func(ctx context.Context, one, two string, back bool) error {
			return g.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
				if err := tx.Create(&[]person{{Name: one}, {Name: two}}).Error; err != nil {
					return err
				}
				if back {
					return errBack
				}
				return nil
			})
		},
	})
}

// plain is gorm without the transaction it puts around each write, so that writes join the
// transaction of the ctx.
func plain(ctx context.Context, g *gorm.DB) *gorm.DB {
	return g.WithContext(ctx).Session(&gorm.Session{SkipDefaultTransaction: true})
}

func TestSQLC(t *testing.T) {
	t.Parallel()
	db, r := open(t)
	if _, err := db.ExecContext(t.Context(), schema); err != nil {
		t.Fatal(err)
	}
	q := queries.New(db)
	exercise(t, db, r, store{
		add: q.AddPerson,
		rename: func(ctx context.Context, id int64, name string) error {
			return q.RenamePerson(ctx, queries.RenamePersonParams{Name: name, ID: id})
		},
		remove: q.RemovePerson,
		names: func(ctx context.Context) (string, error) {
			all, err := q.ListNames(ctx)
			return strings.Join(all, " "), err
		},
		show: q.ShowName,
		pair: func(ctx context.Context, one, two string, back bool) error {
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer func() { _ = tx.Rollback() }()
			for _, name := range []string{one, two} {
				if _, err := q.WithTx(tx).AddPerson(ctx, name); err != nil {
					return err
				}
			}
			if back {
				return errBack
			}
			return tx.Commit()
		},
	})
}

func TestGoose(t *testing.T) {
	t.Parallel()
	db, r := open(t)
	tables := follow(t, r, "tables", func(ctx context.Context) (names string, err error) {
		err = db.QueryRowContext(ctx, "select coalesce(group_concat(name, ' '), '') from sqlite_schema where name like 'p%'").Scan(&names)
		return names, err
	})
	tables.expect("")
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, fstest.MapFS{
		"00001_people.sql": {Data: []byte("-- +goose Up\n" + schema + ";\n-- +goose Down\ndrop table people;\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	tables.expect("people")
	if _, err := provider.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
	tables.expect("")
	if _, ok := database.HandleOf(db); !ok {
		t.Error("no handle")
	}
}
