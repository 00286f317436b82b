package endpoint

import (
	"net"
	"syscall"
)

// peerUID returns the user of the program at the other end of a socket.
func peerUID(conn net.Conn) (int, bool) {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, false
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return 0, false
	}
	var cred *syscall.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		cred, asked = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err != nil || asked != nil {
		return 0, false
	}
	return int(cred.Uid), true
}
