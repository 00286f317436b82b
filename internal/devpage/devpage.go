// Package devpage owns what a window shows while its app is developed by `rata dev`: the pages' files as they are on the
// disk, or those of a frontend's development server on this machine.
//
// It promises that the origin of the pages, the window's token and the way of calls stay those of the app, so that nothing
// about who may call what is different; and that no address but one of the loopback interface is asked. Only programs
// that are built with the tag elyradev contain it, so a release has none of it. It must not import the root package or
// the bridge.
package devpage

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/elyra-go/elyra/window"
)

// Options of New. Exactly one of Dir and Server is given.
type Options struct {
	// Dir is the folder with the pages' files. Pages load again when one of them changes.
	Dir string
	// Server is the address of a development server on this machine: http://127.0.0.1:5173.
	Server string
	// Policy is the Content-Security-Policy of the app's own pages.
	Policy string
}

// Developer serves pages while an app is developed.
type Developer struct {
	files  fs.FS
	server *url.URL
	client *http.Client
	policy string
}

// New checks the options. It opens nothing.
func New(o Options) (*Developer, error) {
	if (o.Dir == "") == (o.Server == "") {
		return nil, errors.New("pages in development: want either a folder or a server")
	}
	if o.Dir != "" {
		if info, err := os.Stat(o.Dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("pages in development: %s is no folder", o.Dir)
		}
		return &Developer{files: os.DirFS(o.Dir), policy: o.Policy}, nil
	}
	server, err := loopback(o.Server)
	if err != nil {
		return nil, err
	}
	return &Developer{
		server: server,
		client: newClient(),
		// The server puts scripts into the page, and tells its own script of changes by a web socket.
		policy: o.Policy + "; script-src 'self' 'unsafe-inline'; connect-src 'self' ws://" + server.Host,
	}, nil
}

// loopback reads the address of a server on this machine, by number: a name could lead elsewhere.
func loopback(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("pages in development: %w", err)
	}
	host, port, err := net.SplitHostPort(u.Host)
	number, portErr := strconv.ParseUint(port, 10, 16)
	ip := net.ParseIP(host)
	if err != nil || portErr != nil || number == 0 || u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Path != "" && u.Path != "/" || ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("pages in development: the server is %q; want one like http://127.0.0.1:5173", address)
	}
	return &url.URL{Scheme: "http", Host: u.Host}, nil
}

// Files are the pages' files on the disk, nil when a server has them.
func (d *Developer) Files() fs.FS { return d.files }

// changedPath is where a page asks whether its files are still the same.
const changedPath = "/elyra/changed"

// Script runs at the start of each page. A development server brings its own.
func (d *Developer) Script() string {
	if d.files == nil {
		return ""
	}
	return `
(async () => {
  let known;
  for (;;) {
    await new Promise((resume) => setTimeout(resume, 250));
    const now = await fetch("` + changedPath + `").then((r) => r.text(), () => known);
    if (known !== undefined && now !== known) return location.reload();
    known = now;
  }
})();`
}

// Serve answers a page's request for a file. False leaves it to the app.
func (d *Developer) Serve(r *window.Request, w window.ResponseWriter) bool {
	switch {
	case r.Method != "GET":
		return false
	case d.server != nil:
		d.forward(r, w)
		return true
	case r.Path == changedPath:
		w.Respond(200, header("text/plain; charset=utf-8", d.policy), []byte(d.fingerprint()))
		return true
	}
	return false
}

// fingerprint is another text when a file is added, removed or written.
func (d *Developer) fingerprint() string {
	sum := fnv.New64a()
	err := fs.WalkDir(d.files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil // gone meanwhile
		}
		if info, err := entry.Info(); err == nil {
			fmt.Fprintf(sum, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	if err != nil {
		return "unknown"
	}
	return strconv.FormatUint(sum.Sum64(), 16)
}

// header is that of every response; see the bridge's.
func header(contentType, policy string) map[string]string {
	return map[string]string{
		"Content-Type":            contentType,
		"Content-Security-Policy": policy,
		"X-Content-Type-Options":  "nosniff",
		"Cache-Control":           "no-store",
		"Referrer-Policy":         "same-origin",
	}
}

// newClient asks the server and nobody else: no proxy, no redirection.
func newClient() *http.Client {
	return &http.Client{
		Timeout:       30 * time.Second,
		Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 16},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
