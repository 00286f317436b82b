//go:build unix

package oauth

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPortHolder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("net/tcp", "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"+
		"   0: 0100007F:D1B7 0100007F:1234 01 00000000:00000000 00:00000000 00000000  1000        0 111 1\n"+
		"   1: 0100007F:D1B7 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 222 1\n\nbad line\n")
	if got := portHolder(root, 53687); got != "another program" {
		t.Errorf("without its process: %q", got)
	}
	write("41/comm", "other\n")
	write("42/comm", "no\x1b[31mde\n")
	os.MkdirAll(filepath.Join(root, "42", "fd"), 0o700)
	if err := os.Symlink("socket:[222]", filepath.Join(root, "42", "fd", "7")); err != nil {
		t.Fatal(err)
	}
	if got := portHolder(root, 53687); got != "no [31mde (process 42)" {
		t.Errorf("holder %q", got)
	}
	if got := portHolder(root, 53688); got != "another program" {
		t.Errorf("of another port: %q", got)
	}
	if got := portHolder("", 53687); got != "another program" {
		t.Errorf("without a table: %q", got)
	}
}
