package mcpschema

import (
	"bytes"
	"errors"
	"io"
	"os"
	"time"
)

// Tap returns r and w, the server's ends of a connection, such that every line passing through them
// is checked before it arrives: those read from r as the client's, those written to w as the
// server's. Report is called with what is wrong and whose line it is, from the goroutine that reads or
// writes, and does not hold the line back.
//
// What is returned has Close, and SetReadDeadline or SetWriteDeadline, which do what they do on r and
// w, or fail if those lack them.
func (c *Checker) Tap(r io.Reader, w io.Writer, report func(fromServer bool, err error)) (io.Reader, io.Writer) {
	return &tappedReader{r, lines{c: c, report: report}}, &tappedWriter{w, lines{c: c, server: true, report: report}}
}

// TapConn is Tap for the client's end of a connection.
func (c *Checker) TapConn(conn io.ReadWriteCloser, report func(fromServer bool, err error)) io.ReadWriteCloser {
	return struct {
		io.Reader
		io.Writer
		io.Closer
	}{
		&tappedReader{conn, lines{c: c, server: true, report: report}},
		&tappedWriter{conn, lines{c: c, report: report}}, conn,
	}
}

// lines cuts a stream into lines and checks them.
type lines struct {
	c      *Checker
	server bool
	report func(fromServer bool, err error)
	rest   []byte
}

func (l *lines) pass(p []byte) {
	for {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		l.rest = append(l.rest, line...)
		if !whole {
			return
		}
		p = rest
		if len(bytes.TrimSpace(l.rest)) > 0 {
			if err := l.c.CheckLine(bytes.TrimRight(l.rest, "\r"), "", l.server); err != nil {
				l.report(l.server, err)
			}
		}
		l.rest = l.rest[:0]
	}
}

type tappedReader struct {
	r io.Reader
	lines
}

func (t *tappedReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.pass(p[:n])
	return n, err
}

func (t *tappedReader) Close() error { return closeEnd(t.r) }

func (t *tappedReader) SetReadDeadline(at time.Time) error {
	if d, ok := t.r.(interface{ SetReadDeadline(time.Time) error }); ok {
		return d.SetReadDeadline(at)
	}
	return os.ErrNoDeadline
}

type tappedWriter struct {
	w io.Writer
	lines
}

func (t *tappedWriter) Write(p []byte) (int, error) {
	t.pass(p)
	return t.w.Write(p)
}

func (t *tappedWriter) Close() error { return closeEnd(t.w) }

func (t *tappedWriter) SetWriteDeadline(at time.Time) error {
	if d, ok := t.w.(interface{ SetWriteDeadline(time.Time) error }); ok {
		return d.SetWriteDeadline(at)
	}
	return os.ErrNoDeadline
}

func closeEnd(end any) error {
	if c, ok := end.(io.Closer); ok {
		return c.Close()
	}
	return errors.ErrUnsupported
}
