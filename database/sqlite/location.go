package sqlite

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// locate turns a database URL or a plain path into an absolute path. It looks at text
// only.
func locate(address, dir string) (string, error) {
	path, err := parse(address)
	if err != nil {
		return "", fmt.Errorf("open database %q: %w", address, err)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", fmt.Errorf("open database %q: %w", address, err)
	}
	return path, nil
}

var (
	errNoPath   = errors.New("no path given: write sqlite:crm.db, sqlite:///folder/crm.db or a path")
	errInMemory = errors.New("an in-memory database cannot be used, because every connection would see a database of its own: give a file")
)

func parse(address string) (string, error) {
	if strings.TrimSpace(address) == "" {
		return "", errNoPath
	}
	if strings.Contains(address, ":memory:") || strings.Contains(address, "mode=memory") {
		return "", errInMemory
	}
	rest, isURL := address, false
	if scheme, after, ok := strings.Cut(address, ":"); ok && isScheme(scheme) {
		if !strings.EqualFold(scheme, "sqlite") {
			return "", fmt.Errorf("%q is no scheme of this driver: write sqlite:crm.db, sqlite:///folder/crm.db or a path", scheme)
		}
		rest, isURL = after, true
	}
	path, query, hasQuery := strings.Cut(rest, "?")
	if hasQuery {
		return "", fmt.Errorf("unknown parameter %q: a SQLite URL takes none", query)
	}
	if strings.ContainsAny(path, "\x00#") && isURL || strings.Contains(path, "\x00") {
		return "", errors.New("the path holds a character that cannot be in one: write # as %23")
	}
	if isURL {
		return fromURL(path)
	}
	return path, nil
}

// fromURL gives the path of a URL without its scheme.
func fromURL(path string) (string, error) {
	if after, ok := strings.CutPrefix(path, "//"); ok {
		if !strings.HasPrefix(after, "/") {
			return "", fmt.Errorf("a URL with two slashes names a host: write sqlite:%s for a relative path, sqlite:///%s for an absolute one", after, after)
		}
		path = after
	}
	path, err := url.PathUnescape(path)
	if err != nil {
		return "", err
	}
	// "sqlite:///C:/crm.db" is how a URL spells a Windows drive.
	if len(path) > 2 && path[0] == '/' && path[2] == ':' && filepath.VolumeName(path[1:]) != "" {
		path = path[1:]
	}
	switch {
	case path == "":
		return "", errNoPath
	case strings.Contains(path, "\x00"):
		return "", errors.New("the path holds a zero byte")
	case strings.Contains(path, ":memory:"):
		return "", errInMemory
	}
	return filepath.FromSlash(path), nil
}

// isScheme tells a URL's scheme from a Windows drive and from a file name with a colon.
func isScheme(s string) bool {
	if len(s) < 2 {
		return false
	}
	for i, r := range s {
		letter := 'a' <= r|0x20 && r|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return false
		}
	}
	return true
}

// source gives the name under which SQLite opens path, with the settings that each
// connection has. params are added to it.
func source(path string, params url.Values) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	params.Set("_busy_timeout", "5000")
	params.Set("_synchronous", "NORMAL")
	params.Set("_foreign_keys", "1")
	params.Set("_time_format", "sqlite")
	params.Set("_error_rc", "1")
	// SQLite reads a plus sign as itself, so a space must not become one. Encode writes a real plus sign as %2B.
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: strings.ReplaceAll(params.Encode(), "+", "%20")}
	return u.String()
}
