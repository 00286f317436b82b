package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// fakeDevice types its answer, and then nothing until it is closed or its deadline has passed.
type fakeDevice struct {
	answer  io.Reader
	shown   strings.Builder
	woken   chan struct{}
	closed  bool
	stalled bool
}

func (f *fakeDevice) Read(p []byte) (int, error) {
	if f.stalled {
		<-f.woken
		return 0, errors.New("deadline")
	}
	return f.answer.Read(p)
}
func (f *fakeDevice) Write(p []byte) (int, error)     { return f.shown.Write(p) }
func (f *fakeDevice) Close() error                    { f.closed = true; return nil }
func (f *fakeDevice) SetReadDeadline(time.Time) error { close(f.woken); return nil }

// typing makes an asker at whose terminal somebody types a text.
func typing(text string) (*Asker, *fakeDevice) {
	device := &fakeDevice{answer: strings.NewReader(text)}
	return &Asker{Program: "prog", Open: func() (Device, error) { return device, nil }, Notices: io.Discard}, device
}

func TestAskTakesOnlyAClearYes(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"y\n": "accept", " YES \r\n": "accept", "n\n": "decline", "\n": "decline", "yeah\n": "decline", "": "cancel", "y": "cancel",
	} {
		asker, device := typing(typed)
		result, err := asker.Ask(t.Context(), "crm", mcp.ElicitParams{Message: "Delete \x1b[8mall?", RequestedSchema: jsontext.Value(`{"type":"object","properties":{}}`)})
		if err != nil || result.Action != want {
			t.Errorf("%q gives %+v, %v; want %s", typed, result, err, want)
		}
		if shown := device.shown.String(); !strings.HasPrefix(shown, `crm: Delete \u001b[8mall?`+"\nAllow this? [y/N] ") || !device.closed {
			t.Errorf("%q: shown %q, closed %v", typed, shown, device.closed)
		}
	}
}

func TestAskEndsWithItsContext(t *testing.T) {
	t.Parallel()
	device := &fakeDevice{stalled: true, woken: make(chan struct{})}
	asker := &Asker{Open: func() (Device, error) { return device, nil }, Notices: io.Discard}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := asker.Ask(ctx, "crm", mcp.ElicitParams{Message: "?"})
	if err != nil || result.Action != "cancel" || !device.closed {
		t.Errorf("got %+v, %v", result, err)
	}
}

func TestAskDeclinesWithoutATerminal(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func() (Device, error){
		"no device":          func() (Device, error) { return nil, errors.New("no such device") },
		"no way to open one": nil,
	} {
		var notices strings.Builder
		asker := &Asker{Program: "prog", Open: open, Notices: &notices}
		result, err := asker.Ask(t.Context(), "crm", mcp.ElicitParams{Message: "Delete?"})
		want := "prog: crm asks a question, but there is no terminal to ask it on, so it is declined: Delete?\n"
		if err != nil || result.Action != "decline" || notices.String() != want {
			t.Errorf("%s: %+v, %v, notice %q", name, result, err, notices.String())
		}
	}
}

const bookingForm = `{"type":"object","required":["name","seats"],"properties":{
	"name":{"type":"string","title":"Name","minLength":2,"maxLength":10},
	"seats":{"type":"integer","minimum":1,"maximum":4,"description":"how many"},
	"mail":{"type":"string","format":"email"},
	"window":{"type":"boolean","default":true},
	"class":{"type":"string","enum":["eco","biz"],"enumNames":["Economy","Business"]},
	"meals":{"type":"array","items":{"anyOf":[{"const":"v","title":"Vegan"},{"const":"f","title":"Fish"}]},"maxItems":1}}}`

func TestC30_AFormIsFilledInAndReviewed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, typed, action, content string }{
		{"all values", "Ada\n2\na@b.org\nno\nBusiness\nFish\ny\n", "accept", `{"class":"biz","mail":"a@b.org","meals":["f"],"name":"Ada","seats":2,"window":false}`},
		{"empty lines take defaults and leave out", "Ada\n2\n\n\n\n\ny\n", "accept", `{"name":"Ada","seats":2,"window":true}`},
		{"by number", "Ada\n1\n\n\n1\n1\nyes\n", "accept", `{"class":"eco","meals":["v"],"name":"Ada","seats":1,"window":true}`},
		{"values that do not fit are asked again", "\nA\nAda\n1.5\nx\n9\n4\nnobody\n\nperhaps\nyes\n3\neco\n1,2\n2\ny\n", "accept", `{"class":"eco","meals":["f"],"name":"Ada","seats":4,"window":true}`},
		{"a dot declines", "Ada\n.\n", "decline", ``},
		{"the review can be refused", "Ada\n2\n\n\n\n\nn\n", "decline", ``},
		{"the input ends", "Ada\n2\n", "cancel", ``},
		{"nothing ever fits", strings.Repeat("\n", 50), "decline", ``},
	} {
		asker, device := typing(tt.typed)
		result, err := asker.Ask(t.Context(), "air", mcp.ElicitParams{Message: "Booking", RequestedSchema: jsontext.Value(bookingForm)})
		if err != nil || result.Action != tt.action || string(result.Content) != tt.content {
			t.Errorf("%s: %s %s, %v\n%s", tt.name, result.Action, result.Content, err, device.shown.String())
		}
	}
}

