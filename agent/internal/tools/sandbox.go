package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// sandboxTrial is how long the sandbox may take to show that it works.
const sandboxTrial = 5 * time.Second

// Sandbox runs commands with bubblewrap: the project and a folder of caches can be written to, everything else can only be
// read, /tmp is empty and private, other processes cannot be seen, there is no network unless Network is set, and the sockets
// of daemons that would act for the command are hidden, as are the agent's keys. In the project, Git's hooks and settings and
// the agent's own settings can only be read, because programs outside the sandbox obey them.
type Sandbox struct {
	Program  string   // bwrap's path
	Cache    string   // the folder in which compilers and package managers keep things; "" for none
	Writable []string // more folders that may be written to
	Network  bool
}

// FindSandbox looks for bubblewrap in PATH and tries it once. The error says why there is no sandbox.
func FindSandbox(ctx context.Context, environ []string) (*Sandbox, error) {
	program := lookIn(environ, "bwrap")
	if program == "" {
		return nil, errors.New("no sandbox: bwrap is not in PATH (the package is called bubblewrap)")
	}
	b := &Sandbox{Program: program}
	ctx, cancel := context.WithTimeout(ctx, sandboxTrial)
	defer cancel()
	args := append(b.base(), "--", "/bin/sh", "-c", "exit 0")
	output, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("no sandbox: %s does not work here: %w: %s", program, err, result.OneLine(string(output), 300))
	}
	return b, nil
}

// base are the arguments that do not depend on the project.
func (b *Sandbox) base() []string {
	args := []string{"--unshare-all"}
	if b.Network {
		args = append(args, "--share-net")
	}
	return append(args, "--die-with-parent", "--new-session", "--cap-drop", "ALL",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp")
}

// wrap returns the command line that runs argv in the sandbox, and the variables to set.
func (b *Sandbox) wrap(s *session, argv []string) (command, environ []string, err error) {
	args := append([]string{b.Program}, b.base()...)
	for _, folder := range []string{"/run/user", "/run/dbus"} {
		if info, err := os.Lstat(folder); err == nil && info.IsDir() {
			args = append(args, "--tmpfs", folder)
		}
	}
	for _, socket := range []string{"/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock", "/run/snapd.socket", "/run/libvirt/libvirt-sock"} {
		if _, err := os.Lstat(socket); err == nil {
			args = append(args, "--ro-bind", "/dev/null", socket)
		}
	}
	environ = []string{"TMPDIR=/tmp", "SSH_AUTH_SOCK=", "DBUS_SESSION_BUS_ADDRESS="}
	writable := append([]string{s.Dir}, b.Writable...)
	if b.Cache != "" {
		if err := os.MkdirAll(b.Cache, 0o700); err != nil {
			return nil, nil, fmt.Errorf("make the sandbox's cache: %w", err)
		}
		writable = append(writable, b.Cache)
		environ = append(environ, "XDG_CACHE_HOME="+b.Cache, "GOCACHE="+filepath.Join(b.Cache, "go-build"),
			"npm_config_cache="+filepath.Join(b.Cache, "npm"), "PIP_CACHE_DIR="+filepath.Join(b.Cache, "pip"))
	}
	for _, folder := range writable {
		args = append(args, "--bind", folder, folder)
	}
	args = append(args, b.readOnly(s)...)
	args = append(args, "--chdir", s.Dir, "--")
	return append(args, argv...), environ, nil
}

// readOnly are the arguments for what stays as it is in folders that may be written to, and for what is hidden.
func (b *Sandbox) readOnly(s *session) []string {
	var args []string
	add := func(option, from, to string) {
		if _, err := os.Stat(to); err == nil {
			args = append(args, option, from, to)
		}
	}
	git := filepath.Join(s.Dir, ".git")
	add("--bind", git, git) // So that it cannot be renamed, with what is in it.
	for _, name := range []string{"config", "hooks", "info/attributes"} {
		path := filepath.Join(git, filepath.FromSlash(name))
		add("--ro-bind", path, path)
	}
	settings := filepath.Join(s.Dir, ".elyra")
	add("--ro-bind", settings, settings)
	if s.Overflow != "" {
		add("--ro-bind", s.Overflow, s.Overflow)
	}
	if s.Home != "" {
		for _, name := range secretFiles() {
			add("--ro-bind", os.DevNull, filepath.Join(s.Home, name))
		}
	}
	return args
}

// denied reports whether what a command printed looks as if the sandbox had stopped it.
func (b *Sandbox) denied(text string) bool {
	for _, sign := range []string{
		"Read-only file system", "Could not resolve host", "Temporary failure in name resolution", "Network is unreachable",
		"network is unreachable", "Name or service not known", "EAI_AGAIN", "EROFS", "read-only file system", "no such host",
		"server misbehaving", "connect: connection refused",
	} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
