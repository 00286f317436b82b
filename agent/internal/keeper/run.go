package keeper

import (
	"bufio"
	"io"
	"strconv"
	"time"
)

const (
	// grace is how long a group may take to leave after its owner has died, and again after it was asked to.
	grace = 2 * time.Second
	// look is how often it is checked whether a group is gone.
	look = 20 * time.Millisecond
)

// Run is the keeper's process: it reads what it is told until the owner's pipe ends, then ends the groups that are left.
func Run(owner io.Reader) {
	groups := read(owner)
	if gone(groups, grace) {
		return
	}
	for g := range groups {
		terminate(g)
	}
	if gone(groups, grace) {
		return
	}
	for g := range groups {
		kill(g)
	}
}

// read returns the groups that are owned at the end. Lines that say nothing are passed over.
func read(owner io.Reader) map[int]bool {
	groups := map[int]bool{}
	lines := bufio.NewScanner(owner)
	for lines.Scan() {
		line := lines.Text()
		if line == "" {
			continue
		}
		g, err := strconv.Atoi(line[1:])
		switch {
		case err != nil || g <= 1: // 0 and 1 would be other people's processes.
		case line[0] == '+':
			groups[g] = true
		case line[0] == '-':
			delete(groups, g)
		}
	}
	return groups
}

// gone waits until no group is left, for as long as it may take, and reports whether that is so.
func gone(groups map[int]bool, wait time.Duration) bool {
	for end := time.Now().Add(wait); ; time.Sleep(look) {
		for g := range groups {
			if !alive(g) {
				delete(groups, g)
			}
		}
		if len(groups) == 0 {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}
