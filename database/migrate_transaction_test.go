package database

import (
	"strings"
	"testing"
)

func TestOwnTransaction(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		line int
	}{
		{"create table a(id int);\ncommit;", 2},
		{"create table a(id int);\n/* now /* really */ */ -- yes\n  Commit Work;", 3},
		{"select 1; end; select 2", 1},
		{"START\n  TRANSACTION", 1},
		{"rollback to savepoint a; rollback work to a", 0},
		{"\n\nrollback", 3},
		{"prepare transaction 'x'", 1},
		{"prepare p as select 1", 0},
		{"select 'a; commit;', \"b; commit\", E'\\'; commit;', $$; commit;$$, $b$ $$; commit; $b$", 0},
		{"select 'a''; commit;'", 0},
		{"create function f() returns int language plpgsql as $$\nbegin\n  return 1;\nend;\n$$;\ncommit", 6},
		{"create function f() returns int begin atomic select 1; select 2; end;\nabort;", 2},
		{"select a$b$ from t; commit; select c$b$", 1},
		{"select 1; -- commit;\n/* ; commit;", 0},
		{"select commit, beginning; ending; begins", 0},
		{"", 0},
	} {
		if line, words := ownTransaction(tt.text); line != tt.line {
			t.Errorf("%q: line %d (%s), want %d", tt.text, line, words, tt.line)
		}
	}
}

func FuzzOwnTransaction(f *testing.F) {
	for _, seed := range []string{"commit", "select 'a", "E'\\", "$a$ $", "/* /* */", "-- x", "begin atomic end", "a$$b", "$\xff$;end"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := plainSQL(text)
		if len(plain) != len(text) || strings.Count(plain, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q became %q", text, plain)
		}
		if line, _ := ownTransaction(text); line < 0 || line > 1+strings.Count(text, "\n") {
			t.Fatalf("%q: line %d", text, line)
		}
		if line, _ := ownTransaction(text + "\n;\ncommit;"); line == 0 && plainSQL(text + "\n;")[len(text)+1] == ';' && !atomic.MatchString(plain) {
			t.Fatalf("%q hides a commit", text)
		}
	})
}
