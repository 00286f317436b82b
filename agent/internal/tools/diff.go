package tools

import (
	"bytes"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// maxDiff bounds what people are shown of a change, and maxDiffed what is compared for it.
const (
	maxDiff   = 256 << 10
	maxDiffed = 4 << 20
)

// unified returns the difference of two versions of a file, with three lines around each change, and how many lines came and
// went.
func unified(name string, before, after []byte, existed bool) (text string, added, removed int) {
	if len(before)+len(after) > maxDiffed {
		return "", result.CountLines(string(after)), result.CountLines(string(before))
	}
	old := "a/" + name
	if !existed {
		old = "/dev/null"
	}
	data := diff.Diff(old, before, "b/"+name, after)
	_, data, _ = bytes.Cut(data, []byte("\n")) // The line with the command.
	for line := range bytes.Lines(data) {
		switch {
		case bytes.HasPrefix(line, []byte("+++ ")), bytes.HasPrefix(line, []byte("--- ")):
		case line[0] == '+':
			added++
		case line[0] == '-':
			removed++
		}
	}
	text = result.Clean(strings.ReplaceAll(string(data), "\r\n", "\n"))
	if len(text) > maxDiff {
		text = text[:strings.LastIndexByte(text[:maxDiff], '\n')+1]
	}
	return text, added, removed
}
