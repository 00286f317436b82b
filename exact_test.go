package elyra

import (
	"strings"
	"testing"
)

func TestIntegersThatAPageWouldMisreadAreRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ result, path string }{
		{`{"id":9007199254740991}`, ""},
		{`{"id":9007199254740992}`, "/id"},
		{`{"items":[{"id":1},{"id":-9007199254740993}]}`, "/items/1/id"},
		{`[18446744073709551615]`, "/0"},
		{`{"id":"9007199254740993"}`, ""},
		{`{"phone":"00491701234567890","share":0.1234567890123456789}`, ""},
		{`9007199254740993`, "result's "},
	} {
		err := exactInJavaScript([]byte(tt.result))
		if (err == nil) != (tt.path == "") || err != nil && !strings.Contains(err.Error(), tt.path) {
			t.Errorf("%s: %v; want the path %q", tt.result, err, tt.path)
		}
	}
}
