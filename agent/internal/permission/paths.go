package permission

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// places are the folders that paths are judged by, all absolute and with links followed.
type places struct {
	project, agentHome, userHome string
	readable                     []string
	fold                         bool // the file system does not tell letter case apart
}

// resolve follows the links of a path as far as it exists. What is not absolute is taken to be in the project.
func (p places) resolve(path string) string {
	if path == "" {
		return p.project
	}
	if strings.HasPrefix(path, "~/") || path == "~" {
		path = filepath.Join(p.userHome, path[1:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.project, path)
	}
	path = filepath.Clean(path)
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
}

// in reports whether a resolved path is a folder or below it.
func (p places) in(folder, path string) bool {
	if folder == "" {
		return false
	}
	if p.fold {
		folder, path = strings.ToLower(folder), strings.ToLower(path)
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// covers reports whether a pattern for files covers a path.
func (p places) covers(pattern, path string, fold bool) bool {
	base := p.project
	switch {
	case strings.HasPrefix(pattern, "~/"):
		base, pattern = p.userHome, pattern[2:]
	case filepath.IsAbs(filepath.FromSlash(pattern)) || strings.HasPrefix(pattern, "/"):
		base = ""
	}
	name := filepath.ToSlash(path)
	if base != "" {
		rel, err := filepath.Rel(base, path)
		if err != nil || !filepath.IsLocal(rel) {
			return false
		}
		name = filepath.ToSlash(rel)
	}
	if fold || p.fold {
		pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	}
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	return matchSegments(strings.Split(pattern, "/"), strings.Split(strings.TrimPrefix(name, "/"), "/"))
}

// secretFiles of the agent's folder hold keys. Nothing of a model needs them.
var secretFiles = []string{"auth.json", "extension-credentials.json"}

// startup are files and folders of the user's home that programs are started by, or that hold keys for other machines.
var startup = []string{
	".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile",
	".zlogin", ".zlogout", ".kshrc", ".inputrc", ".envrc", ".gitconfig", ".netrc", ".npmrc", ".pam_environment", ".xinitrc",
	".xprofile", ".xsession", ".vimrc", ".ssh", ".gnupg", ".config/fish", ".config/git", ".config/autostart",
	".config/systemd", ".config/environment.d", ".local/bin", "Library/LaunchAgents", ".claude", ".claude.json", ".cursor",
	"AppData/Roaming/Microsoft/Windows/Start Menu", "Documents/PowerShell", "Documents/WindowsPowerShell",
}

// guarded are names of files and folders anywhere that decide what is started.
var guarded = []string{".git", ".elyra", ".hg", ".svn", ".envrc"}

// protected says why changing a path is asked about whatever the rules say, "" if it is not.
func (p places) protected(path string) string {
	below := path
	if rel, err := filepath.Rel(p.project, path); err == nil && filepath.IsLocal(rel) {
		below = rel // where the project is does not matter
	}
	for _, segment := range strings.Split(filepath.ToSlash(below), "/") {
		if name := plainName(segment); slices.Contains(guarded, name) {
			return "what is in " + name + " decides what is started here later"
		}
	}
	rel, err := filepath.Rel(p.userHome, path)
	if p.userHome == "" || err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	rel = strings.ToLower(filepath.ToSlash(rel))
	for _, name := range startup {
		lower := strings.ToLower(name)
		if rel == lower || strings.HasPrefix(rel, lower+"/") {
			return "~/" + name + " decides what is started, or holds keys"
		}
	}
	return ""
}

// plainName is a segment as file systems see it that ignore letter case, marks that cannot be seen, a stream's name, and
// points and blanks at the end.
func plainName(segment string) string {
	segment, _, _ = strings.Cut(segment, ":")
	segment = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, segment)
	segment = strings.TrimRight(segment, ". ")
	if segment == "git~1" {
		return ".git"
	}
	return segment
}

// secret reports a file with the agent's keys. The folder itself is none, but whoever reads all of it reads them.
func (p places) secret(path string) bool {
	if !p.in(p.agentHome, path) {
		return false
	}
	rel, err := filepath.Rel(p.agentHome, path)
	return err == nil && slices.Contains(secretFiles, plainName(filepath.ToSlash(rel)))
}
