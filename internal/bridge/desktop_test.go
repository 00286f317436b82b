package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// fakeDesktop is a user who chooses what the test says, and remembers what they were shown.
type fakeDesktop struct {
	paths []string
	path  string
	err   error

	open   window.OpenDialog
	save   window.SaveDialog
	note   window.Notification
	window string
}

func (d *fakeDesktop) OpenFile(_ context.Context, id string, o window.OpenDialog) ([]string, error) {
	d.window, d.open = id, o
	return d.paths, d.err
}

func (d *fakeDesktop) SaveFile(_ context.Context, id string, o window.SaveDialog) (string, error) {
	d.window, d.save = id, o
	return d.path, d.err
}

func (d *fakeDesktop) Notify(_ context.Context, n window.Notification) error {
	d.note = n
	return d.err
}

func openDesktopPage(t *testing.T) (*testPage, *fakeDesktop) {
	d := &fakeDesktop{}
	b := newBridge(t, newApp(), func(o *Options) { o.Files, o.Notifier = d, d })
	return openPage(t, b, "main"), d
}

func (p *testPage) saveAs(options, content string) *answer {
	a := &answer{}
	p.bridge.Serve(p.request("/elyra/save", content, func(r *window.Request, _ textproto.MIMEHeader) {
		r.Query = url.QueryEscape(options)
	}), a)
	return a
}

