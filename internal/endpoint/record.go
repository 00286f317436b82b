package endpoint

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"net"
	"sync"
	"time"
)

// A record is its length (four bytes, big endian), that many bytes of content, and an HMAC-SHA256 over
// the record's number, the length and the content. Each direction has its own key. A record without
// content ends the direction, so a cut connection is not mistaken for an orderly end.
const (
	recordHeader = 4
	maxRecord    = 64 << 10

	// endTime is how long Close may wait to send the last record.
	endTime = 100 * time.Millisecond
)

// errForged says that somebody between the two ends changed, repeated or dropped something.
var errForged = errors.New("the connection was tampered with: a record's proof is wrong")

// recordConn authenticates everything that passes over a connection.
type recordConn struct {
	*plainConn

	write sync.Mutex // Write and CloseWrite may be called concurrently
	send  sealer
	out   []byte
	ended bool // the record that ends this direction was sent

	r       *bufio.Reader
	receive sealer
	record  []byte // the record being read, kept whole across a read deadline
	content []byte // proved and not yet handed out; a part of record
	failed  error  // final
}

func newRecordConn(conn *plainConn, sendKey, receiveKey []byte) *recordConn {
	return &recordConn{
		plainConn: conn,
		r:         bufio.NewReaderSize(conn, maxRecord),
		send:      sealer{mac: hmac.New(sha256.New, sendKey)},
		receive:   sealer{mac: hmac.New(sha256.New, receiveKey)},
	}
}

// sealer makes the proofs of one direction, in order.
type sealer struct {
	mac    hash.Hash
	number uint64
}

// seal appends the proof of the next record, which consists of header and content.
func (s *sealer) seal(dst, record []byte) []byte {
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], s.number)
	s.number++
	s.mac.Reset()
	s.mac.Write(number[:])
	s.mac.Write(record)
	return s.mac.Sum(dst)
}

// Write sends p in records that the other end proves before it looks at them.
func (c *recordConn) Write(p []byte) (int, error) {
	c.write.Lock()
	defer c.write.Unlock()
	if c.ended {
		return 0, net.ErrClosed
	}
	done := 0
	for done < len(p) {
		part := p[done:min(len(p), done+maxRecord)]
		if err := c.writeRecord(part); err != nil {
			return done, err
		}
		done += len(part)
	}
	return done, nil
}

func (c *recordConn) writeRecord(content []byte) error {
	c.out = binary.BigEndian.AppendUint32(c.out[:0], uint32(len(content)))
	c.out = append(c.out, content...)
	c.out = c.send.seal(c.out, c.out)
	_, err := c.Conn.Write(c.out)
	return err
}

// CloseWrite sends the record that ends this direction.
func (c *recordConn) CloseWrite() error {
	c.write.Lock()
	defer c.write.Unlock()
	if c.ended {
		return nil
	}
	c.ended = true
	if err := c.writeRecord(nil); err != nil {
		return err
	}
	return c.plainConn.CloseWrite()
}

// Close ends both directions in order, unless a write is stuck, and closes the connection.
func (c *recordConn) Close() error {
	if c.write.TryLock() {
		if !c.ended {
			c.SetWriteDeadline(time.Now().Add(endTime))
			c.writeRecord(nil) // without effect when the other end is gone
		}
		c.ended = true
		c.write.Unlock()
	}
	return c.plainConn.Close()
}

// Read hands out the content of proved records.
func (c *recordConn) Read(p []byte) (int, error) {
	for len(c.content) == 0 {
		if c.failed != nil {
			return 0, c.failed
		}
		if err := c.readRecord(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.content)
	c.content = c.content[n:]
	return n, nil
}

// readRecord reads and proves the next record.
func (c *recordConn) readRecord() error {
	if err := c.fill(recordHeader); err != nil {
		return err
	}
	length := int(binary.BigEndian.Uint32(c.record))
	if length > maxRecord {
		c.failed = errForged
		return c.failed
	}
	end := recordHeader + length
	if err := c.fill(end + sha256.Size); err != nil {
		return err
	}
	if !hmac.Equal(c.record[end:], c.receive.seal(nil, c.record[:end])) {
		c.failed = errForged
		return c.failed
	}
	if length == 0 {
		c.failed = io.EOF
		return c.failed
	}
	c.content = c.record[recordHeader:end]
	c.record = c.record[:0]
	return nil
}

// fill reads until the record has size bytes. After a timeout it can be called again.
func (c *recordConn) fill(size int) error {
	for len(c.record) < size {
		have := len(c.record)
		if cap(c.record) < size {
			c.record = append(make([]byte, 0, size), c.record...)
		}
		n, err := c.r.Read(c.record[have:size])
		c.record = c.record[:have+n]
		if errors.Is(err, io.EOF) {
			c.failed = io.ErrUnexpectedEOF
			return c.failed
		}
		if err != nil {
			return err
		}
	}
	return nil
}
