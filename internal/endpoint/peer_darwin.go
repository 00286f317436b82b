package endpoint

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerUID returns the user of the program at the other end of a socket.
func peerUID(conn net.Conn) (int, bool) {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, false
	}
	var cred *unix.Xucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		cred, asked = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	if err != nil || asked != nil {
		return 0, false
	}
	return int(cred.Uid), true
}
