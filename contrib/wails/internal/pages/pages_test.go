package pages_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/contrib/wails/internal/pages"
	"github.com/elyra-go/elyra/window"
)

const origin = "wails://localhost"

// app is a Host whose Serve is a function.
type app func(r *window.Request, w window.ResponseWriter)

func (a app) Serve(r *window.Request, w window.ResponseWriter) { a(r, w) }
func (app) DocumentStart(string) string                        { return "" }
func (app) Closed(string)                                      {}

// document answers with a document.
func document(text string) app {
	return func(_ *window.Request, w window.ResponseWriter) {
		w.Respond(200, map[string]string{"Content-Type": "text/html; charset=utf-8"}, []byte(text))
	}
}

// ask sends a request of window 1. Headers come in pairs.
func ask(s *pages.Server, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("X-Wails-Window-Id", "1")
	for pair := range slices.Chunk(header, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func server(o pages.Options) *pages.Server {
	o.Origin = origin
	s := pages.New(o)
	s.Open(1, "main", "hostScript();")
	return s
}

// startOf gives the address of the start script in a document.
func startOf(t *testing.T, body string) string {
	t.Helper()
	found := regexp.MustCompile(`<script src="(/\.elyra-wails/start/[A-Z2-7]{26})"></script>`).FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("no start script in %q", body)
	}
	return found[1]
}

// secretOf loads a page and gives what its start script proves itself with.
func secretOf(t *testing.T, s *pages.Server) string {
	t.Helper()
	script := ask(s, "GET", startOf(t, ask(s, "GET", "/").Body.String())).Body.String()
	found := regexp.MustCompile(`secret:"([A-Z2-7]{26})"`).FindStringSubmatch(script)
	if found == nil {
		t.Fatalf("no secret in %q", script)
	}
	return found[1]
}

func TestStartScriptIsFirst(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ before, after string }{
		"plain":            {"", "<p>x"},
		"document type":    {"<!doctype html>", "<html><head>"},
		"upper case":       {"<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'>", "<html>"},
		"after a comment":  {"\xEF\xBB\xBF \n<!-- <!doctype x> -->\n<!doctype html>", "\n<meta charset=utf-8>"},
		"comment only":     {"<!-- a -->", "<p>x<!doctype html>"},
		"open comment":     {"", "<!-- <script>first()</script>"},
		"open type":        {"", "<!doctype html"},
		"nothing":          {"", ""},
		"type, cut short":  {"", "<!doctyp"},
		"comment, no type": {" <!-- a --><!-- b -->", "text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := server(pages.Options{Host: document(test.before + test.after)})
			got := ask(s, "GET", "/").Body.String()
			want := test.before + `<script src="` + startOf(t, got) + `"></script>` + test.after
			if got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestWhatIsNoDocumentStaysAsItIs(t *testing.T) {
	t.Parallel()
	s := server(pages.Options{Host: document("<p>x")})
	for name, w := range map[string]*httptest.ResponseRecorder{
		"fetched by the page": ask(s, "GET", "/", "X-Elyra-Fetch", "1"),
		"for a script":        ask(s, "GET", "/", "Sec-Fetch-Dest", "empty"),
		"in a frame":          ask(s, "GET", "/", "Sec-Fetch-Dest", "iframe"),
		"not wanted as such":  ask(s, "GET", "/", "Accept", "*/*"),
		"posted":              ask(s, "POST", "/"),
	} {
		if got := w.Body.String(); got != "<p>x" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestStartScriptIsGivenOnce(t *testing.T) {
	t.Parallel()
	s := server(pages.Options{Host: document("")})
	address := startOf(t, ask(s, "GET", "/").Body.String())
	if got := ask(s, "GET", address, "Origin", "https://example.com"); got.Code != 403 {
		t.Errorf("a foreign page got %d", got.Code)
	}
	first := ask(s, "GET", address).Body.String()
	if !strings.HasPrefix(first, "if (window === window.top) {") || !strings.Contains(first, "hostScript();") {
		t.Errorf("got %q", first)
	}
	if again := ask(s, "GET", address); again.Code != 403 || strings.Contains(again.Body.String(), "hostScript") {
		t.Errorf("the second time: %d", again.Code)
	}
	for range 20 { // Documents that nobody shows do not fill the memory.
		ask(s, "GET", "/")
	}
	if last := ask(s, "GET", startOf(t, ask(s, "GET", "/").Body.String())); last.Code != 200 {
		t.Errorf("the newest one: %d", last.Code)
	}
}

func TestRequestsThatReachNobody(t *testing.T) {
	t.Parallel()
	s := server(pages.Options{
		Host:        app(func(*window.Request, window.ResponseWriter) { t.Error("the app was asked") }),
		CloseWindow: func(uint) { t.Error("a window was closed") },
		OpenURL:     func(string) error { t.Error("an address was opened"); return nil },
	})
	for name, test := range map[string]struct {
		w    *httptest.ResponseRecorder
		want int
	}{
		"no window":        {ask(s, "GET", "/", "X-Wails-Window-Id", ""), 410},
		"unknown window":   {ask(s, "GET", "/", "X-Wails-Window-Id", "2"), 410},
		"service worker":   {ask(s, "GET", "/sw.js", "Service-Worker", "script"), 403},
		"no secret":        {ask(s, "POST", "/.elyra-wails/close"), 403},
		"guessed secret":   {ask(s, "POST", "/.elyra-wails/close", "X-Elyra-Wails", "x"), 403},
		"foreign origin":   {ask(s, "POST", "/.elyra-wails/close", "Origin", "null"), 403},
		"foreign referer":  {ask(s, "POST", "/.elyra-wails/close", "Referer", "https://example.com/"), 403},
		"start by guess":   {ask(s, "GET", "/.elyra-wails/start/"), 403},
		"answer by a page": {ask(s, "POST", "/.elyra-wails/accept"), 403},
		"question's page":  {ask(s, "GET", "/.elyra-wails/question"), 403},
	} {
		if test.w.Code != test.want {
			t.Errorf("%s: %d, want %d", name, test.w.Code, test.want)
		}
	}
}

func TestForeignPagesAreMarked(t *testing.T) {
	t.Parallel()
	origins := make(chan string, 1)
	s := server(pages.Options{Host: app(func(r *window.Request, _ window.ResponseWriter) { origins <- r.Header("Origin") })})
	for _, test := range []struct{ header, value, want string }{
		{"Referer", "https://example.com/", "null"},
		{"Referer", "wails://localhost.example.com/", "null"},
		{"Referer", origin + "/page", ""},
		{"Origin", "https://example.com", "https://example.com"},
		{"X-Other", "", ""},
	} {
		if w := ask(s, "POST", "/", test.header, test.value); w.Code != 500 {
			t.Errorf("a request that was not answered got %d", w.Code)
		}
		if from := <-origins; from != test.want {
			t.Errorf("%s %s: the app sees the origin %q, want %q", test.header, test.value, from, test.want)
		}
	}
}

func TestOnlySomeAddressesAreOpened(t *testing.T) {
	t.Parallel()
	var opened string
	s := server(pages.Options{Host: document(""), OpenURL: func(address string) error { opened = address; return nil }})
	secret := secretOf(t, s)
	for address, want := range map[string]bool{
		"https://example.com/a?b#c": true, "HTTP://example.com": true, "mailto:ada@example.com": true,
		"https:///etc/passwd": false, "mailto:": false, "file:///etc/passwd": false, "javascript:alert(1)": false,
		"smb://host/share": false, "--version": false, "": false, origin + "/": false,
	} {
		opened = ""
		ask(s, "POST", "/.elyra-wails/open?url="+strings.NewReplacer("?", "%3F", "#", "%23", "&", "%26").Replace(address), "X-Elyra-Wails", secret)
		if opened != "" != want || want && opened != address {
			t.Errorf("%q: opened %q, want %v", address, opened, want)
		}
	}
}

// streaming gives a server whose streams arrive as many answers, and the ends of one.
func streaming(t *testing.T) (s *pages.Server, out io.WriteCloser, next func() *httptest.ResponseRecorder) {
	t.Helper()
	opened := make(chan io.WriteCloser, 1)
	s = server(pages.Options{Host: app(func(r *window.Request, w window.ResponseWriter) {
		if r.Path == "/" {
			document("")(r, w)
			return
		}
		out, err := w.Stream(map[string]string{"X-Suite": "yes"})
		if err != nil {
			t.Error(err)
		}
		opened <- out
	})})
	secret := secretOf(t, s)
	w := ask(s, "POST", "/stream")
	name := w.Header().Get("X-Elyra-Stream")
	if w.Code != 200 || name == "" || w.Header().Get("X-Suite") != "yes" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	return s, <-opened, func() *httptest.ResponseRecorder {
		return ask(s, "POST", "/.elyra-wails/stream/"+name, "X-Elyra-Wails", secret)
	}
}

func TestStreamArrivesAsManyAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, out, next := streaming(t)
		_, _ = io.WriteString(out, "one ")
		_, _ = io.WriteString(out, "two")
		if w := next(); w.Code != 200 || w.Body.String() != "one two" {
			t.Errorf("%d %q", w.Code, w.Body)
		}
		if w := next(); w.Code != 204 { // after a while in which nothing came
			t.Errorf("%d %q", w.Code, w.Body)
		}
		go func() {
			time.Sleep(10 * time.Second)
			_, _ = io.WriteString(out, "three")
			_ = out.Close()
		}()
		if w := next(); w.Body.String() != "three" {
			t.Errorf("%d %q", w.Code, w.Body)
		}
		if w := next(); w.Code != http.StatusGone {
			t.Errorf("at the end: %d", w.Code)
		}
	})
}

// The app may well write its stream while it serves the request for it.
func TestServeThatLastsAsLongAsItsStream(t *testing.T) {
	t.Parallel()
	for name, streams := range map[string]bool{"as one answer": true, "as many": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := server(pages.Options{Streams: streams, Host: app(func(r *window.Request, w window.ResponseWriter) {
					if r.Path == "/" {
						document("")(r, w)
						return
					}
					out, err := w.Stream(nil)
					if err != nil {
						t.Error(err)
					}
					for _, piece := range []string{"one ", "two ", "three"} {
						time.Sleep(time.Second)
						_, _ = io.WriteString(out, piece)
					}
					_ = out.Close()
				})})
				secret := secretOf(t, s)
				w := ask(s, "POST", "/stream")
				got := w.Body.String()
				for name := w.Header().Get("X-Elyra-Stream"); name != "" && w.Code == 200; got += w.Body.String() {
					w = ask(s, "POST", "/.elyra-wails/stream/"+name, "X-Elyra-Wails", secret)
				}
				if got != "one two three" {
					t.Errorf("got %q", got)
				}
			})
		})
	}
}

