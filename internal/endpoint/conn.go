package endpoint

import (
	"bufio"
	"errors"
	"fmt"
	"net"
)

// plainConn is a connection after its handshake. It first hands out what the handshake's reader had
// already buffered.
type plainConn struct {
	net.Conn
	r *bufio.Reader // nil once it is empty; used by the reading side only
}

func (c *plainConn) Read(p []byte) (int, error) {
	if c.r != nil {
		if c.r.Buffered() > 0 {
			return c.r.Read(p)
		}
		c.r = nil
	}
	return c.Conn.Read(p)
}

// CloseWrite tells the other end that nothing more will come; reading goes on.
func (c *plainConn) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(conn net.Conn) error {
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok {
		return fmt.Errorf("half-close %T: %w", conn, errors.ErrUnsupported)
	}
	return half.CloseWrite()
}

// established wraps a connection whose handshake is done. Over loopback every record is authenticated,
// because other users can reach the port; a socket is guarded by its folder.
func established(conn net.Conn, r *bufio.Reader, sendKey, receiveKey []byte) net.Conn {
	plain := &plainConn{Conn: conn, r: r}
	if conn.RemoteAddr().Network() == "tcp" {
		return newRecordConn(plain, sendKey, receiveKey)
	}
	return plain
}
