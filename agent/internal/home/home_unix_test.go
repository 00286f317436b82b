//go:build unix

package home

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestFilesAreOursAlone(t *testing.T) {
	t.Parallel()
	d := open(t)
	must(t, d.Write("logs/f", []byte("x")))
	must(t, os.Chmod(d.Path("logs", "f"), 0o644)) // a person's editor may do that
	must(t, d.Write("logs/f", []byte("y")))
	unlock, err := d.Lock(t.Context(), "f")
	must(t, err)
	unlock()
	for path, want := range map[string]os.FileMode{
		filepath.Dir(d.Path()): 0o700,
		d.Path():               0o700,
		d.Path("logs"):         0o700,
		d.Path("logs", "f"):    0o600,
		d.Path("f.lock"):       0o600,
	} {
		info, err := os.Stat(path)
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %04o, want %04o", path, got, want)
		}
	}
}

func TestUnsafeFoldersAreRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		damage func(t *testing.T, d *Dir)
		want   string // "" when it is no damage
	}{
		{"others may write", func(t *testing.T, d *Dir) { must(t, os.Chmod(d.Path(), 0o777)) }, "mode 0777"},
		{"the group may write", func(t *testing.T, d *Dir) { must(t, os.Chmod(d.Path(), 0o770)) }, "chmod 700"},
		{"others may list", func(t *testing.T, d *Dir) { must(t, os.Chmod(d.Path(), 0o755)) }, ""},
		{"another user's", func(_ *testing.T, d *Dir) { d.uid++ }, "belongs to user"},
		{"a file", func(t *testing.T, d *Dir) {
			must(t, os.RemoveAll(d.Path()))
			must(t, os.WriteFile(d.Path(), nil, 0o600))
		}, "is not a folder"},
		{"a link to a folder of ours", func(t *testing.T, d *Dir) {
			must(t, os.Rename(d.Path(), d.Path()+".real"))
			must(t, os.Symlink(d.Path()+".real", d.Path()))
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			must(t, d.Write("f", []byte("x")))
			test.damage(t, d)
			judge := func(what string, err error) {
				t.Helper()
				switch {
				case test.want == "" && err != nil:
					t.Errorf("%s: %v", what, err)
				case test.want != "" && (!errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), test.want)):
					t.Errorf("%s: %v, want ErrUnsafe with %q", what, err, test.want)
				}
			}
			_, err := d.Read("f")
			judge("Read", err)
			judge("Write", d.Write("f", nil))
			unlock, err := d.Lock(t.Context(), "f")
			judge("Lock", err)
			if err == nil {
				unlock()
			}
			if os.Geteuid() == d.uid {
				_, err = Open(d.Path())
				judge("Open", err)
			}
		})
	}
}

func TestANamedPipeDoesNotBlock(t *testing.T) {
	t.Parallel()
	d := open(t)
	must(t, d.Write("f", nil))
	must(t, syscall.Mkfifo(d.Path("pipe"), 0o600))
	if _, err := d.Read("pipe"); !errors.Is(err, ErrUnsafe) {
		t.Errorf("Read: %v", err)
	}
}

func TestLinksToFilesAreFollowed(t *testing.T) {
	t.Parallel()
	d := open(t)
	must(t, d.Write("f", nil))
	dotfiles := filepath.Join(t.TempDir(), "mcp.json")
	must(t, os.WriteFile(dotfiles, []byte("old"), 0o600))
	must(t, os.Symlink(dotfiles, d.Path("mcp.json")))
	must(t, d.Write("mcp.json", []byte("new")))
	if got, err := os.ReadFile(dotfiles); err != nil || string(got) != "new" {
		t.Errorf("the file that the link points to holds %q, %v", got, err)
	}
	if _, err := os.Readlink(d.Path("mcp.json")); err != nil {
		t.Error("the link is gone")
	}
}

func TestWriteFileKeepsTheMode(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mcp.json")
	must(t, WriteFile(path, []byte("a"), 0o644))
	must(t, os.Chmod(path, 0o640))
	must(t, WriteFile(path, []byte("b"), 0o600))
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o640 {
		t.Errorf("mode %04o, want that of the file that was there, 0640", info.Mode().Perm())
	}
}
