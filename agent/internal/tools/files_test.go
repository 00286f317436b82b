package tools

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for name, c := range map[string]struct {
		content string
		more    []any
		want    string
	}{
		"plain":              {content: "a\nb\n", want: "1\ta\n2\tb"},
		"no final break":     {content: "a\nb", want: "1\ta\n2\tb"},
		"empty":              {content: "", want: "[the file is empty]"},
		"empty lines":        {content: "\n\n", want: "1\t\n2\t"},
		"part":               {content: numbered(9), more: []any{"offset", 4, "limit", 2}, want: "4\tline 4\n5\tline 5\n[lines 4–5 of 9; go on with offset 6]"},
		"end":                {content: numbered(9), more: []any{"offset", 9}, want: "9\tline 9"},
		"CRLF":               {content: "a\r\nb\r\n", want: "1\ta\n2\tb\n[the lines end with \\r\\n; edit keeps that]"},
		"mixed":              {content: "a\r\nb\n", want: "1\ta\n2\tb\n[1 of these lines end with \\r\\n]"},
		"lone CR":            {content: "a\rb\n", want: "1\ta␍b"},
		"byte order mark":    {content: "\ufeffa\n", want: "1\ta\n[the file begins with a byte order mark; edit keeps it]"},
		"Latin-1":            {content: "caf\xe9\n", want: "1\tcafé\n[not UTF-8; shown as Latin-1]"},
		"Latin-1, controls":  {content: "\x9b31m\xe9\n", want: "1\té\n[not UTF-8; shown as Latin-1]"},
		"terminal sequences": {content: "\x1b[31mred\x1b[0m\n", want: "1\tred"},
		"UTF-16":             {content: "\xff\xfea\x00\n\x00b\x00", want: "1\ta\n2\tb\n[UTF-16; edit cannot change it]"},
		"long line":          {content: strings.Repeat("é", 20<<10) + "\nb\n", want: "1\t" + strings.Repeat("é", 8<<10-32) + "... [cut: the line has 40 KB]\n2\tb"},
	} {
		b.file("f", c.content)
		b.equal(name+": "+b.ok("read", append([]any{"path", "f"}, c.more...)...).Text, name+": "+c.want)
	}
}

func TestRead_limits(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.file("many", numbered(5000))
	out := b.ok("read", "path", "many")
	if !strings.HasSuffix(out.Text, "\n2000\tline 2000\n[lines 1–2000 of 5000; go on with offset 2001]") || out.Details.Lines != 2000 {
		t.Errorf("…%q", out.Text[len(out.Text)-100:])
	}
	b.file("wide", strings.Repeat(strings.Repeat("é", 500)+"\n", 100))
	out = b.ok("read", "path", "wide")
	if len(out.Text) > 50<<10 || len(out.Text) < 48<<10 || !strings.Contains(out.Text, "\n[lines 1–50 of 100; go on with offset 51]") || !utf8.ValidString(out.Text) {
		t.Errorf("%d bytes …%q", len(out.Text), out.Text[len(out.Text)-100:])
	}
	b.fails("the file has only 5000 lines", "read", "path", "many", "offset", 5001)
}

func TestRead_image(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	b.file("picture.txt", data.String())
	out := b.ok("read", "path", "picture.txt")
	if len(out.Images) != 1 || out.Images[0].MIMEType != "image/png" || !bytes.Equal(out.Images[0].Data, data.Bytes()) || !strings.Contains(out.Text, "3×2 pixels") {
		t.Errorf("%+v", out)
	}
	b.file("broken.png", data.String()[:20])
	b.fails("is no text", "read", "path", "broken.png")
	b.file("large.png", data.String()+strings.Repeat("\x00", 4<<20))
	b.fails("make a smaller one", "read", "path", "large.png")
}

