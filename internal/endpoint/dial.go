package endpoint

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"time"
)

// Dial connects to the running app of the install, and returns when both ends have proved themselves.
// It reads nothing but Options.Paths.ConfigDir and takes at most two seconds.
//
// The error is an [ErrNotRunning] when no app answers, and an [ErrCrashed] as well when one should.
// Every other error says what is wrong with what does answer, or with the files of the install. The
// connection has a CloseWrite method.
func Dial(ctx context.Context, o Options) (net.Conn, Peer, error) {
	o, err := o.prepare()
	if err != nil {
		return nil, Peer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, handshakeTime)
	defer cancel()
	for try := 1; ; try++ {
		where, token, err := o.find()
		if err != nil {
			return nil, Peer{}, fmt.Errorf("dial the running app: %w", err)
		}
		conn, peer, err := o.connect(ctx, where, token)
		if err == nil {
			return conn, peer, nil
		}
		if try == maxTries || !(errors.Is(err, io.EOF) || dropped(err)) || !pause(ctx, time.Duration(try)*10*time.Millisecond) {
			return nil, Peer{}, fmt.Errorf("dial the running app at %s: %w", where.Address, err)
		}
	}
}

// pause waits and reports false when ctx ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// find reads the files of the install.
func (o Options) find() (pointer, []byte, error) {
	err := checkPrivateDir(o.dir(), o.system.uid())
	var where pointer
	if err == nil {
		where, err = o.readPointer()
	}
	var token []byte
	if err == nil {
		token, err = o.readToken()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return pointer{}, nil, ErrNotRunning
	}
	return where, token, err
}

// connect dials and does the client's part of the handshake, until ctx ends.
func (o Options) connect(ctx context.Context, where pointer, token []byte) (net.Conn, Peer, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, where.Network, where.Address)
	if err != nil {
		if nobodyThere(err) {
			return nil, Peer{}, ErrCrashed
		}
		return nil, Peer{}, err
	}
	if err := o.checkPeer(conn); err != nil {
		conn.Close()
		return nil, Peer{}, err
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	r := bufio.NewReaderSize(conn, maxHandshakeLine)
	h := handshake{token: token, appID: o.AppID, self: Peer{o.Version, o.BuildID}, rand: o.Rand}
	s, err := h.client(r, conn)
	if !stop() && err == nil {
		err = context.Cause(ctx) // the deadline has been or will be set: the connection is lost
	}
	if err != nil {
		conn.Close()
		if ctx.Err() != nil {
			err = fmt.Errorf("the handshake was not finished in time: %w", context.Cause(ctx))
		}
		return nil, Peer{}, err
	}
	return established(conn, r, s.fromC, s.fromS), s.peer, nil
}
