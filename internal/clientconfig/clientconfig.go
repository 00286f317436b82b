// Package clientconfig owns how the configuration of MCP clients is written: the JSON of a server's
// entry, the command lines and links that add one, where each client keeps its file, and how words
// are quoted for a shell.
//
// It promises that equal servers give equal bytes, and that what it writes reads back as the same
// words. It only builds texts: it must not import package elyra, touch files or run programs.
package clientconfig

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Server is a stdio server as clients start it.
type Server struct {
	// Name is what the client calls the server: letters, digits, - and _ ([CheckName]).
	Name string
	// Command is the absolute path of the program.
	Command string
	// Args are the program's arguments.
	Args []string
	// Env is added to the little that clients pass on.
	Env map[string]string
}

// Format is the shape of a configuration file: the name of the member that holds servers by name.
type Format string

// The formats. Claude Desktop, Claude Code and Cursor share one.
const (
	MCPServers Format = "mcpServers"
	VSCode     Format = "servers"
)

// entry is a server as all clients write it, with what only some say first.
type entry struct {
	Name    string            `json:"name,omitempty"`
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// File returns the text of a configuration file with this one server, ending in a line break.
func (f Format) File(s Server) (string, error) {
	e := entry{Command: s.Command, Args: s.Args, Env: s.Env}
	if f == VSCode {
		e.Type = "stdio"
	}
	text, err := encode(map[Format]map[string]entry{f: {s.Name: e}}, jsontext.WithIndent("  "))
	return text + "\n", err
}

// ClaudeAdd returns the words of the command that adds the server to Claude Code, for the user in
// all folders: an app on the desktop belongs to no project.
func ClaudeAdd(s Server) []string {
	words := []string{"claude", "mcp", "add"}
	// --env takes every word up to the next option, so it must not be the last one before the name.
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		words = append(words, "--env", name+"="+s.Env[name])
	}
	words = append(words, "--transport", "stdio", "--scope", "user", s.Name, "--", s.Command)
	return append(words, s.Args...)
}

// CodeAdd returns the words of the command that adds the server to VS Code's user profile.
func CodeAdd(s Server) ([]string, error) {
	text, err := encode(entry{Name: s.Name, Command: s.Command, Args: s.Args, Env: s.Env})
	return []string{"code", "--add-mcp", text}, err
}

// CursorLink returns the link that has Cursor ask the user whether to add the server.
func CursorLink(s Server) (string, error) {
	text, err := encode(entry{Command: s.Command, Args: s.Args, Env: s.Env})
	config := base64.StdEncoding.EncodeToString([]byte(text))
	return "cursor://anysphere.cursor-deeplink/mcp/install?name=" + url.QueryEscape(s.Name) + "&config=" + url.QueryEscape(config), err
}

func encode(v any, options ...json.Options) (string, error) {
	// A path or a variable that is not UTF-8 is an error: JSON could only name another one.
	text, err := json.Marshal(v, append(options, json.Deterministic(true))...)
	if err != nil {
		return "", fmt.Errorf("write the server's configuration: %w", err)
	}
	return string(text), nil
}

// CheckName says what is wrong with the name of a server. Claude Code takes the fewest characters.
func CheckName(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !nameRune(r) }) {
		return fmt.Errorf("the name %q: clients take letters a-z, digits, - and _ in the name of a server", name)
	}
	if name[0] == '-' {
		return errors.New("the name must not begin with -, which begins an option")
	}
	return nil
}

func nameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

// NameFor makes the name of a server from an app's id: its last part, "crm" of "dev.elyra.crm".
// The name is "" when no character of that can stay.
func NameFor(appID string) string {
	last := appID[strings.LastIndexByte(appID, '.')+1:]
	name := strings.Map(func(r rune) rune {
		if nameRune(r) {
			return r
		}
		return '-'
	}, last)
	return strings.Trim(name, "-")
}

// ClaudeDesktopFile is where Claude Desktop keeps its servers, as a person writes that on a system,
// which is named as by runtime.GOOS.
func ClaudeDesktopFile(goos string) string {
	switch goos {
	case "windows":
		return `%APPDATA%\Claude\claude_desktop_config.json`
	case "darwin":
		return "~/Library/Application Support/Claude/claude_desktop_config.json"
	}
	return "~/.config/Claude/claude_desktop_config.json"
}

// CursorFile is where Cursor keeps the user's servers for all folders.
func CursorFile(goos string) string {
	if goos == "windows" {
		return `%USERPROFILE%\.cursor\mcp.json`
	}
	return "~/.cursor/mcp.json"
}