func TestPageReadsWhatItsUserChose(t *testing.T) {
	t.Parallel()
	p, d := openDesktopPage(t)
	one, two := filepath.Join(t.TempDir(), "größe.csv"), filepath.Join(t.TempDir(), "b.bin")
	for path, content := range map[string]string{one: "a;b\n", two: "\x00\xff"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.paths = []string{one, two}
	a := p.post("/elyra/open", `{"title":"Import","multiple":true,"types":[{"name":"Tables","patterns":["*.csv"]}]}`)
	want := `[{"id":1,"name":"größe.csv","size":4},{"id":2,"name":"b.bin","size":2}]`
	if a.status != 200 || string(a.body) != want {
		t.Fatalf("got %d %s, want %s", a.status, a.body, want)
	}
	shown := window.OpenDialog{Title: "Import", Multiple: true, Types: []window.FileType{{Name: "Tables", Patterns: []string{"*.csv"}}}}
	if !reflect.DeepEqual(d.open, shown) || d.window != "main" {
		t.Errorf("window %q showed %+v", d.window, d.open)
	}
	for id, content := range map[string]string{"2": "\x00\xff", "1": "a;b\n"} {
		if got := p.read(id); got != content {
			t.Errorf("file %s has %q, want %q", id, got, content)
		}
	}
	if err := os.Remove(one); err != nil {
		t.Fatal(err)
	}
	if a := p.post("/elyra/read", `{"id":1}`); a.status != 403 || strings.Contains(string(a.body), filepath.Dir(one)) {
		t.Errorf("a file that is gone: %d %s", a.status, a.body)
	}
}

// read reads a chosen file to its end.
func (p *testPage) read(id string) string {
	in, out := io.Pipe()
	go p.bridge.Serve(p.request("/elyra/read", `{"id":`+id+`}`, nil), streamTo{out})
	content, err := io.ReadAll(in)
	if err != nil {
		return err.Error()
	}
	return string(content)
}

func TestPageReadsNothingElse(t *testing.T) {
	t.Parallel()
	p, d := openDesktopPage(t)
	other := openPage(t, p.bridge, "other")
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.paths = []string{file}
	p.post("/elyra/open", `{}`)
	for name, a := range map[string]*answer{
		"an id that it was not given": p.post("/elyra/read", `{"id":2}`),
		"no id":                       p.post("/elyra/read", `{}`),
		"the file of another window":  other.post("/elyra/read", `{"id":1}`),
	} {
		if a.status != 404 || kindOf(t, a) != "file" {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	d.paths = []string{t.TempDir()}
	if a := p.post("/elyra/open", `{}`); a.status != 403 {
		t.Errorf("a folder was opened: %d %s", a.status, a.body)
	}
	d.paths = nil
	if a := p.post("/elyra/open", `{}`); a.status != 200 || string(a.body) != "[]" {
		t.Errorf("no choice: %d %s", a.status, a.body)
	}
}

func TestPageForgetsEarlierFiles(t *testing.T) {
	t.Parallel()
	p, d := openDesktopPage(t)
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.paths = []string{file}
	for range maxOpened + 1 {
		p.post("/elyra/open", `{}`)
	}
	if a := p.post("/elyra/read", `{"id":1}`); a.status != 404 {
		t.Errorf("the first file is still known: %d", a.status)
	}
	if got := p.read(fmt.Sprint(maxOpened + 1)); got != "text" {
		t.Errorf("the last file has %q", got)
	}
}

func TestPageSavesWhereItsUserSays(t *testing.T) {
	t.Parallel()
	p, d := openDesktopPage(t)
	dir := t.TempDir()
	d.path = filepath.Join(dir, "ä b.csv")
	for _, content := range []string{"first", "second, longer", "", "\x00\xff"} {
		a := p.saveAs(`{"name":"übersicht.csv","types":[{"name":"","patterns":["*.csv"]}]}`, content)
		if a.status != 200 || string(a.body) != `"ä b.csv"` {
			t.Fatalf("got %d %s", a.status, a.body)
		}
		if got, err := os.ReadFile(d.path); err != nil || string(got) != content {
			t.Errorf("the file has %q, %v; want %q", got, err, content)
		}
	}
	if d.save.Name != "übersicht.csv" || len(d.save.Types) != 1 {
		t.Errorf("the user was shown %+v", d.save)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("beside the file there is more: %v, %v", entries, err)
	}
	d.path = ""
	if a := p.saveAs(`{}`, "x"); a.status != 200 || string(a.body) != "null" {
		t.Errorf("no choice: %d %s", a.status, a.body)
	}
	d.path = filepath.Join(dir, "missing", "a")
	if a := p.saveAs(`{}`, "x"); a.status != 403 || strings.Contains(string(a.body), dir) {
		t.Errorf("a folder that is not there: %d %s", a.status, a.body)
	}
	d.path = dir
	if a := p.saveAs(`{}`, "x"); a.status != 403 {
		t.Errorf("a folder: %d %s", a.status, a.body)
	}
}

func TestReplacedFileKeepsItsPermissionsAndItsLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	path := file
	if err := os.Symlink("file", link); err == nil { // On Windows, links are for administrators.
		path = link
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeFile(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	after, err := os.Lstat(file)
	if err != nil || after.Mode() != before.Mode() {
		t.Errorf("the mode was %v and is %v, %v", before.Mode(), after.Mode(), err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "new" {
		t.Errorf("the file has %q, %v", got, err)
	}
	if target, err := os.Readlink(link); path == link && (err != nil || target != "file") {
		t.Errorf("the link leads to %q, %v", target, err)
	}
}

func TestPageNotifies(t *testing.T) {
	t.Parallel()
	p, d := openDesktopPage(t)
	if a := p.post("/elyra/notify", `{"title":"Done","body":"All <b>9</b>"}`); a.status != 200 || string(a.body) != "null" {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if want := (window.Notification{Title: "Done", Body: "All <b>9</b>"}); d.note != want {
		t.Errorf("the desktop shows %+v", d.note)
	}
}

func TestDesktopRefuses(t *testing.T) {
	t.Parallel()
	p, d := openDesktopPage(t)
	bare := openPage(t, newBridge(t, newApp(), nil), "main")
	with := func(err error) *fakeDesktop { d.err = err; return d }
	for name, test := range map[string]struct {
		desktop *fakeDesktop
		page    *testPage
		path    string
		body    string
		status  int
		kind    string
	}{
		"an app without file dialogs":  {d, bare, "/elyra/open", `{}`, 501, "unsupported"},
		"an app without notifications": {d, bare, "/elyra/notify", `{}`, 501, "unsupported"},
		"something else":               {d, p, "/elyra/else", `{}`, 404, "path"},
		"the runtime":                  {d, p, "/elyra/runtime.js", `{}`, 404, "path"},
		"no JSON":                      {d, p, "/elyra/open", `{`, 400, "body"},
		"a misspelt member":            {d, p, "/elyra/open", `{"Title":""}`, 400, "body"},
		"a file without options":       {d, p, "/elyra/save", `{}`, 400, "body"},
		"a window that closes":         {with(window.ErrClosed), p, "/elyra/open", `{}`, 410, "closed"},
	} {
		t.Run(name, func(t *testing.T) {
			if a := test.page.post(test.path, test.body); a.status != test.status || kindOf(t, a) != test.kind {
				t.Errorf("got %d %s, want %d %s", a.status, a.body, test.status, test.kind)
			}
		})
	}
	d.err = errors.New("no portal")
	for _, path := range []string{"/elyra/open", "/elyra/notify"} {
		if a := p.post(path, `{}`); a.status != 503 || !strings.Contains(string(a.body), "no portal") {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// rawApp takes bytes, too.
type rawApp struct{ *fakeApp }

func (rawApp) CallRaw(_ context.Context, window, command string, body []byte) ([]byte, error) {
	if command == "refused" {
		return nil, errors.New("refused")
	}
	return fmt.Appendf(nil, "%q", fmt.Sprintf("%s %s %x", window, command, body)), nil
}

func TestRawCall(t *testing.T) {
	t.Parallel()
	p := openPage(t, newBridge(t, rawApp{newApp()}, nil), "main")
	if a := p.post("/raw/photos_store", "\x00\xff"); a.status != 200 || string(a.body) != `"main photos_store 00ff"` {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if a := p.post("/raw/refused", "x"); a.status != 418 {
		t.Errorf("an error of the app's: %d %s", a.status, a.body)
	}
	for _, path := range []string{"/raw/", "/raw/a/b"} {
		if a := p.post(path, "x"); a.status != 404 {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := openPage(t, newBridge(t, newApp(), nil), "main").post("/raw/photos_store", "x"); a.status != 404 || kindOf(t, a) != "unknownCommand" {
		t.Errorf("an app that takes no bytes: %d %s", a.status, a.body)
	}
}
