package result

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// noteBytes is kept free for the line between head and tail, beside the path in it.
const noteBytes = 200

// Fit returns text when it is within the limits, else its head and tail with the path of a file in folder that has
// the whole. Limits of zero are the usual ones. What is shown can be used also when there is an error: then the whole could
// not be kept.
func Fit(text string, l Limits, folder string) (shown, path string, err error) {
	l = l.withDefaults()
	lines := CountLines(text)
	if len(text) <= l.Bytes && lines <= l.Lines {
		return text, "", nil
	}
	where := "and were not kept"
	if folder != "" {
		if path, err = keep(text, folder); err != nil {
			where = "and could not be kept in a file"
		} else {
			where = "the whole result is in " + path
		}
	}
	head, tail := Split(text, Limits{max(l.Bytes-noteBytes-len(where), l.Bytes/2), max(l.Lines-1, 1)})
	left := text[len(head) : len(text)-len(tail)]
	note := fmt.Sprintf("[%d lines of %d left out, %s of %s; %s]", CountLines(left), lines, Size(len(left)), Size(len(text)), where)
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	if tail != "" {
		note += "\n"
	}
	return head + note + tail, path, err
}

// Split returns the parts of text that are shown: whole lines up to about two thirds of the limits from its beginning and
// the rest from its end. Only a line that is over the limit by itself is cut.
func Split(text string, l Limits) (head, tail string) {
	head = firstLines(text, Limits{l.Bytes * 2 / 3, (l.Lines*2 + 2) / 3})
	if head == "" {
		first, _, _ := strings.Cut(text, "\n")
		if len(first)+1 <= l.Bytes { // A long line, but one that fits.
			head = text[:min(len(first)+1, len(text))]
		} else {
			head = text[:CutAt(text, l.Bytes*2/3)]
		}
	}
	left := Limits{l.Bytes - len(head), l.Lines - CountLines(head)}
	if left.Bytes <= 0 || left.Lines <= 0 {
		return head, ""
	}
	if tail = lastLines(text[len(head):], left); tail == "" {
		last := strings.LastIndexByte(text[:len(text)-1], '\n') + 1
		if len(text)-last > l.Bytes {
			tail = text[cutAfter(text, max(len(head), last, len(text)-left.Bytes)):]
		}
	}
	return head, tail
}

// firstLines returns the most whole lines from the beginning of text that are within the limits.
func firstLines(text string, l Limits) string {
	end := 0
	for lines := 0; lines < l.Lines && end < len(text); lines++ {
		next := len(text)
		if at := strings.IndexByte(text[end:], '\n'); at >= 0 {
			next = end + at + 1
		}
		if next > l.Bytes {
			break
		}
		end = next
	}
	return text[:end]
}

// lastLines returns the most whole lines from the end of text that are within the limits.
func lastLines(text string, l Limits) string {
	start := len(text)
	for lines := 0; lines < l.Lines && start > 0; lines++ {
		next := strings.LastIndexByte(text[:start-1], '\n') + 1
		if len(text)-next > l.Bytes {
			break
		}
		start = next
	}
	return text[start:]
}

// keep writes text to a new file in folder that only the user can read.
func keep(text, folder string) (path string, err error) {
	fail := func(err error) (string, error) { return "", fmt.Errorf("keep the whole result of a tool: %w", err) }
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fail(err)
	}
	f, err := os.CreateTemp(folder, "result-*.txt") // With mode 0600 and a name that nobody else has.
	if err != nil {
		return fail(err)
	}
	_, err = f.WriteString(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		os.Remove(f.Name())
		return fail(err)
	}
	return filepath.Abs(f.Name())
}

// CountLines counts the lines of text; a last one without a line break counts too.
func CountLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
