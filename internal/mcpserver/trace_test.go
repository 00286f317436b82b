package mcpserver

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestTraceIsTakenOnlyAsTheGrammarSays(t *testing.T) {
	t.Parallel()
	const good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	tests := []struct {
		name, parent string
		taken        bool
	}{
		{"version 00", good, true},
		{"a later version", "cc" + good[2:], true},
		{"a later version that adds", "cc" + good[2:] + "-what-the-future", true},
		{"version 00 that adds", good + "-more", false},
		{"a later version that runs on", "cc" + good[2:] + "0", false},
		{"version ff", "ff" + good[2:], false},
		{"upper case", strings.ToUpper(good), false},
		{"no hyphen", strings.Replace(good, "-", "0", 1), false},
		{"a hyphen for a digit", strings.Replace(good, "af", "a-", 1), false},
		{"too short", good[1:], false},
		{"no trace", "00-" + strings.Repeat("0", 32) + good[35:], false},
		{"no span", good[:36] + strings.Repeat("0", 16) + good[52:], false},
		{"too long", "cc" + good[2:] + "-" + strings.Repeat("x", 100), false},
		{"empty", "", false},
	}
	for _, tt := range tests {
		parent, state := trace{parent: jsontext.Value(`"` + tt.parent + `"`), state: jsontext.Value(`"a=1"`)}.read()
		if taken := parent == tt.parent && state == "a=1"; taken != tt.taken || !tt.taken && parent+state != "" {
			t.Errorf("%s: read gave %q and %q, want it taken: %v", tt.name, parent, state, tt.taken)
		}
	}
}
