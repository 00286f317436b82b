package endpoint

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// sealed returns what one end sends for some writes, cut into records.
func sealed(t *testing.T, key string, writes ...string) [][]byte {
	t.Helper()
	var records [][]byte
	wire := &captureConn{}
	c := newRecordConn(&plainConn{Conn: wire}, []byte(key), []byte("unused"))
	for _, w := range writes {
		if w == "" {
			c.writeRecord(nil)
		} else if _, err := io.WriteString(c, w); err != nil {
			t.Fatal(err)
		}
		records = append(records, bytes.Clone(wire.Bytes()))
		wire.Reset()
	}
	return records
}

// captureConn keeps what is written and reads what it was given.
type captureConn struct {
	net.Conn
	bytes.Buffer
}

func (c *captureConn) Write(p []byte) (int, error) { return c.Buffer.Write(p) }
func (c *captureConn) Read(p []byte) (int, error)  { return c.Buffer.Read(p) }

func TestRecordsAreProved(t *testing.T) {
	t.Parallel()
	records := sealed(t, "key", "first\n", "second\n", "")
	changed := bytes.Clone(records[0])
	changed[recordHeader] ^= 1
	cases := []struct {
		name string
		sent [][]byte
		want string
		err  error // nil: an orderly end
	}{
		{"all of them", records, "first\nsecond\n", nil},
		{"cut before the end record", records[:2], "first\nsecond\n", io.ErrUnexpectedEOF},
		{"cut within a record", [][]byte{records[0], records[1][:9]}, "first\n", io.ErrUnexpectedEOF},
		{"changed", [][]byte{changed}, "", errForged},
		{"repeated", [][]byte{records[0], records[0]}, "first\n", errForged},
		{"one left out", [][]byte{records[1]}, "", errForged},
		{"of another key", sealed(t, "other", "first\n"), "", errForged},
		{"too long", [][]byte{{0xff, 0xff, 0xff, 0xff, 0}}, "", errForged},
		{"after the end record", append(records, records[0]), "first\nsecond\n", nil},
		{"plain text", [][]byte{[]byte(`{"jsonrpc":"2.0","method":"x"}` + "\n")}, "", errForged},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wire := &captureConn{}
			wire.Buffer.Write(bytes.Join(c.sent, nil))
			conn := newRecordConn(&plainConn{Conn: wire}, []byte("unused"), []byte("key"))
			got, err := io.ReadAll(conn)
			if string(got) != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v; want %q, %v", got, err, c.want, c.err)
			}
			if _, again := conn.Read(make([]byte, 1)); again == nil {
				t.Error("reading went on after the end")
			}
		})
	}
}

func TestReadGoesOnAfterADeadline(t *testing.T) {
	t.Parallel()
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	record := sealed(t, "key", "a line\n")[0]
	conn := newRecordConn(&plainConn{Conn: near}, []byte("unused"), []byte("key"))
	go func() {
		far.Write(record[:7])
		near.SetReadDeadline(time.Unix(1, 0))
	}()
	p := make([]byte, 100)
	if _, err := conn.Read(p); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("got %v, want a timeout within the record", err)
	}
	near.SetReadDeadline(time.Time{})
	go far.Write(record[7:])
	if n, err := conn.Read(p); err != nil || string(p[:n]) != "a line\n" {
		t.Errorf("got %q, %v", p[:n], err)
	}
}

func TestLongWritesAreSplit(t *testing.T) {
	t.Parallel()
	long := string(bytes.Repeat([]byte("0123456789"), 20_000))
	wire := &captureConn{}
	wire.Buffer.Write(sealed(t, "key", long)[0])
	conn := newRecordConn(&plainConn{Conn: wire}, []byte("unused"), []byte("key"))
	got := make([]byte, len(long))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != long {
		t.Errorf("the content changed on its way: %v", err)
	}
}

func FuzzRecords(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0})
	f.Add(bytes.Repeat([]byte{0}, 40))
	f.Add([]byte{0, 1, 0, 0, 'x'})
	f.Fuzz(func(t *testing.T, sent []byte) {
		wire := &captureConn{}
		wire.Buffer.Write(sent)
		conn := newRecordConn(&plainConn{Conn: wire}, []byte("unused"), []byte("a key nobody has"))
		if got, err := io.ReadAll(conn); len(got) > 0 || err == nil {
			t.Errorf("%q passed as %q, %v", sent, got, err)
		}
	})
}
