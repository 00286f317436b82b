package webkitgtk

import (
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"syscall"
)

// forBrowser says whether an address that a page leads to may be given to the system. Other schemes start programs.
func forBrowser(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.Host != ""
	case "mailto":
		return u.Opaque != ""
	}
	return false
}

// openInBrowser runs xdg-open with the address as its one argument.
func openInBrowser(address string) error {
	cmd := exec.Command("xdg-open", address)
	// A browser that xdg-open starts outlives the app, so it must not be in the app's process group.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open %s in the browser: %w; install xdg-utils", address, err)
	}
	// Nobody waits for this goroutine: xdg-open may be the browser itself, and the app may end before it.
	// It is there so that the finished process does not stay as a zombie.
	go func() { _ = cmd.Wait() }()
	return nil
}
