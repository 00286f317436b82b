package oauth

import (
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"time"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

// Browser returns a function that opens an address in the user's browser on the named system (a GOOS), for
// [LoginOptions].Open. The address is one argument of one program: no shell sees it. Start runs that program and does not
// wait for the browser; nil: a real one.
func Browser(goos string, start func(name string, args ...string) error) func(address string) error {
	if start == nil {
		start = startProgram
	}
	return func(address string) error {
		u, err := checkBrowserURL(address)
		if err != nil {
			return err
		}
		switch goos {
		case "darwin":
			return start("open", u)
		case "windows":
			return start("rundll32", "url.dll,FileProtocolHandler", u)
		}
		return start("xdg-open", u)
	}
}

// checkBrowserURL returns the address as it may be opened: https, or http on this machine, with everything unusual escaped.
func checkBrowserURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("open the browser: the address cannot be read")
	}
	if u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && zone.OfHost(u.Hostname()) == zone.Loopback) {
		return "", fmt.Errorf("open the browser: %s://%s is not an https address", plain(u.Scheme), plain(u.Host))
	}
	return u.String(), nil
}

// browserTime is how long a program that opens the browser may take to say that it cannot.
const browserTime = 2 * time.Second

// startProgram runs a program that hands the address to a browser, or becomes the browser. One that fails at once, as
// happens where there is no display, is an error; one that stays is waited for by a goroutine that ends with it.
func startProgram(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("open the browser: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("open the browser: %s: %w", name, err)
		}
	case <-time.After(browserTime):
	}
	return nil
}
