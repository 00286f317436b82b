package live_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
)

// TestTheSchemaChangesUnderASubscription takes the table away and brings it back in other forms.
func TestTheSchemaChangesUnderASubscription(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, r := app(t)
		s, err := r.Subscribe(live.Key{Command: "person_show"}, func(ctx context.Context) ([]byte, error) {
			var name string
			err := db.QueryRowContext(database.WithReadOnly(ctx, "person_show"), "select name from person where id = 1").Scan(&name)
			return []byte(name), err
		})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, s, "Ada")
		for _, step := range []struct{ do, want string }{
			{"drop table person", "Ada!"},
			{"create table other2(a)", "-"}, // it fails as before
			{"create view person as select 1 id, 'View' name", "View"},
			{"drop view person", "View!"},
			{"create table person(name text, id integer); insert into person values ('Moved', 1)", "Moved"},
			{"update person set name = 'Again' where id = 1", "Again"},
			{"create index person_id on person(id)", "-"},
			{"update person set name = 'By index' where id = 1", "By index"},
			{"insert into person values ('Another', 2)", "-"},
			{"alter table person rename column name to label", "By index!"},
			{"alter table person rename column label to name; update person set name = 'Back' where id = 1", "Back"},
			{"alter table person rename to people; create view person as select * from people", "-"},
			{"update people set name = 'Through a view' where id = 1", "Through a view"},
		} {
			pass()
			write(t, db, step.do)
			if got := next(s); got != step.want && !(strings.HasSuffix(step.want, "!") && strings.HasPrefix(got, step.want)) {
				t.Errorf("%s: pushed %q, want %q", step.do, got, step.want)
			}
		}
	})
}

// TestAQuerySlowerThanTheWrites runs as often as its pace allows, each time with what is new then, and ends
// with the last.
func TestAQuerySlowerThanTheWrites(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, r := app(t)
		runs := 0
		s, err := r.Subscribe(live.Key{Command: "person_show"}, func(ctx context.Context) ([]byte, error) {
			runs++
			var name string
			err := db.QueryRowContext(ctx, "select name from person where id = 1").Scan(&name)
			time.Sleep(30 * time.Millisecond)
			return []byte(name), err
		})
		if err != nil {
			t.Fatal(err)
		}
		pass()
		expect(t, s, "Ada")
		const writes = 500
		pushed := 0
		for i := range writes {
			write(t, db, "update person set name = ? where id = 1", fmt.Sprint("Name ", i))
			time.Sleep(2 * time.Millisecond)
			if next(s) != "-" {
				pushed++
			}
		}
		pass()
		if got, want := next(s), fmt.Sprint("Name ", writes-1); got != want {
			t.Errorf("at last %q, want %q", got, want)
		}
		// A run takes 30 ms and waits for 120: within the second of the writes there is room for eight.
		if runs < 8 || runs > 11 || pushed < 6 {
			t.Errorf("%d runs and %d pushes during %d writes", runs, pushed, writes)
		}
	})
}
