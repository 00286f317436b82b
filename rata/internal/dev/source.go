package dev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// source is what an app is made of, as far as one works on it: not what lies in the module cache.
type source struct {
	folders  []string    // of its packages
	embedded []embedding // files that its packages embed
	files    []string    // go.mod and go.work
}

// embedding is a //go:embed pattern and the folder that it starts from.
type embedding struct{ dir, pattern string }

// listed is what the go command says of a package.
type listed struct {
	Dir           string
	EmbedPatterns []string
	Standard      bool
	Module        *struct {
		Main    bool
		GoMod   string
		Replace *struct{ Version string }
	}
}

// list asks the go command what the main package in a folder is made of. Sources with mistakes can be
// listed as well.
func list(ctx context.Context, dir string) (source, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-json=Dir,EmbedPatterns,Standard,Module", ".")
	cmd.Dir = dir
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return source{}, fmt.Errorf("list the app's packages: %w\n%s", err, strings.TrimSpace(problems.String()))
	}
	var s source
	in := jsontext.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		err := json.UnmarshalDecode(in, &p)
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return source{}, fmt.Errorf("read the list of the app's packages: %w", err)
		}
		if p.Standard || p.Dir == "" || p.Module == nil || !p.Module.Main && (p.Module.Replace == nil || p.Module.Replace.Version != "") {
			continue
		}
		s.folders = append(s.folders, p.Dir)
		if !slices.Contains(s.files, p.Module.GoMod) {
			s.files = append(s.files, p.Module.GoMod)
		}
		for _, pattern := range p.EmbedPatterns {
			s.embedded = append(s.embedded, embedding{p.Dir, strings.TrimPrefix(pattern, "all:")})
		}
	}
}

// embeds reports whether a file is, or would be, within the app because a package embeds it.
func (s source) embeds(file string) bool {
	for _, e := range s.embedded {
		relative, err := filepath.Rel(e.dir, file)
		if err != nil || !filepath.IsLocal(relative) {
			continue
		}
		// The pattern names the file or a folder above it.
		for name := filepath.ToSlash(relative); name != "."; name = path.Dir(name) {
			if ok, err := path.Match(e.pattern, name); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// roots are the folders in which embedded files lie.
func (s source) roots() []string {
	var roots []string
	for _, e := range s.embedded {
		// As deep as the pattern has no wildcard.
		fixed := "."
		for part := range strings.SplitSeq(e.pattern, "/") {
			if strings.ContainsAny(part, `*?[\`) {
				break
			}
			fixed = path.Join(fixed, part)
		}
		root := filepath.Join(e.dir, filepath.FromSlash(fixed))
		if info, err := os.Stat(root); err == nil && !info.IsDir() {
			root = filepath.Dir(root)
		}
		roots = append(roots, root)
	}
	return roots
}

// pages is the folder with the files of the app's pages: it is embedded and has an index.html, or is the first
// folder of an embedded one that has it. It is "" when there is none, or more than one.
func (s source) pages() string {
	var found []string
	for _, root := range s.roots() {
		for _, pattern := range []string{"index.html", "*/index.html"} {
			matches, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern))) // the pattern is one
			matches = slices.DeleteFunc(matches, func(file string) bool {
				return !s.embeds(file) || slices.Contains(found, filepath.Dir(file))
			})
			for _, file := range matches {
				found = append(found, filepath.Dir(file))
			}
			if len(matches) > 0 {
				break
			}
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}
