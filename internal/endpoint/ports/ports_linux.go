package ports

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listening is the state of a socket that takes connections, in the kernel's tables.
const listening = "0A"

// Listening returns the addresses of TCP on which a process or one that it started takes connections, as
// "program address:port" in the kernel's notation, sorted.
func Listening(pid int) ([]string, error) {
	family, err := family(pid)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, member := range family {
		held, err := sockets(member)
		if errors.Is(err, fs.ErrNotExist) && member != pid {
			continue // it has ended
		}
		if err != nil {
			return nil, fmt.Errorf("list the sockets of process %d: %w", member, err)
		}
		addresses, err := open(member, held)
		if err != nil {
			return nil, fmt.Errorf("read the ports of process %d: %w", member, err)
		}
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", member))
		if err != nil {
			return nil, fmt.Errorf("name process %d: %w", member, err)
		}
		for _, address := range addresses {
			found = append(found, strings.TrimSpace(string(name))+" "+address)
		}
	}
	slices.Sort(found)
	return found, nil
}

// family is a process and all that it started, directly or not.
func family(pid int) ([]int, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	children := map[int][]int{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent …; the name may have any sign in it.
		text := string(content)
		fields := strings.Fields(text[strings.LastIndex(text, ")")+1:])
		child, childErr := strconv.Atoi(strings.Fields(text)[0])
		parent, parentErr := strconv.Atoi(fields[1])
		if err := errors.Join(childErr, parentErr); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		children[parent] = append(children[parent], child)
	}
	members := []int{pid}
	for i := 0; i < len(members); i++ {
		members = append(members, children[members[i]]...)
	}
	return members, nil
}

// sockets are the inodes of the sockets that a process holds.
func sockets(pid int) (map[string]bool, error) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	held := map[string]bool{}
	for _, file := range files {
		target, err := os.Readlink(filepath.Join(dir, file.Name()))
		if err != nil {
			continue // it was closed meanwhile
		}
		if inode, ok := strings.CutPrefix(target, "socket:["); ok {
			held[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return held, nil
}

// open are the addresses in the process's tables on which one of the held sockets listens.
func open(pid int, held map[string]bool) (addresses []string, err error) {
	for _, table := range []string{"tcp", "tcp6"} {
		content, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a kernel without IPv6
		}
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(strings.NewReader(string(content)))
		for lines.Scan() {
			// number, local address, remote address, state, queues, timer, retransmits, user, timeout, inode …
			fields := strings.Fields(lines.Text())
			if len(fields) >= 10 && fields[3] == listening && held[fields[9]] {
				addresses = append(addresses, fields[1])
			}
		}
	}
	return addresses, nil
}
