package mcpserver

import (
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestS18_TraceContextThatIsNotValidIsDropped(t *testing.T) {
	t.Parallel()
	const good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for _, tt := range []struct{ parent, state, wantParent, wantState string }{
		{good, "a=1,b=2", good, "a=1,b=2"},
		{good, "", good, ""},
		{"cc" + good[2:] + "-more", "", "cc" + good[2:] + "-more", ""},
		{good + "-more", "a=1", "", ""},
		{"ff" + good[2:], "a=1", "", ""},
		{strings.ToUpper(good), "a=1", "", ""},
		{"00-00000000000000000000000000000000-b7ad6b7169203331-01", "a=1", "", ""},
		{"00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", "a=1", "", ""},
		{"", "a=1", "", ""},
		{good, strings.Repeat("a", 513), good, ""},
		{good, "a=\x1b", good, ""},
	} {
		parent, state := trace{quoted(tt.parent), quoted(tt.state)}.read()
		if parent != tt.wantParent || state != tt.wantState {
			t.Errorf("%q, %q: read %q, %q; want %q, %q", tt.parent, tt.state, parent, state, tt.wantParent, tt.wantState)
		}
	}
	if parent, _ := (trace{parent: jsontext.Value("7")}).read(); parent != "" {
		t.Errorf("a number is read as %q", parent)
	}
}

func quoted(s string) jsontext.Value {
	if s == "" {
		return nil
	}
	return jsontext.Value(strconv.Quote(s))
}
