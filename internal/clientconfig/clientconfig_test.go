package clientconfig

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// crm is a server with all that makes quoting hard.
func crm() Server {
	return Server{
		Name: "crm", Command: "/home/Jürgen O'Neil/клиенты/crm", Args: []string{"--mcp"},
		Env: map[string]string{"XDG_DATA_HOME": "/data", "DATABASE_URL": `postgres://u:p"$x@h/db?a=1&b=<2>`},
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		format Format
		server Server
		want   string
	}{
		{"claude and cursor", MCPServers, crm(), `{
  "mcpServers": {
    "crm": {
      "command": "/home/Jürgen O'Neil/клиенты/crm",
      "args": [
        "--mcp"
      ],
      "env": {
        "DATABASE_URL": "postgres://u:p\"$x@h/db?a=1&b=<2>",
        "XDG_DATA_HOME": "/data"
      }
    }
  }
}
`},
		{"vs code, without variables", VSCode, Server{Name: "a", Command: `C:\a b.exe`, Args: []string{"--mcp"}}, `{
  "servers": {
    "a": {
      "type": "stdio",
      "command": "C:\\a b.exe",
      "args": [
        "--mcp"
      ]
    }
  }
}
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.format.File(tt.server)
			if err != nil || got != tt.want {
				t.Errorf("File = %v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
	if _, err := MCPServers.File(Server{Name: "a", Command: "/\xff"}); err == nil {
		t.Error("a path that is not UTF-8 was written as another one")
	}
}

func TestClaudeAdd(t *testing.T) {
	t.Parallel()
	got := ClaudeAdd(crm())
	want := []string{
		"claude", "mcp", "add", "--env", `DATABASE_URL=postgres://u:p"$x@h/db?a=1&b=<2>`, "--env", "XDG_DATA_HOME=/data",
		"--transport", "stdio", "--scope", "user", "crm", "--", "/home/Jürgen O'Neil/клиенты/crm", "--mcp",
	}
	if !slices.Equal(got, want) {
		t.Errorf("ClaudeAdd = %q\nwant %q", got, want)
	}
}

func TestCodeAdd(t *testing.T) {
	t.Parallel()
	got, err := CodeAdd(Server{Name: "crm", Command: "/a b", Args: []string{"--mcp"}, Env: map[string]string{"A": "1"}})
	want := []string{"code", "--add-mcp", `{"name":"crm","command":"/a b","args":["--mcp"],"env":{"A":"1"}}`}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("CodeAdd = %q, %v\nwant %q", got, err, want)
	}
}

func TestCursorLink(t *testing.T) {
	t.Parallel()
	link, err := CursorLink(crm())
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "cursor" || u.Host != "anysphere.cursor-deeplink" || u.Path != "/mcp/install" {
		t.Fatalf("CursorLink = %s, %v", link, err)
	}
	if name := u.Query().Get("name"); name != "crm" {
		t.Errorf("name = %q", name)
	}
	config, err := base64.StdEncoding.DecodeString(u.Query().Get("config"))
	want := `{"command":"/home/Jürgen O'Neil/клиенты/crm","args":["--mcp"],"env":{"DATABASE_URL":"postgres://u:p\"$x@h/db?a=1&b=<2>","XDG_DATA_HOME":"/data"}}`
	if err != nil || string(config) != want {
		t.Errorf("config = %v\n%s\nwant\n%s", err, config, want)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"dev.elyra.crm": "crm", "notes": "notes", "dev.example.My App!": "My-App", "dev.example.メモ": "", "a.": "",
	} {
		got := NameFor(id)
		if got != want {
			t.Errorf("NameFor(%q) = %q, want %q", id, got, want)
		}
		if err := CheckName(got); (err == nil) != (want != "") {
			t.Errorf("CheckName(%q) = %v", got, err)
		}
	}
	for _, bad := range []string{"a b", "-a", "ü", "a.b", "a;b"} {
		if CheckName(bad) == nil {
			t.Errorf("CheckName(%q) accepts it", bad)
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, goos := range []string{"linux", "darwin", "windows", "freebsd"} {
		for _, place := range []string{ClaudeDesktopFile(goos), CursorFile(goos)} {
			if windows := strings.HasPrefix(place, "%"); windows != (goos == "windows") || !strings.HasSuffix(place, ".json") {
				t.Errorf("on %s: %s", goos, place)
			}
		}
	}
}
