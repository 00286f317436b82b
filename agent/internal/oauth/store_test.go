package oauth

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

func TestFileKeepsWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	var file map[string]map[string]any
	data, err := w.dir.Read(FileName)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	file["another-extension"] = map[string]any{"token": "theirs"}
	file[section]["from-a-newer-version"] = []int{1}
	if data, err = json.Marshal(file); err != nil {
		t.Fatal(err)
	}
	if err := w.dir.Write(FileName, data); err != nil {
		t.Fatal(err)
	}
	w.clock.move(2 * time.Hour)
	w.header(s)
	if err := s.Logout(t.Context()); err != nil {
		t.Fatal(err)
	}
	data, err = w.dir.Read(FileName)
	if err != nil {
		t.Fatal(err)
	}
	clear(file)
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if file["another-extension"]["token"] != "theirs" || len(file[section]) != 1 || file[section]["from-a-newer-version"] == nil {
		t.Errorf("file %s", data)
	}
}

func TestDamagedFileIsNotOverwritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{", "[]", `{"mcp":1}`, `{"a":1,"a":2}`, "\x00"} {
		w := newWorld(t)
		s := w.session(nil)
		if err := w.dir.Write(FileName, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Authorize(t.Context()); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%q: %v", text, err)
		}
		if err := s.Login(t.Context(), LoginOptions{Open: browse}); err == nil || w.as.browsers() > 0 {
			t.Errorf("%q: login: %v", text, err)
		}
		if got, err := w.dir.Read(FileName); err != nil || string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestRecordsThatAreNotUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	whole, err := os.ReadFile(w.dir.Path(FileName))
	if err != nil {
		t.Fatal(err)
	}
	access := w.record(s).Tokens.Access
	for name, change := range map[string][2]string{
		"of another identity":  {`"identity": "user"`, `"identity": "project:/p"`},
		"of another server":    {`"resource": "http://127`, `"resource": "http://128`},
		"a token with a break": {access, `a\r\nb`},
		"a wrong type":         {`"generation": 1`, `"generation": "1"`},
		"a negative one":       {`"generation": 1`, `"generation": -1`},
	} {
		text := strings.Replace(string(whole), change[0], change[1], 1)
		if text == string(whole) {
			t.Fatalf("%s: nothing to change in %s", name, whole)
		}
		if err := w.dir.Write(FileName, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if h := w.header(w.session(nil)); h != "" {
			t.Errorf("%s: header %q", name, h)
		}
	}
}

func TestRecordSurvivesTheFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := time.Unix(1e9, 5e8).UTC()
	want := record{
		Identity: "user", Resource: "https://x.example/mcp", Audience: "https://x.example", Zone: zone.Public, Issuer: "https://as.example",
		Client: client{ID: "id", Secret: "s", Method: "client_secret_basic", Redirect: "http://127.0.0.1:1/mcp/callback", Source: fromDynamic, Expires: at},
		Tokens: tokens{Access: "a", Refresh: "r", Scopes: []string{"x"}, Issued: at, Expires: at.Add(time.Hour), Renewed: true},
		Asked:  []string{"x", "y"}, Wanted: []string{"z"}, Subject: "sub", Generation: 7,
	}
	if err := w.store.change(t.Context(), "user", want.Resource, func(record) *record { return &want }); err != nil {
		t.Fatal(err)
	}
	got, ok, err := w.store.load("user", want.Resource)
	if err != nil || !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
}

// A keyring of a system takes a few kilobytes and may be locked. The file takes the longest token that is used at all, and
// needs nobody to unlock it.
func TestLongTokensAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	access, refresh := strings.Repeat("a", 32<<10), strings.Repeat("r", 32<<10)
	w.as.token = func(_ map[string][]string, answer map[string]any) {
		answer["access_token"], answer["refresh_token"] = access, refresh
	}
	w.login(w.session(nil))
	w.store = New(w.dir) // as another process has it
	s := w.session(nil)
	if h := w.header(s); h != "Bearer "+access || w.record(s).Tokens.Refresh != refresh {
		t.Errorf("a header of %d bytes, want a token of %d", len(h), len(access))
	}
}

func TestNothingIsKeptOfNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	if err := s.forgetClient(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.dir.Path(FileName)); !os.IsNotExist(err) {
		t.Errorf("a file: %v", err)
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	if err := s.Logout(t.Context()); err != nil {
		t.Errorf("without a login: %v", err)
	}
	w.login(s)
	r := w.record(s)
	if err := s.Logout(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w.as.revoked, " "); got != r.Tokens.Refresh+" "+r.Tokens.Access {
		t.Errorf("revoked %q", got)
	}
	if h := w.header(s); h != "" {
		t.Errorf("header %q", h)
	}
	data, err := w.dir.Read(FileName)
	if err != nil || strings.Contains(string(data), "access-") || strings.Contains(string(data), "client-") {
		t.Errorf("left over: %s, %v", data, err)
	}
}

func TestLogoutWhenTheServerIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	w.login(s)
	w.as.Close()
	if err := s.Logout(t.Context()); err != nil {
		t.Errorf("error %v", err)
	}
	if r := w.record(s); r.Issuer != "" {
		t.Error("the record is still there")
	}
}

func TestLogoutWithoutARevocationEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.as.edit = func(m map[string]any) { delete(m, "revocation_endpoint") }
	s := w.session(nil)
	w.login(s)
	if err := s.Logout(t.Context()); err != nil || len(w.as.revoked) > 0 {
		t.Errorf("%v, revoked %q", err, w.as.revoked)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rs.challenge += `, scope="read"`
	s := w.session(nil)
	if got, err := s.Status(); err != nil || got.LoggedIn || got.Subject != "" {
		t.Errorf("before: %+v, %v", got, err)
	}
	w.login(s)
	got, err := s.Status()
	if err != nil || !got.LoggedIn || !got.Refreshes || got.Issuer != w.as.issuer() || len(got.Scopes) != 1 || got.Subject == "" || !got.Expires.After(w.clock.now()) {
		t.Errorf("after: %+v, %v", got, err)
	}
	w.clock.move(2 * time.Hour)
	w.header(s)
	if renewed, err := s.Status(); err != nil || renewed.Subject != got.Subject || !renewed.Expires.After(got.Expires) {
		t.Errorf("refreshed: %+v, %v", renewed, err)
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{
		"no identity":             {Name: "x", URL: "https://x.example"},
		"a document that is none": {Name: "x", Identity: "user", URL: "https://x.example", ClientDocument: "x"},
		"a bad port":              {Name: "x", Identity: "user", URL: "https://x.example", CallbackPort: 70000},
	} {
		if _, err := New(nil).Session(o); err == nil || !strings.HasPrefix(err.Error(), `authorization of server "x": `) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoginNeededNamesTheCommand(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"linear": "run: elyra mcp login linear", "my server": `run: elyra mcp login "my server"`, "-x": `run: elyra mcp login "-x"`,
	} {
		if got := (&ErrLoginNeeded{Server: name, Reason: "its login has ended"}).Error(); !strings.HasSuffix(got, want) || !strings.Contains(got, "its login has ended") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
