package bridge

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/window"
)

// maxOpened is how many of the files that its user chose a page may read. An earlier one makes room for a new one.
const maxOpened = 256

// openedFile is a file that the user of a page chose. The page knows its id.
type openedFile struct {
	id   int64
	path string
}

// fileType is window.FileType as a page writes it.
type fileType struct {
	Name     string   `json:"name"`
	Patterns []string `json:"patterns"`
}

// desktopRequest is what a page asks of the desktop. For each request some of it counts.
type desktopRequest struct {
	Title    string     `json:"title"`
	Body     string     `json:"body"`
	Name     string     `json:"name"`
	Types    []fileType `json:"types"`
	Multiple bool       `json:"multiple"`
	ID       int64      `json:"id"`
}

func (r desktopRequest) types() []window.FileType {
	types := make([]window.FileType, len(r.Types))
	for i, t := range r.Types {
		types[i] = window.FileType(t)
	}
	return types
}

// serveDesktop lets a page use what the desktop has: its file dialogs and its notifications.
func (b *Bridge) serveDesktop(p *page, what string, r *window.Request, w window.ResponseWriter) {
	body := r.Body
	if what == "save" { // Its body is the file.
		text, err := url.QueryUnescape(r.Query)
		if err != nil {
			refuse(w, 400, "body", "the query is not what @elyra/runtime sends")
			return
		}
		body = []byte(text)
	}
	var request desktopRequest
	if err := json.Unmarshal(body, &request, json.RejectUnknownMembers(true)); err != nil {
		refuse(w, 400, "body", fmt.Sprintf("%s: this is not what @elyra/runtime sends: %v", r.Path, err))
		return
	}
	switch {
	case what != "open" && what != "read" && what != "save" && what != "notify":
		refuse(w, 404, "path", "there is nothing at "+r.Path)
	case what == "notify":
		b.notify(p, request, w)
	case b.options.Files == nil:
		refuse(w, 501, "unsupported", "this app has no file dialogs for its pages")
	case what == "open":
		b.openFiles(p, request, w)
	case what == "read":
		b.readFile(p, request, w)
	default:
		b.saveFile(p, request, r.Body, w)
	}
}

func (b *Bridge) notify(p *page, request desktopRequest, w window.ResponseWriter) {
	if b.options.Notifier == nil {
		refuse(w, 501, "unsupported", "this app has no notifications for its pages")
		return
	}
	if err := b.options.Notifier.Notify(p.ctx, window.Notification{Title: request.Title, Body: request.Body}); err != nil {
		b.failDesktop(p, err, w)
		return
	}
	respond(w, 200, "application/json", []byte("null"))
}

// failDesktop answers with an error of the backend's.
func (b *Bridge) failDesktop(p *page, err error, w window.ResponseWriter) {
	if errors.Is(err, window.ErrClosed) || errors.Is(err, window.ErrNotRunning) {
		refuse(w, 410, "closed", "the window is closed")
		return
	}
	b.options.Log.Warn("the desktop did not do what a page asked for", "window", p.window, "reason", err)
	refuse(w, 503, "desktop", err.Error())
}

// chosenFile is what a page learns of a file.
type chosenFile struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Size int64  `json:"size"`
}

func (b *Bridge) openFiles(p *page, request desktopRequest, w window.ResponseWriter) {
	paths, err := b.options.Files.OpenFile(p.ctx, p.window, window.OpenDialog{
		Title: request.Title, Types: request.types(), Multiple: request.Multiple,
	})
	if err != nil {
		b.failDesktop(p, err, w)
		return
	}
	files := make([]chosenFile, 0, len(paths))
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() {
			err = errors.New("it is not a file")
		}
		if err != nil {
			b.unreadable(p, path, err, w)
			return
		}
		files = append(files, chosenFile{ID: p.remember(path), Name: filepath.Base(path), Size: info.Size()})
	}
	b.answer(w, files)
}

// remember gives an id for a file that the page may read.
func (p *page) remember(path string) (id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.files) == maxOpened {
		p.files = p.files[1:]
	}
	p.lastFile++
	p.files = append(p.files, openedFile{p.lastFile, path})
	return p.lastFile
}

func (b *Bridge) readFile(p *page, request desktopRequest, w window.ResponseWriter) {
	path := p.chosen(request.ID)
	if path == "" {
		refuse(w, 404, "file", "this page's user did not choose such a file, or too many others since")
		return
	}
	file, err := os.Open(path)
	if err != nil {
		b.unreadable(p, path, err, w)
		return
	}
	defer file.Close()
	out, err := w.Stream(header("application/octet-stream"))
	if err != nil {
		b.options.Log.Warn("a chosen file cannot be sent", "window", p.window, "reason", err)
		refuse(w, 503, "file", "the file cannot be sent")
		return
	}
	defer out.Close()
	// The page knows how long the file is, so it notices when the copy ends early.
	if _, err := io.Copy(out, file); err != nil {
		b.options.Log.Warn("a chosen file was not sent whole", "window", p.window, "path", path, "reason", err)
	}
}

func (p *page) chosen(id int64) (path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.files {
		if f.id == id {
			return f.path
		}
	}
	return ""
}

// unreadable tells the page of its file by name: the error has the path, which is not the page's business.
func (b *Bridge) unreadable(p *page, path string, err error, w window.ResponseWriter) {
	b.options.Log.Warn("a chosen file cannot be read", "window", p.window, "path", path, "reason", err)
	refuse(w, 403, "file", filepath.Base(path)+" cannot be read; the app's log has the reason")
}

func (b *Bridge) saveFile(p *page, request desktopRequest, content []byte, w window.ResponseWriter) {
	path, err := b.options.Files.SaveFile(p.ctx, p.window, window.SaveDialog{
		Title: request.Title, Name: request.Name, Types: request.types(),
	})
	if err != nil {
		b.failDesktop(p, err, w)
		return
	}
	if path == "" {
		b.answer(w, nil)
		return
	}
	if err := writeFile(path, content); err != nil {
		b.options.Log.Warn("a file was not saved", "window", p.window, "path", path, "reason", err)
		refuse(w, 403, "file", filepath.Base(path)+" was not saved; the app's log has the reason")
		return
	}
	b.answer(w, filepath.Base(path))
}

func (b *Bridge) answer(w window.ResponseWriter, value any) {
	body, err := json.Marshal(value)
	if err != nil { // A file's name is not valid UTF-8.
		refuse(w, 500, "file", "the file has a name that no page can be told")
		return
	}
	respond(w, 200, "application/json", body)
}
