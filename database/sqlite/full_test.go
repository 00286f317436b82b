package sqlite_test

import (
	"context"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/database"
)

// TestAFullDatabase lets the file grow no further. What does not fit fails, is told to nobody
// and leaves nothing behind; once there is room, writes go on.
func TestAFullDatabase(t *testing.T) {
	t.Parallel()
	const large = "insert into log(message) values (zeroblob(500000))"
	for _, test := range []struct {
		name string
		do   func(ctx context.Context, o *opened) error
	}{
		{"a statement", func(ctx context.Context, o *opened) error {
			_, err := o.ExecContext(ctx, large)
			return err
		}},
		{"one that returns rows", func(ctx context.Context, o *opened) error {
			var id int
			return o.QueryRowContext(ctx, large+" returning id").Scan(&id)
		}},
		{"a transaction", func(ctx context.Context, o *opened) error {
			return database.Transact(ctx, o.DB, func(ctx context.Context) error {
				o.exec(ctx, "insert into team(name) values ('x')")
				_, err := o.ExecContext(ctx, large)
				return err
			})
		}},
		{"a savepoint whose error is passed over", func(ctx context.Context, o *opened) error {
			var full error
			err := database.Transact(ctx, o.DB, func(ctx context.Context) error {
				return database.Transact(ctx, o.DB, func(ctx context.Context) error {
					_, full = o.ExecContext(ctx, large)
					return full
				})
			})
			if err == nil {
				return nil
			}
			return full
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := open(t, schema)
			o.watch("select * from log where id = 1")
			o.exec(t.Context(), "pragma max_page_count = 40")
			o.published()
			err := test.do(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), "the disk is full: free some space") {
				t.Errorf("a write that does not fit: %v", err)
			}
			if told := o.told(); told != "" {
				t.Errorf("told %s", told)
			}
			if n := o.int(t.Context(), "select (select count(*) from log) + (select count(*) from team)"); n != 0 {
				t.Errorf("%d rows are there", n)
			}
			o.exec(t.Context(), "pragma max_page_count = 100000")
			o.published()
			o.exec(t.Context(), large)
			if told := o.told(); told != "log -→1" {
				t.Errorf("with room again: told %q", told)
			}
		})
	}
}
