package bridge

import (
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strings"

	"github.com/elyra-go/elyra/window"
)

// serveFile serves the runtime and the app's own files.
func (b *Bridge) serveFile(r *window.Request, w window.ResponseWriter) {
	if r.Method != "GET" {
		refuse(w, 405, "method", "a file takes GET, not "+r.Method)
		return
	}
	if r.Path == "/elyra/runtime.js" {
		respond(w, 200, "text/javascript; charset=utf-8", runtime)
		return
	}
	if b.options.Developer != nil && b.options.Developer.Serve(r, w) {
		return
	}
	name, content, err := b.file(strings.TrimPrefix(r.Path, "/"))
	switch {
	case err == nil:
		respond(w, 200, contentType(name), content)
	case errors.Is(err, fs.ErrNotExist):
		respond(w, 404, "text/plain; charset=utf-8", []byte(err.Error()))
	default:
		b.options.Log.Error("a file of the app cannot be read", "path", r.Path, "reason", err)
		respond(w, 500, "text/plain; charset=utf-8", []byte("the file cannot be read; the app's log has the reason"))
	}
}

// file finds what a path shows: a file, the index.html of a folder, or, for a path that names no file, the app's index.html,
// whose script knows its own routes. A file that is missing is missing, so that a misspelt script does not come back as a page.
func (b *Bridge) file(name string) (found string, content []byte, err error) {
	if b.options.Assets == nil {
		return "", nil, fmt.Errorf("this window has no Assets: give elyra.Window an fs.FS with an index.html: %w", fs.ErrNotExist)
	}
	name = strings.TrimSuffix(name, "/")
	if name == "" {
		name = "."
	}
	if !fs.ValidPath(name) {
		return "", nil, fmt.Errorf("%q is not a path: %w", name, fs.ErrNotExist)
	}
	if info, err := fs.Stat(b.options.Assets, name); err == nil && info.IsDir() {
		name = path.Join(name, "index.html")
	}
	content, err = fs.ReadFile(b.options.Assets, name)
	if errors.Is(err, fs.ErrNotExist) && (path.Ext(name) == "" || path.Base(name) == "index.html") {
		name = "index.html"
		content, err = fs.ReadFile(b.options.Assets, name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("there is no %s among the files of this window: %w", name, fs.ErrNotExist)
	}
	return name, content, err
}

// contentType tells what a file is by its name. The types of the web are fixed here, because what the system says of them
// differs between machines and a page's module scripts do not run with a wrong one.
func contentType(name string) string {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".html", ".htm":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".json", ".map", ".webmanifest":
		return "application/json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".gif":
		return "image/gif"
	case ".webp":
		return "image/webp"
	case ".avif":
		return "image/avif"
	case ".ico":
		return "image/x-icon"
	case ".woff":
		return "font/woff"
	case ".woff2":
		return "font/woff2"
	case ".ttf":
		return "font/ttf"
	case ".wasm":
		return "application/wasm"
	case ".txt", ".md":
		return "text/plain; charset=utf-8"
	default:
		if known := mime.TypeByExtension(ext); known != "" {
			return known
		}
		return "application/octet-stream"
	}
}