func TestAFormThatCannotBeShown(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"properties":{"a":{"type":"object"}}}`:                `field "a": a value of the type "object" cannot be asked for`,
		`{"properties":{"a":{"type":"array"}}}`:                 `field "a": a value of the type "array" cannot be asked for`,
		`{"properties":[]}`:                                     "its properties are no JSON object",
		`{"properties":{"a":{"type":3}}}`:                       `field "a"`,
		`{"properties":{"a":{"type":"string"},"a":{"type":1}}}`: "duplicate",
	} {
		asker, device := typing("y\n")
		_, err := asker.Ask(t.Context(), "crm", mcp.ElicitParams{Message: "?", RequestedSchema: jsontext.Value(schema)})
		if err == nil || !strings.Contains(err.Error(), want) || device.shown.Len() > 0 {
			t.Errorf("%s: %v, shown %q; want %q", schema, err, device.shown.String(), want)
		}
	}
}

func TestC30_AWebAddressIsShownAndAgreedTo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, url, typed, action, opened, shown string }{
		{"yes", "https://pay.example/x?y=1", "y\n", "accept", "https://pay.example/x?y=1", "pay.example\n  https://pay.example/x?y=1"},
		{"no", "https://pay.example/", "\n", "decline", "", "Open it? [y/N] "},
		{"on this machine", "http://127.0.0.1:8080/cb", "y\n", "accept", "http://127.0.0.1:8080/cb", ""},
		{"not encrypted", "http://pay.example/", "y\n", "decline", "", "not safe to open"},
		{"a program", "file:///etc/passwd", "y\n", "decline", "", "not safe to open"},
		{"a script", "javascript:alert(1)", "y\n", "decline", "", "not safe to open"},
		{"a user that looks like a host", "https://bank.example@evil.example/", "y\n", "decline", "", "not safe to open"},
		{"letters that look like others", "https://xn--pypal-4ve.example/", "n\n", "decline", "", "Careful"},
		{"letters outside of ASCII", "https://p\u0430ypal.example/", "n\n", "decline", "", "Careful"},
	} {
		asker, device := typing(tt.typed)
		opened := ""
		asker.Browse = func(u string) error { opened = u; return nil }
		result, err := asker.Ask(t.Context(), "shop", mcp.ElicitParams{Mode: mcp.ElicitModeURL, Message: "Pay", URL: tt.url})
		if err != nil || result.Action != tt.action || opened != tt.opened || !strings.Contains(device.shown.String(), tt.shown) {
			t.Errorf("%s: %+v, %v, opened %q, shown %q", tt.name, result, err, opened, device.shown.String())
		}
	}
}

func TestQuestionsOfTheProgramItself(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]bool{"y\n": true, "Yes\n": true, "\n": false, "sure\n": false} {
		asker, device := typing(typed)
		yes, err := asker.Confirm(t.Context(), "Trust it? ")
		if err != nil || yes != want || device.shown.String() != "Trust it? " || !device.closed {
			t.Errorf("%q: %v, %v, shown %q", typed, yes, err, device.shown.String())
		}
	}
	asker, _ := typing("")
	if _, err := asker.Confirm(t.Context(), "? "); !errors.Is(err, io.EOF) {
		t.Errorf("at the end of the input: %v", err)
	}
	if _, err := (&Asker{}).Line(t.Context(), "? "); err == nil || !strings.Contains(err.Error(), "there is no terminal") {
		t.Errorf("without a terminal: %v", err)
	}
}

func FuzzForm(f *testing.F) {
	f.Add(bookingForm, "Ada\n2\n\n\n\n\ny\n")
	f.Fuzz(func(t *testing.T, schema, typed string) {
		asker, device := typing(typed)
		result, err := asker.Ask(t.Context(), "crm", mcp.ElicitParams{Message: "?", RequestedSchema: jsontext.Value(schema)})
		if err == nil && result.Action == mcp.ElicitAccept && !result.Content.IsValid() {
			t.Errorf("accepted with the content %q", result.Content)
		}
		if strings.ContainsAny(device.shown.String(), "\x1b\x07\r") {
			t.Errorf("shown with control characters: %q", device.shown.String())
		}
	})
}