func TestRead_refuses(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.file("src/main.go", "x")
	b.file("program", "\x7fELF\x00\x00")
	b.fails("src is a folder: use ls", "read", "path", "src")
	b.fails("src/mian.go does not exist; did you mean src/main.go?", "read", "path", "src/mian.go")
	b.fails("scr does not exist; did you mean src?", "read", "path", "scr/main.go")
	b.fails("src/zzz does not exist; use find or ls", "read", "path", "src/zzz")
	b.fails("src/main.go/x does not exist: src/main.go is a file", "read", "path", "src/main.go/x")
	b.fails("program is no text (6 bytes)", "read", "path", "program")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b.file("many", numbered(5000))
	if _, err := b.tools["read"].Run(ctx, Call{Arguments: args("path", "many")}); err == nil {
		t.Error("a cancelled call has no error")
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	out := b.ok("write", "path", "a/b/c.txt", "content", "x\ny\n")
	b.equal(out.Text, "created a/b/c.txt, 2 lines")
	b.equal(out.Diff, "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n")
	b.equal(b.changed["a/b/c.txt"], "-")
	if c := out.Changes; len(c) != 1 || c[0].What != Created || c[0].Path != filepath.Join(b.dir, "a", "b", "c.txt") || !c[0].Undoable {
		t.Errorf("%+v", c)
	}
	// What it wrote itself, the model knows.
	out = b.ok("write", "path", "a/b/c.txt", "content", "x\nz\n")
	b.equal(out.Text, "replaced a/b/c.txt, 2 lines")
	b.equal(b.changed["a/b/c.txt"], "x\ny\n")
	if out.Details.Added != 1 || out.Details.Removed != 1 || out.Changes[0].What != Modified {
		t.Errorf("%+v", out)
	}
	b.equal(b.ok("write", "path", "a/b/c.txt", "content", "x\nz\n").Text, "a/b/c.txt already holds exactly this; nothing was changed")

	b.file("old", "1\n")
	b.fails("old was not read in this session: read it first", "write", "path", "old", "content", "2\n")
	b.fails("old was not read in this session: read it first", "edit", "path", "old", "edits", edit("1", "2"))
	b.ok("read", "path", "old")
	b.file("old", "3\n")
	b.fails("old has changed on disk since it was read: read it again", "write", "path", "old", "content", "2\n")
	b.fails("old has changed on disk since it was read: read it again", "edit", "path", "old", "edits", edit("3", "2"))
	b.equal(b.content("old"), "3\n")
	b.fails("a is a folder", "write", "path", "a", "content", "x")
	b.fails("write", "write", "path", "old/x", "content", "x")

	b.file("dos", "\ufeffa\r\nb\r\n")
	b.ok("read", "path", "dos")
	b.ok("write", "path", "dos", "content", "c\nd\n")
	b.equal(b.content("dos"), "\ufeffc\r\nd\r\n")
}

func TestEdit(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	path := b.file("script.sh", "\ufeffone\r\ntwo\r\nthree")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("script.sh", filepath.Join(b.dir, "link")); err != nil {
		t.Fatal(err)
	}
	b.ok("read", "path", "link")
	out := b.ok("edit", "path", "link", "edits", append(edit("one\n", "1\n1b\n"), edit("three", "3")...))
	b.equal(out.Text, "edited script.sh at lines 1, 4 (+3 −2 lines)")
	b.equal(b.content("script.sh"), "\ufeff1\r\n1b\r\ntwo\r\n3")
	b.equal(b.changed["script.sh"], "\ufeffone\r\ntwo\r\nthree")
	if info, err := os.Lstat(filepath.Join(b.dir, "link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is none any more")
	}
	if info, err := os.Stat(path); err != nil || posix() && info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v", info.Mode())
	}
	// It may be edited again without being read.
	b.equal(b.ok("edit", "path", "script.sh", "edits", edit("two  ", "2")).Text,
		"edited script.sh at line 3 (+1 −1 lines); the quotes were not exact: white space at the ends of lines")
	b.fails("edit script.sh: the old text is not in the file", "edit", "path", "script.sh", "edits", edit("two", "2"))

	b.file("latin", "caf\xe9 1\n")
	b.ok("read", "path", "latin")
	b.ok("edit", "path", "latin", "edits", edit("café 1", "thé 2"))
	b.equal(b.content("latin"), "th\xe9 2\n")
	b.fails("Latin-1", "edit", "path", "latin", "edits", edit("2", "€"))
	b.file("binary", "a\x00b")
	b.fails("is no text", "read", "path", "binary")
	b.fails("no text that can be edited", "edit", "path", "binary", "edits", edit("a", "b"))
	b.fails("does not exist", "edit", "path", "nothing", "edits", edit("a", "b"))
}

func TestEdit_deletedSinceRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	path := b.file("a", "x\n")
	b.ok("read", "path", "a")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	b.fails("does not exist", "edit", "path", "a", "edits", edit("x", "y"))
	b.ok("write", "path", "a", "content", "y\n")
}

func TestLs(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.equal(b.ok("ls").Text, "[the folder is empty]")
	b.file("src/deep/x.go", "")
	b.file("src/a.go", "")
	b.file("README.md", "")
	b.file(".gitignore", "node_modules/\n*.log\n")
	b.file("node_modules/x/y", "")
	b.file("src/x.log", "")
	if err := os.Symlink("src", filepath.Join(b.dir, "link")); err != nil {
		t.Fatal(err)
	}
	b.equal(b.ok("ls").Text, ".gitignore\nREADME.md\nlink -> src\nnode_modules/ (ignored)\nsrc/\n  a.go\n  deep/\n  x.log (ignored)")
	b.equal(b.ok("ls", "path", "src").Text, "a.go\ndeep/\n  x.go\nx.log (ignored)")
	b.fails("src/a.go is no folder: use read or grep", "ls", "path", "src/a.go")
	b.fails("scr does not exist; did you mean src?", "ls", "path", "scr")
}

