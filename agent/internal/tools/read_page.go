package tools

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// page is the part of a file that is shown.
type page struct {
	first, most, bytes int
	endless            bool // count the lines to the end

	out     strings.Builder
	shown   int // lines
	total   int // lines seen
	ended   bool
	cut     int // lines
	crlf    int
	bom     bool
	invalid bool
}

// fill reads until the page is full, and on to the end when that is near.
func (p *page) fill(ctx context.Context, r *bufio.Reader) error {
	full := false
	for {
		if p.total%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if full && !p.endless {
			_, err := r.Peek(1)
			p.ended = err != nil
			return nil
		}
		want := p.total+1 >= p.first && !full
		line, size, err := nextLine(ctx, r, want)
		if err != nil && err != io.EOF {
			return err
		}
		if size == 0 && err == io.EOF {
			p.ended = true
			return nil
		}
		p.total++
		if want {
			full = !p.add(line, size) || p.shown == p.most
		}
	}
}

// add puts a line on the page; false when it does not fit.
func (p *page) add(line []byte, size int) bool {
	text := string(line)
	if p.total == 1 {
		text, p.bom = strings.CutPrefix(text, bom)
	}
	body, crlf := strings.CutSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if size > maxReadLine {
		body = fmt.Sprintf("%s... [cut: the line has %s]", body[:result.CutAt(body, maxReadLine-64)], result.Size(size))
	}
	entry := fmt.Sprintf("%d\t%s\n", p.total, body)
	if p.shown > 0 && p.out.Len()+len(entry) > p.bytes {
		return false
	}
	if size > maxReadLine {
		p.cut++
	}
	if crlf {
		p.crlf++
	}
	p.invalid = p.invalid || !utf8.ValidString(body)
	p.out.WriteString(entry)
	p.shown++
	return true
}

// text returns the lines in clean UTF-8; no more and no fewer than there are.
func (p *page) text() string {
	text := strings.TrimSuffix(p.out.String(), "\n")
	if p.invalid {
		text = fromLatin1(text)
	}
	// Other line ends would be lines of their own.
	return result.Clean(strings.NewReplacer("\r", "␍", "\u0085", "<U+0085>").Replace(text))
}

// notes says what the lines do not show.
func (p *page) notes() []string {
	var notes []string
	last := p.first + p.shown - 1
	switch {
	case !p.ended:
		notes = append(notes, fmt.Sprintf("lines %d–%d of a large file; go on with offset %d", p.first, last, last+1))
	case last < p.total:
		notes = append(notes, fmt.Sprintf("lines %d–%d of %d; go on with offset %d", p.first, last, p.total, last+1))
	}
	if p.crlf == p.shown {
		notes = append(notes, `the lines end with \r\n; edit keeps that`)
	} else if p.crlf > 0 {
		notes = append(notes, fmt.Sprintf(`%d of these lines end with \r\n`, p.crlf))
	}
	if p.bom {
		notes = append(notes, "the file begins with a byte order mark; edit keeps it")
	}
	if p.invalid {
		notes = append(notes, "not UTF-8; shown as Latin-1")
	}
	return notes
}

// nextLine reads a line, of which it returns the beginning when it is wanted, and its size. It remembers no more than that.
func nextLine(ctx context.Context, r *bufio.Reader, wanted bool) (line []byte, size int, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if size += len(part); wanted && len(line) < maxReadLine {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, size, err
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
	}
}
