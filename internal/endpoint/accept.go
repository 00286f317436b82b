package endpoint

import (
	"bufio"
	"errors"
	"io"
	"net"
	"time"
)

// accept takes connections until the listener closes.
func (l *Listener) accept() {
	for {
		conn, err := l.bound.inner.Accept()
		if err != nil {
			if l.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			// Out of file descriptors, most likely: it passes when others close theirs.
			l.o.Log.Warn("accept a connection to the endpoint", "error", err)
			select {
			case <-time.After(50 * time.Millisecond):
				continue
			case <-l.ctx.Done():
				return
			}
		}
		select {
		case l.proving <- struct{}{}:
			l.work.Go(func() { l.handle(conn) })
		case <-l.ctx.Done():
			conn.Close()
			return
		}
	}
}

// handle owns one connection from its first byte to its close.
func (l *Listener) handle(conn net.Conn) {
	defer conn.Close()
	if !l.enter(conn) {
		<-l.proving
		return
	}
	defer l.leave(conn)

	proved, s, err := l.prove(conn)
	<-l.proving
	switch {
	case errors.Is(err, io.EOF):
		l.o.Log.Debug("a connection to the endpoint ended before its handshake", "error", err)
		return
	case err != nil:
		l.refuse(err)
		return
	}
	defer proved.Close()
	l.serve(l.ctx, proved, s.peer)
}

// prove does the server's part of the handshake.
func (l *Listener) prove(conn net.Conn) (net.Conn, session, error) {
	if err := l.o.checkPeer(conn); err != nil {
		return nil, session{}, err
	}
	patience := handshakeTime
	if len(l.proving) > maxProving/2 {
		patience = crowdedTime
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, session{}, err
	}
	r := bufio.NewReaderSize(conn, maxHandshakeLine)
	h := handshake{
		token: l.bound.token, appID: l.o.AppID,
		self: Peer{l.o.Version, l.o.BuildID}, rand: l.o.Rand,
	}
	s, err := h.server(r, conn, func() bool { return l.admit(conn) })
	if err != nil {
		return nil, session{}, err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil, session{}, err
	}
	return established(conn, r, s.fromS, s.fromC), s, nil
}

// refuse tells the log why a connection came to nothing, at most once in refusalTime: a stranger must not fill the disk.
func (l *Listener) refuse(err error) {
	l.mu.Lock()
	now, untold := time.Now(), l.untold
	tell := now.Sub(l.told) >= refusalTime
	if tell {
		l.told, l.untold = now, 0
	} else {
		l.untold++
	}
	l.mu.Unlock()
	if tell {
		l.o.Log.Warn("a connection to the endpoint was refused", "error", err, "untold", untold)
	}
}

// enter notes a connection, unless the listener is closing.
func (l *Listener) enter(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return false
	}
	l.conns[conn] = false
	return true
}

// admit counts a connection that has proved itself, if there is room.
func (l *Listener) admit(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil || l.taken >= l.o.MaxConns {
		return false
	}
	l.taken++
	l.conns[conn] = true
	return true
}

func (l *Listener) leave(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conns[conn] {
		l.taken--
	}
	delete(l.conns, conn)
}
