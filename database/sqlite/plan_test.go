package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
)

// rowRecorder writes down what was read, with its conditions.
type rowRecorder struct{ seen []string }

func (r *rowRecorder) Read(table string)    { r.seen = append(r.seen, table) }
func (r *rowRecorder) From(database.Handle) {}

func (r *rowRecorder) Volatile(string) {}
func (r *rowRecorder) ReadEverything() { r.seen = append(r.seen, "*") }

func (r *rowRecorder) ReadRows(table string, conditions []database.Condition) {
	for _, c := range conditions {
		var terms []string
		for _, t := range c {
			name := fmt.Sprint(t.Column)
			if t.Column == database.RowID {
				name = "id"
			}
			if t.IsEqual() {
				terms = append(terms, name+"="+show(t.Low))
			} else {
				terms = append(terms, show(t.Low)+"≤"+name+"≤"+show(t.High))
			}
		}
		r.seen = append(r.seen, table+"["+strings.Join(terms, " ")+"]")
	}
}

func show(v database.Value) string {
	n, whole := v.Whole()
	switch {
	case !v.IsKnown():
		return ""
	case v.IsNull():
		return "null"
	case whole:
		return fmt.Sprint(n)
	case v.IsNumber():
		return "fraction"
	}
	return "'" + v.Bytes() + "'"
}

const planSchema = `
create table person(id integer primary key, name text not null, email text, score real, team integer, created text);
create index person_team on person(team);
create index person_email on person(email collate nocase);
create index person_name on person(name, team);
create index person_score on person(score);
create index person_created on person(created desc);
create index person_lower on person(lower(name));
create index person_some on person(email) where team > 1;
create table team(id integer primary key, name text);
create table tag(person integer, tag text, primary key(person, tag)) without rowid;
create table event(id integer primary key, at datetime, kind integer);
create index event_at on event(at);
create index event_kind on event(kind);
create table made(id integer primary key, a, b as (a + 1), c);
create index made_b on made(b);
create index made_c on made(c);
create table uid(id text primary key, v);
create view named as select p.id, p.name, t.name team from person p join team t on t.id = p.team;
create virtual table docs using fts5(body);
`

func TestWhatIsRead(t *testing.T) {
	t.Parallel()
	db := open(t, planSchema)
	for _, test := range []struct {
		query string
		args  []any
		want  string
	}{
		{"select * from person where id = ?", []any{1}, "person[id=1]"},
		{"select * from person where rowid = 7", nil, "person[id=7]"},
		{"select * from person where id = ?", []any{"1"}, "person"},
		{"select * from person where id = ?", []any{1.0}, "person[id=1]"},
		{"select * from person where id = ?", []any{nil}, "person[id=null]"},
		{"select * from person where id = ?", []any{1.5}, "person[id=fraction]"},
		{"select * from person where id = $1", []any{1}, "person[id=1]"},
		{"select * from person where team = $2 and id > $1", []any{1, 2}, "person"},
		{"select * from person where id = :id", []any{sql.Named("id", 1)}, "person"},
		{"select * from person where id in (?, ?, 9)", []any{1, 2}, "person[id=1] person[id=2] person[id=9]"},
		{"select * from person where id > ? and id <= ?", []any{3, 8}, "person[3≤id≤8]"},
		{"select * from person where id > ? order by id limit 5", []any{3}, "person[3≤id≤]"},
		{"select * from person where id < ? order by id desc limit 5", []any{3}, "person[≤id≤3]"},
		{"select id, name from person where team = ? order by id limit 50", []any{4}, "person[4=4]"},
		{"select id, name from person where team = ? and id > ? order by id limit 50", []any{4, 9}, "person[4=4 9≤id≤]"},
		{"select count(*) from person where team = ?", []any{4}, "person[4=4]"},
		{"select max(score) from person where team = ?", []any{"4"}, "person"},
		{"select max(id) from person where team = ?", []any{4}, "person[4=4]"},
		{"select * from person where name = ? and team = ?", []any{"a", 4}, "person[1='a' 4=4]"},
		{"select * from person where name = ? and team in (1, 2)", []any{"a"}, "person[1='a' 4=1] person[1='a' 4=2]"},
		{"select * from person where name = ? and team between ? and ?", []any{"a", 1, 5}, "person[1='a' 1≤4≤5]"},
		{"select * from person where name = ? order by team desc limit 1", []any{"a"}, "person[1='a']"},
		{"select * from person where name = ?", []any{5}, "person"},
		{"select * from person where name = ?", []any{"a\x00b"}, "person"},
		{"select * from person where score >= ? and score < ?", []any{1, 2}, "person[1≤3≤2]"},
		{"select * from person where score < ?", []any{2}, "person[null≤3≤2]"},
		{"select * from person where created > ? order by created desc", []any{"2026"}, "person['2026'≤5≤]"},
		{"select * from person where created between ? and ? order by created", []any{"2025", "2026"}, "person['2025'≤5≤'2026']"},
		{"select * from person where team = ? or id = ?", []any{1, 2}, "person[4=1] person[id=2]"},
		{"select * from person where email = ? collate nocase", []any{"a"}, "person"},
		{"select * from person where lower(name) = ?", []any{"a"}, "person"},
		{"select * from person where email = ? and team > 1", []any{"a"}, "person"},
		{"select * from event where at >= ?", []any{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, "event['2026-01-02 03:04:05+00:00'≤1≤]"},
		{"select * from event where at = ?", []any{"2026-01-02"}, "event"},
		{"select * from event where kind = ?", []any{"new"}, "event[2='new']"},
		{"select * from event where kind = ?", []any{"1e3"}, "event"},
		{"select * from uid where id = ?", []any{"x"}, "uid[0='x']"},
		{"select tag from tag where person = ?", []any{1}, "tag"},
		{"select * from made where b = ?", []any{1}, "made"},
		{"select * from made where c = ?", []any{1}, "made"},
		{"select * from made where id = ?", []any{1}, "made[id=1]"},
		{"select * from named where id = ?", []any{1}, "person[id=1] team"},
		{"select p.name, t.name from person p, team t where p.id = ? and t.id = ?", []any{1, 2}, "person[id=1] team[id=2]"},
		{"select * from person where id = (select max(id) from person)", nil, "person"},
		{"select * from person where id = ? + 1", []any{1}, "person"},
		{"select * from person", nil, "person"},
		{"select count(*) from person", nil, "person"},
		{"select exists(select 1 from person where id = ?)", []any{1}, "person[id=1]"},
		{"select id from person where id = ?1 union all select id from team where id = ?1", []any{1}, "person[id=1] team[id=1]"},
		{"with one as (select * from person where id = ?) select count(*) from one", []any{1}, "person[id=1]"},
		{"select * from docs where docs match ?", []any{"a"}, "*"},
	} {
		r := &rowRecorder{}
		rows, err := db.QueryContext(database.WithRecorder(context.Background(), r), test.query, test.args...)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		rows.Close()
		slices.Sort(r.seen)
		if got := strings.Join(r.seen, " "); got != test.want {
			t.Errorf("%s %v\n got %s\nwant %s", test.query, test.args, got, test.want)
		}
	}
}