func TestFind(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for i, name := range []string{"b/two.go", "a/one.go", "three.md", "a/deep/four_test.go", "skip/five.go"} {
		path := b.file(name, "")
		when := time.Unix(1_700_000_000+int64(i), 0)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	b.file(".gitignore", "skip/\n")
	for name, c := range map[string]struct {
		args []any
		want string
	}{
		"recent first": {[]any{"pattern", "*.go"}, "a/deep/four_test.go\na/one.go\nb/two.go"},
		"by name":      {[]any{"pattern", "*.go", "sort", "name"}, "a/deep/four_test.go\na/one.go\nb/two.go"},
		"path":         {[]any{"pattern", "a/**/*.go"}, "a/deep/four_test.go\na/one.go"},
		"any depth":    {[]any{"pattern", "**/*_test.go"}, "a/deep/four_test.go"},
		"alternatives": {[]any{"pattern", "{one,three}.*"}, "three.md\na/one.go"},
		"folder":       {[]any{"pattern", "deep"}, "a/deep/"},
		"in a folder":  {[]any{"pattern", "*.go", "path", "a"}, "a/deep/four_test.go\na/one.go"},
		"ignored":      {[]any{"pattern", "*.go", "path", "skip"}, "skip/five.go"},
		"nothing":      {[]any{"pattern", "*.rs"}, "nothing in . has a name like *.rs"},
		"limit":        {[]any{"pattern", "*.go", "limit", 1}, "a/deep/four_test.go\n[1 of 3; make the pattern narrower, or the limit larger]"},
	} {
		b.equal(name+": "+b.ok("find", c.args...).Text, name+": "+c.want)
	}
	b.fails("lacks a ]", "find", "pattern", "[a")
	b.fails("lacks a }", "find", "pattern", "{a")
}

func TestGrep(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.file("a.go", "one\ntwo\nthree\nfour\nfive\ntwo again\n")
	b.file("b/c.txt", "TWO\r\nend two\r\n")
	b.file("bin", "two\x00")
	b.file("skip/d.go", "two\n")
	b.file(".gitignore", "skip\n")
	b.file("long", strings.Repeat("x", 2000)+"needle"+strings.Repeat("y", 2000)+"\n")
	const binary = "\n[1 file left out: binary]"
	for name, c := range map[string]struct {
		args []any
		want string
	}{
		"lines":            {[]any{"pattern", "two"}, "a.go\n2: two\n6: two again\nb/c.txt\n2: end two" + binary},
		"ignoring case":    {[]any{"pattern", "^two$", "ignoreCase", true}, "a.go\n2: two\nb/c.txt\n1: TWO" + binary},
		"context":          {[]any{"pattern", "two", "context", 1, "glob", "*.go"}, "a.go\n1- one\n2: two\n3- three\n--\n5- five\n6: two again"},
		"context meets":    {[]any{"pattern", "two", "context", 3, "glob", "*.go"}, "a.go\n1- one\n2: two\n3- three\n4- four\n5- five\n6: two again"},
		"files":            {[]any{"pattern", "two", "mode", "files"}, "a.go\nb/c.txt" + binary},
		"count":            {[]any{"pattern", "two", "mode", "count"}, "a.go: 2\nb/c.txt: 1" + binary},
		"one file":         {[]any{"pattern", "f..r", "path", "a.go"}, "a.go\n4: four"},
		"ignored folder":   {[]any{"pattern", "two", "path", "skip"}, "skip/d.go\n1: two"},
		"glob with path":   {[]any{"pattern", "two", "glob", "b/**"}, "b/c.txt\n2: end two"},
		"within a line":    {[]any{"pattern", `one\s+two`}, "nothing matches in 5 files" + binary},
		"line after line":  {[]any{"pattern", `\s*t`, "path", "a.go"}, "a.go\n2: two\n3: three\n6: two again"},
		"empty matches":    {[]any{"pattern", `x*`, "path", "b"}, "b/c.txt\n1: TWO\n2: end two"},
		"end of a line":    {[]any{"pattern", `two$`, "path", "b"}, "b/c.txt\n2: end two"},
		"limit":            {[]any{"pattern", "two", "limit", 1, "glob", "*.go"}, "a.go\n2: two\n[there are more: this is what came before the limit of 1; make the pattern or the path narrower]"},
		"part of the line": {[]any{"pattern", "needle"}, "long\n1: …" + strings.Repeat("x", 100) + "needle" + strings.Repeat("y", 294) + "… [the line has 3 KB]" + binary},
	} {
		b.equal(name+": "+b.ok("grep", c.args...).Text, name+": "+c.want)
	}
	b.fails("nosuch does not exist", "grep", "pattern", "x", "path", "nosuch")
}
