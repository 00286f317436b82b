package host

import (
	"fmt"
	"path/filepath"
	"strings"
)

// lookup finds the program of a local server as the server's system would, in the environment that the server will have.
type lookup struct {
	goos    string
	environ []string
	// check reports why a file cannot be run.
	check func(path string) error
}

// find returns the path of a program. A command with a folder in it is relative to cwd.
func (l lookup) find(command, cwd string) (string, error) {
	if strings.ContainsAny(command, l.separators()) {
		if !l.isAbs(command) {
			command = l.join(cwd, command)
		}
		found, err := l.try(command)
		if err != nil {
			return "", fmt.Errorf("start MCP server: %w", err)
		}
		return found, nil
	}
	path := l.variable("PATH")
	for _, folder := range l.folders(path) {
		if !l.isAbs(folder) { // A relative folder would run what the project put there.
			continue
		}
		if found, err := l.try(l.join(folder, command)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("start MCP server: there is no program %q in PATH=%s; write its absolute path as the command "+
		"(a version manager's programs are often only in the PATH of a shell)", command, path)
}

// try returns the file that a path means. The error is that of the path itself, or of the first file that it could mean.
func (l lookup) try(path string) (string, error) {
	var first error
	for _, file := range l.files(path) {
		err := l.check(file)
		if err == nil {
			return file, nil
		}
		if first == nil {
			first = err
		}
	}
	return "", first
}

// files are those that a path may mean. On Windows a name without an extension is never meant as it is: beside npx.cmd there
// is a script npx for other systems, which cannot be started.
func (l lookup) files(path string) []string {
	if l.goos != "windows" {
		return []string{path}
	}
	var all []string
	if strings.Contains(path[strings.LastIndexAny(path, l.separators())+1:], ".") {
		all = append(all, path)
	}
	extensions := l.variable("PATHEXT")
	if extensions == "" {
		extensions = ".com;.exe;.bat;.cmd"
	}
	for extension := range strings.SplitSeq(strings.ToLower(extensions), ";") {
		if extension = strings.TrimSpace(extension); extension != "" {
			all = append(all, path+"."+strings.TrimPrefix(extension, "."))
		}
	}
	return all
}

// variable is the value of a variable in the environment.
func (l lookup) variable(name string) string {
	value := ""
	for _, v := range l.environ {
		if n, text, _ := strings.Cut(v, "="); n == name || l.goos == "windows" && strings.EqualFold(n, name) {
			value = text
		}
	}
	return value
}

// folders are those of a PATH.
func (l lookup) folders(path string) []string {
	if l.goos != "windows" {
		return strings.Split(path, ":")
	}
	return strings.Split(strings.ReplaceAll(path, `"`, ""), ";")
}

func (l lookup) separators() string {
	if l.goos == "windows" {
		return `\/:`
	}
	return "/"
}

// isAbs reports whether a path begins at a root: of a drive or a network share on Windows.
func (l lookup) isAbs(path string) bool {
	if l.goos != "windows" {
		return strings.HasPrefix(path, "/")
	}
	path = strings.ReplaceAll(path, "/", `\`)
	return strings.HasPrefix(path, `\\`) || len(path) > 2 && path[1:3] == `:\`
}

func (l lookup) join(folder, name string) string {
	if l.goos != "windows" {
		return filepath.Join(folder, name)
	}
	return strings.TrimRight(folder, `\/`) + `\` + strings.TrimPrefix(strings.TrimPrefix(name, `.\`), "./")
}
