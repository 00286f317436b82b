package sqlite_test

import (
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
)

// TestTablesThatOthersChangeAreNamed writes through a second database on the same file, which
// is another one to the first as a second process is.
func TestTablesThatOthersChangeAreNamed(t *testing.T) {
	t.Parallel()
	o := open(t, `create table person(id integer primary key, name text, team integer); create index person_team on person(team);
		create table log(id integer primary key, note blob); create table pair(a, b, primary key(a, b)) without rowid;
		with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into person select i, 'name ' || i, i from n;
		insert into log values (1, zeroblob(50000)); insert into pair values (1, 1)`)
	other := openAt(t, o.path)
	h, _ := database.HandleOf(o.DB)
	stop := h.Watch()
	defer stop()
	changes := make(chan struct{}, 1)
	defer h.OnCommit(func(database.Writes) {
		select {
		case changes <- struct{}{}:
		default:
		}
	})()
	// The first write of all may be told as everything, because the map was not ready.
	told := func(statement string) string {
		other.exec(t.Context(), statement)
		select {
		case <-changes:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: not seen", statement)
		}
		return o.told()
	}
	told("insert into log values (2, 'x')")
	for _, test := range []struct {
		name, do, want string
	}{
		{"a row", "update person set name = 'z' where id = 1000", "person*"},
		{"an index", "update person set team = -5 where id = 1000", "person*"},
		{"another table", "update log set note = 'y' where id = 2", "log* person*"},
		{"again", "update log set note = 'z' where id = 2", "log*"},
		{"no rowid", "insert into pair values (2, 2)", "log* pair*"},
		{"many pages", "with recursive n(i) as (select 5000 union all select i + 1 from n where i < 7000) insert into person select i, 'name ' || i, i from n", "pair* person*"},
		{"the schema", "create table more(a)", "everything"},
		{"after it", "insert into pair values (3, 3)", "pair*"},
	} {
		got := told(test.do)
		// The pages of the commit before are looked at again, because it could have been in the
		// file before it counted.
		for _, table := range strings.Fields(test.want) {
			if !strings.Contains(got, table) {
				t.Errorf("%s: told %q, want %q", test.name, got, test.want)
			}
		}
		if got == "everything" && test.want != got {
			t.Errorf("%s: told everything, want %q", test.name, test.want)
		}
	}
}