func TestStreamOfAPageThatDoesNotFetch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, out, _ := streaming(t)
		began, wrote := time.Now(), 0
		for {
			n, err := out.Write(make([]byte, 16<<10))
			if err != nil {
				break
			}
			wrote += n
		}
		if took := time.Since(began); wrote > 64<<10 || took < 30*time.Second || took > time.Minute {
			t.Errorf("%d bytes were taken in %v", wrote, took)
		}
	})
}

func TestStreamEndsWithItsWindow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, out, next := streaming(t)
		_, _ = out.Write(make([]byte, 64<<10))
		failed := make(chan error)
		go func() { _, err := out.Write([]byte("more")); failed <- err }()
		synctest.Wait()
		s.Close(1)
		if err := <-failed; err == nil {
			t.Error("writing to a closed window did not fail")
		}
		if w := next(); w.Code != http.StatusGone {
			t.Errorf("the page of a closed window got %d", w.Code)
		}
	})
}

func TestCloseFreesAWriterThatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, out, _ := streaming(t)
		_, _ = out.Write(make([]byte, 64<<10))
		failed := make(chan error)
		go func() { _, err := out.Write([]byte("more")); failed <- err }()
		synctest.Wait()
		_ = out.Close()
		if err := <-failed; err == nil {
			t.Error("the writer was told that its bytes arrived")
		}
	})
}

