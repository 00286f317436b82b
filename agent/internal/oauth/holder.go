package oauth

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// portHolder says who listens at a loopback port, as far as the process table at root (/proc on Linux) tells. Elsewhere,
// and for processes of other users, it does not know.
func portHolder(root string, port int) string {
	const nobodyKnows = "another program"
	if root == "" {
		return nobodyKnows
	}
	var socket string
	for _, table := range []string{"net/tcp", "net/tcp6"} {
		if socket = listeningSocket(filepath.Join(root, table), port); socket != "" {
			break
		}
	}
	if socket == "" {
		return nobodyKnows
	}
	descriptors, err := filepath.Glob(filepath.Join(root, "[0-9]*", "fd", "*"))
	if err != nil {
		return nobodyKnows
	}
	for _, d := range descriptors {
		if target, err := os.Readlink(d); err != nil || target != "socket:["+socket+"]" {
			continue
		}
		process := filepath.Dir(filepath.Dir(d))
		name, err := os.ReadFile(filepath.Join(process, "comm"))
		if err != nil {
			return "process " + filepath.Base(process)
		}
		return fmt.Sprintf("%s (process %s)", plain(string(name)), filepath.Base(process))
	}
	return nobodyKnows
}

// listeningSocket finds the inode of the socket that listens at a port in a table like /proc/net/tcp.
func listeningSocket(table string, port int) string {
	const listening = "0A"
	f, err := os.Open(table)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 10 || fields[3] != listening {
			continue
		}
		_, hex, _ := strings.Cut(fields[1], ":")
		if n, err := strconv.ParseUint(hex, 16, 16); err == nil && int(n) == port {
			return fields[9]
		}
	}
	return ""
}
