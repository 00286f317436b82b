package endpoint

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

func TestParsePointer(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, data, wantErr string
	}{
		{"loopback", `{"network":"tcp","address":"127.0.0.1:4711"}`, ""},
		{"another machine", `{"network":"tcp","address":"192.0.2.1:80"}`, "127.0.0.1"},
		{"a name", `{"network":"tcp","address":"localhost:80"}`, "127.0.0.1"},
		{"mapped address", `{"network":"tcp","address":"[::ffff:127.0.0.1]:80"}`, "127.0.0.1"},
		{"no port", `{"network":"tcp","address":"127.0.0.1:0"}`, "127.0.0.1"},
		{"relative socket", `{"network":"unix","address":"mcp.sock"}`, "absolute"},
		{"abstract socket", `{"network":"unix","address":"@mcp"}`, "absolute"},
		{"long socket", `{"network":"unix","address":"/` + strings.Repeat("a", 100) + `"}`, "too long"},
		{"other network", `{"network":"udp","address":"127.0.0.1:1"}`, "neither"},
		{"twice", `{"network":"tcp","network":"tcp","address":"127.0.0.1:1"}`, "parse"},
		{"empty", ``, "parse"},
		{"empty object", `{}`, "neither"},
		{"cut", `{"network":"tc`, "parse"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := parsePointer([]byte(c.data))
			switch {
			case c.wantErr == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.wantErr != "" && (err == nil || !strings.Contains(err.Error(), c.wantErr)):
				t.Errorf("got %v, want an error with %q", err, c.wantErr)
			}
		})
	}
}

func FuzzParsePointer(f *testing.F) {
	f.Add([]byte(`{"network":"tcp","address":"127.0.0.1:4711"}`))
	f.Add([]byte(`{"network":"unix","address":"/run/user/1000/elyra/0011223344556677.sock"}`))
	f.Add([]byte(`{"network":"tcp","address":"[::1]:1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePointer(data)
		if err != nil {
			return
		}
		if p.Network == "tcp" && !strings.HasPrefix(p.Address, "127.0.0.1:") {
			t.Errorf("%q leads to another machine", data)
		}
		again, err := json.Marshal(p)
		if err != nil {
			t.Fatalf("marshal: %v", err)
		}
		if q, err := parsePointer(again); err != nil || q != p {
			t.Errorf("%+v became %+v, %v", p, q, err)
		}
	})
}
