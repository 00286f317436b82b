package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// untracked adds the files that git does not know and is not told to ignore.
func (s *Set) untracked(ctx context.Context, g *git) error {
	listing, err := g.run(ctx, maxListing, "", "ls-files", "--others", "--exclude-standard", "-z")
	if errors.Is(err, errMuch) {
		s.Notes = append(s.Notes, "There are so many untracked files that not even all of their names were read.")
		listing = listing[:bytes.LastIndexByte(listing, 0)+1]
	} else if err != nil {
		return err
	}
	root, err := os.OpenRoot(g.dir) // A link that leads out leads nowhere.
	if err != nil {
		return err
	}
	defer root.Close()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(listing), "\x00"), "\x00") {
		if name == "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if why := generated(name); why != "" {
			s.omit(name, why)
			continue
		}
		if !s.room(name) {
			continue
		}
		text, why := s.added(root, name)
		if why != "" {
			s.omit(name, why)
			continue
		}
		s.Files = append(s.Files, File{Path: result.OneLine(name, 1000), From: Untracked, Text: text})
	}
	return nil
}

// added is an untracked file as the difference that adds it, or why it is not shown.
func (s *Set) added(root *os.Root, name string) (text, why string) {
	info, err := root.Lstat(name)
	switch {
	case strings.HasSuffix(name, "/"):
		return "", "another repository"
	case err != nil:
		return "", "it cannot be read"
	case info.Mode()&fs.ModeSymlink != 0:
		return "", "a link"
	case !info.Mode().IsRegular():
		return "", "no file"
	}
	f, err := root.Open(name)
	if err != nil {
		return "", "it cannot be read"
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileText))
	switch {
	case err != nil:
		return "", "it cannot be read"
	case bytes.IndexByte(data, 0) >= 0 || !mostlyText(data):
		return "", "binary"
	}
	shown := result.OneLine(name, 1000)
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/%s b/%s\nnew file\n--- /dev/null\n+++ b/%s\n", shown, shown, shown)
	for line := range strings.Lines(result.Clean(string(data))) {
		b.WriteString("+" + strings.TrimSuffix(line, "\n") + "\n")
	}
	if info.Size() > maxFileText {
		fmt.Fprintf(&b, "(the rest of this file is left out: %s)\n", result.Size(int(info.Size())-maxFileText))
	}
	return b.String(), ""
}

// mostlyText reports whether few bytes are not UTF-8: a file in an older encoding is text all the same.
func mostlyText(data []byte) bool {
	bad := 0
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		}
		i += n
	}
	return bad*10 <= len(data)
}
