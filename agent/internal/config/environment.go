package config

import (
	"maps"
	"slices"
	"strings"
)

// Environment returns the environment of a local server: what programs need to run at all, taken from parent (NAME=value,
// as os.Environ returns it), and extra, which wins. Nothing else of the parent is passed on, above all no keys. On Windows,
// the goos "windows", letter case of names does not count.
func Environment(parent []string, goos string, extra map[string]string) []string {
	fold := func(name string) string {
		if goos == "windows" {
			return strings.ToUpper(name)
		}
		return name
	}
	values := map[string]string{} // by folded name: NAME=value
	for _, variable := range parent {
		name, value, ok := strings.Cut(variable, "=")
		// A value that begins so is a function of an old shell.
		if ok && name != "" && passedOn(name, goos) && !strings.HasPrefix(value, "()") {
			values[fold(name)] = variable
		}
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		values[fold(name)] = name + "=" + extra[name]
	}
	return slices.Sorted(maps.Values(values))
}

// passedOn reports whether a server gets a variable without asking.
func passedOn(name, goos string) bool {
	upper := strings.ToUpper(name)
	switch upper {
	case "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "FTP_PROXY": // programs read them in both cases
		return true
	}
	if goos == "windows" {
		switch upper {
		case "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
			"PROGRAMFILES", "PROGRAMFILES(X86)", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH", "PROCESSOR_ARCHITECTURE":
			return true
		}
		name = upper
	}
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TERM", "TMPDIR", "TZ":
		return true
	case "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE",
		"GIT_SSL_CAINFO", "PIP_CERT", "CARGO_HTTP_CAINFO", "DENO_CERT":
		return true
	}
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_")
}
