package keeper

import (
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// Keeper is the owner's end. Its zero value is none: nothing is watched.
type Keeper struct {
	command func() *exec.Cmd

	mu     sync.Mutex
	cmd    *exec.Cmd
	pipe   io.WriteCloser
	failed error
	closed bool
}

// New returns a keeper whose process is started when the first group is watched. Command makes a command that runs Run with
// its standard input; it must leave Stdin alone.
func New(command func() *exec.Cmd) *Keeper { return &Keeper{command: command} }

// Watch tells the keeper about a process group of the caller's. What it returns takes that back, once the group is gone.
// A keeper that cannot be started keeps nothing, which Err tells.
func (k *Keeper) Watch(group int) (gone func()) {
	k.tell('+', group)
	return func() { k.tell('-', group) }
}

// Err says why there is no keeper, nil as long as there is one or none was needed.
func (k *Keeper) Err() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed
}

func (k *Keeper) tell(what byte, group int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.command == nil || !supported || k.closed || k.failed != nil {
		return
	}
	if k.cmd == nil {
		if k.failed = k.start(); k.failed != nil {
			return
		}
	}
	if _, err := fmt.Fprintf(k.pipe, "%c%d\n", what, group); err != nil {
		k.failed = fmt.Errorf("tell the keeper of processes: %w", err)
	}
}

func (k *Keeper) start() error {
	cmd := k.command()
	detach(cmd)
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("start the keeper of processes: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the keeper of processes: %w", err)
	}
	k.cmd, k.pipe = cmd, pipe
	return nil
}

// Close ends the keeper's process. Groups that are still watched are ended by it first.
func (k *Keeper) Close() error {
	k.mu.Lock()
	cmd := k.cmd
	k.cmd, k.closed = nil, true
	k.mu.Unlock()
	if cmd == nil {
		return nil
	}
	k.pipe.Close()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("end the keeper of processes: %w", err)
	}
	return nil
}