func TestDrainWaitsForTheApp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := server(pages.Options{Host: app(func(r *window.Request, w window.ResponseWriter) {
			if r.Path == "/slow" {
				time.Sleep(time.Second)
			} else {
				time.Sleep(time.Minute)
			}
		})})
		go ask(s, "GET", "/slow")
		go ask(s, "GET", "/stuck")
		synctest.Wait()
		if left := s.Drain(3 * time.Second); left != 1 {
			t.Errorf("%d requests are left, want 1", left)
		}
		if w := ask(s, "GET", "/late"); w.Code != http.StatusGone {
			t.Errorf("a request after the end got %d", w.Code)
		}
		time.Sleep(time.Minute)
	})
}

func TestQuestionIsPlainText(t *testing.T) {
	t.Parallel()
	hostile := `"><script>x()</script>$accept`
	var heard []bool
	s := server(pages.Options{Host: app(func(*window.Request, window.ResponseWriter) { t.Error("the app was asked") })})
	q := window.Question{Title: hostile, Text: hostile, Accept: hostile, Refuse: hostile}
	s.OpenQuestion(7, q, func(bool) {}, func(accepted bool) { heard = append(heard, accepted) })
	as := func(method, path string, header ...string) *httptest.ResponseRecorder {
		return ask(s, method, path, append([]string{"X-Wails-Window-Id", "7"}, header...)...)
	}
	body := as("GET", pages.QuestionPath).Body.String()
	if strings.Contains(body, "<script>x") || strings.Count(body, html.EscapeString(hostile)) != 5 {
		t.Errorf("got %s", body)
	}
	for _, w := range []*httptest.ResponseRecorder{
		as("POST", "/.elyra-wails/accept", "Origin", "https://example.com"), // a foreign page
		ask(s, "POST", "/.elyra-wails/accept"),                              // a page of the app
		as("GET", "/.elyra-wails/accept"),
		as("GET", "/"),
	} {
		if w.Code < 400 {
			t.Errorf("got %d", w.Code)
		}
	}
	if len(heard) > 0 {
		t.Fatalf("answered: %v", heard)
	}
	as("POST", "/.elyra-wails/accept")
	as("POST", "/.elyra-wails/refuse")
	if !slices.Equal(heard, []bool{true, false}) {
		t.Errorf("heard %v", heard)
	}
}
