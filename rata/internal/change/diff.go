package change

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff writes what writing the set would change, as a unified diff that patch understands. Files that
// conflict are in it as force would write them, except those that nothing can be written over. A file
// that is no text is named only.
func (s *Set) Diff(w io.Writer) error {
	files, err := s.look()
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.action == Unchanged || f.conflict != nil && !f.conflict.Forced {
			continue
		}
		from, to := "a/"+f.path, "b/"+f.path
		if f.old == nil {
			from = "/dev/null"
		}
		out := diff.Diff(from, f.old, to, f.content)
		switch {
		case !isText(f.old) || !isText(f.content):
			out = fmt.Appendf(nil, "Binary files %s and %s differ\n", from, to)
		case f.old == nil && len(f.content) == 0:
			out = fmt.Appendf(nil, "diff %s %s\n", from, to)
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return nil
}

func isText(b []byte) bool { return utf8.Valid(b) && !bytes.Contains(b, []byte{0}) }
