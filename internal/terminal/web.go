package terminal

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// web asks whether to open a web address. The whole address is shown, and its host once more by itself, because that is what
// says whom the person will talk to. Nothing is fetched. Only https is opened, and http on this machine.
func (c *conversation) web(address string, browse func(string) error) (jsontext.Value, bool, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || !(u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname())) {
		fmt.Fprintf(c, "It wants to send you to an address that is not safe to open, so it is declined: %s\n", Visible(address))
		return nil, false, nil
	}
	fmt.Fprintf(c, "It wants to send you to %s\n  %s\n", Visible(u.Host), Visible(u.String()))
	if odd := suspicious(u.Hostname()); odd != "" {
		fmt.Fprintf(c, "Careful: %s.\n", odd)
	}
	yes, err := c.yes("Open it? [y/N] ")
	if err != nil || !yes {
		return nil, yes, err
	}
	if browse == nil {
		fmt.Fprintln(c, "Open the address above in your browser.")
	} else if err := browse(u.String()); err != nil {
		fmt.Fprintf(c, "The browser could not be started (%s): open the address above yourself.\n", Visible(err.Error()))
	}
	return nil, true, nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// suspicious says what is odd about a host name: letters that look like others come as Punycode or outside of ASCII.
func suspicious(host string) string {
	for _, label := range strings.Split(strings.ToLower(host), ".") {
		if strings.HasPrefix(label, "xn--") {
			return "the name of this host has letters that may look like others (Punycode)"
		}
	}
	for _, r := range host {
		if r > 0x7f {
			return "the name of this host has letters outside of ASCII, which may look like others"
		}
	}
	return ""
}
