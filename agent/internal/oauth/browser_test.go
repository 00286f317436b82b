package oauth

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestBrowserWithoutAShell(t *testing.T) {
	t.Parallel()
	const address = "https://as.example/author ize?a=1&b=%22;$(x)`"
	for goos, want := range map[string][]string{
		"linux":   {"xdg-open", "https://as.example/author%20ize?a=1&b=%22;$(x)`"},
		"freebsd": {"xdg-open", "https://as.example/author%20ize?a=1&b=%22;$(x)`"},
		"darwin":  {"open", "https://as.example/author%20ize?a=1&b=%22;$(x)`"},
		"windows": {"rundll32", "url.dll,FileProtocolHandler", "https://as.example/author%20ize?a=1&b=%22;$(x)`"},
	} {
		var got []string
		open := Browser(goos, func(name string, args ...string) error { got = append([]string{name}, args...); return nil })
		if err := open(address); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", goos, got, err)
		}
	}
}

func TestBrowserOpensOnlySafeAddresses(t *testing.T) {
	t.Parallel()
	open := Browser("linux", func(name string, args ...string) error { return nil })
	for _, good := range []string{"https://as.example/", "http://127.0.0.1:8080/x", "http://localhost/"} {
		if err := open(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"http://as.example/", "file:///etc/passwd", "javascript:alert(1)", "-x", "--help", "", "calc.exe", "ms-msdt:/id", "https://u:p@as.example/",
		"https://as.example/\nx", `\\host\share`, "https:///x", "HTTP://as.example",
	} {
		if err := open(bad); err == nil {
			t.Errorf("%q was opened", bad)
		}
	}
}

func TestBrowserThatCannotStart(t *testing.T) {
	t.Parallel()
	if err := Browser("linux", func(string, ...string) error { return errors.New("no such program") })("https://as.example/"); err == nil {
		t.Error("no error")
	}
	if err := startProgram("no-such-program-of-elyra"); err == nil || !strings.HasPrefix(err.Error(), "open the browser: ") {
		t.Errorf("error %v", err)
	}
}
