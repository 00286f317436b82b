package state

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/home"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, text string) (*Store, *home.Dir) {
	t.Helper()
	dir, err := home.Open(filepath.Join(t.TempDir(), "agent"))
	must(t, err)
	if text != "" {
		must(t, dir.Write(fileName, []byte(text)))
	}
	return New(dir), dir
}

func TestServersOfOneNameAreApart(t *testing.T) {
	t.Parallel()
	s, dir := open(t, "")
	user, project, other := Server{Name: "a"}, Server{"a", "/w/p"}, Server{"a", "/w/q"}
	must(t, s.Set(t.Context(), project, true))
	must(t, s.Set(t.Context(), Server{Name: "Überall"}, true))
	got, err := s.Disabled()
	must(t, err)
	if !got[project] || got[user] || got[other] {
		t.Errorf("%v", got)
	}
	must(t, s.Set(t.Context(), user, true))
	must(t, s.Set(t.Context(), project, false))
	must(t, s.Set(t.Context(), other, false)) // it was not off
	got, err = s.Disabled()
	if want := (Disabled{user: true, {Name: "Überall"}: true}); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	const want = "{\n  \"disabled\": [\n    {\n      \"name\": \"a\"\n    },\n    {\n      \"name\": \"Überall\"\n    }\n  ]\n}\n"
	if data, _ := dir.Read(fileName); string(data) != want {
		t.Errorf("the file is\n%s", data)
	}
}

func TestNothingIsWrittenForNothing(t *testing.T) {
	t.Parallel()
	s, dir := open(t, "")
	must(t, s.Set(t.Context(), Server{Name: "a"}, false))
	if got, err := s.Disabled(); len(got) != 0 || err != nil {
		t.Errorf("%v %v", got, err)
	}
	if _, err := os.Stat(dir.Path(fileName)); err == nil {
		t.Error("a file was made")
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       Disabled
		damaged    bool
	}{
		{"empty", " \n", Disabled{}, false},
		{"no list", `{}`, Disabled{}, false},
		{"of a later version", `{"disabled": [{"name": "a", "x": 1}], "y": 2}`, Disabled{{Name: "a"}: true}, false},
		{"by hand", `{"disabled": ["a", {"name": "b", "project": "/p"}]}`, Disabled{{Name: "a"}: true, {"b", "/p"}: true}, false},
		{"cut", `{"disabled": [`, Disabled{}, true},
		{"another shape", `["a"]`, Disabled{}, true},
		{"a number", `{"disabled": [1]}`, Disabled{}, true},
		{"no name", `{"disabled": [{"project": "/p"}]}`, Disabled{}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, dir := open(t, test.text)
			got, err := s.Disabled()
			if !maps.Equal(got, test.want) || errors.Is(err, ErrDamaged) != test.damaged || !test.damaged && err != nil {
				t.Errorf("%v, %v", got, err)
			}
			must(t, s.Set(t.Context(), Server{Name: "new"}, true))
			got, err = s.Disabled()
			if err != nil || !got[Server{Name: "new"}] || len(got) != len(test.want)+1 {
				t.Errorf("after a change: %v, %v", got, err)
			}
			kept, err := os.ReadFile(dir.Path(fileName + ".damaged-1"))
			if test.damaged && string(kept) != test.text || test.damaged != (err == nil) {
				t.Errorf("kept %q, %v", kept, err)
			}
		})
	}
}

func TestChangesAtOnce(t *testing.T) {
	t.Parallel()
	s, _ := open(t, "")
	var wait sync.WaitGroup
	for i := range 10 {
		wait.Go(func() {
			if err := s.Set(t.Context(), Server{Name: fmt.Sprint(i)}, true); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got, err := s.Disabled(); len(got) != 10 || err != nil {
		t.Errorf("%v %v", got, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"disabled": ["a", {"name": "b", "project": "/p"}]}`))
	f.Add([]byte(`{"disabled": [{"name": "\u0000"}], "x": []}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := decode(data)
		if err != nil {
			return
		}
		text, err := first.encode()
		must(t, err)
		if second, err := decode(text); err != nil || !maps.Equal(first, second) {
			t.Errorf("%v became %v, %v", first, second, err)
		}
	})
}
