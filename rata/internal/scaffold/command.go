package scaffold

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/internal/ability"
	"github.com/elyra-go/elyra/internal/codegen"
	"github.com/elyra-go/elyra/rata/internal/change"
	"github.com/elyra-go/elyra/rata/internal/scaffold/resource"
)

//go:embed templates/*.tmpl
var templates embed.FS

// Command is a command to be added to the app in a folder.
type Command struct {
	// Name is what people call it: export-csv or ExportCSV.
	Name string
	// Resource is the one that it belongs to, Package a folder below the app's. Without both it goes beside main.go.
	Resource, Package string
	// Can is the ability that it declares. Default: one of its own.
	Can string
	// Word is what the directive says of what it does: live, readonly, additive, or "" for a command that may destroy.
	Word string
}

// Added is what was planned.
type Added struct {
	// Folder is the package's, below the app's and with forward slashes, "." for the app's own.
	Folder string
	// Wiring is what the user writes in main.go so that it takes effect, for people; "" when there is nothing to do.
	Wiring string
}

// commandFile is what the templates of a command are filled with.
type commandFile struct {
	Package, Go, Title, Tool, Directive, Receiver, Commands string
	NewPackage, Live                                        bool
}

// Check reports what is wrong with the names, whatever app they are for.
func (c Command) Check() error {
	if _, _, err := identifier(c.Name); err != nil {
		return err
	}
	if c.Can != "" {
		if err := ability.Check(c.Can); err != nil {
			return err
		}
	}
	if c.Package != "" {
		return checkFolder(c.folder())
	}
	return nil
}

// folder is that of the package that was named, as it is below the app's.
func (c Command) folder() string {
	return strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(c.Package), "./"), "/")
}

// Add plans the command and its test for the app in dir.
func (c Command) Add(set *change.Set, dir string) (Added, error) {
	if err := c.Check(); err != nil {
		return Added{}, err
	}
	s, err := c.source(dir)
	if err != nil {
		return Added{}, err
	}
	name, words, err := identifier(c.Name)
	if err != nil {
		return Added{}, err
	}
	f := commandFile{
		Package: s.name, Go: name, Title: strings.Join(words, " "), NewPackage: s.isNew, Live: c.Word == "live",
		Tool: codegen.CommandName(s.name, name), Commands: "Commands()",
	}
	if c.Resource != "" {
		service, err := s.service()
		if err != nil {
			return Added{}, err
		}
		f.Receiver, f.Commands = "(s *"+service+") ", "(&"+service+"{}).Commands()"
		if err := s.free(words, service+"."+name); err != nil {
			return Added{}, err
		}
	}
	if err := s.free(words, name, name+"Input", "Test"+name); err != nil {
		return Added{}, err
	}
	can, err := c.ability(s, words)
	if err != nil {
		return Added{}, err
	}
	f.Directive = strings.TrimSpace("can=" + can + " " + c.Word)
	if prefix := s.prefix(); c.Resource != "" && prefix != s.name {
		// The others of this resource have names of several words, which the package's name has not.
		f.Tool = codegen.CommandName(prefix, name)
		f.Directive += " name=" + f.Tool
	}
	if err := addPair(set, s.folder, words, "command", f); err != nil {
		return Added{}, err
	}
	wiring, err := c.wiring(dir, s, can)
	return Added{Folder: s.folder, Wiring: wiring}, err
}

// source is the package that the command goes into.
func (c Command) source(dir string) (*source, error) {
	switch {
	case c.Resource != "":
		folder, err := resourceFolder(dir, c.Resource)
		if err != nil {
			return nil, err
		}
		return readSource(dir, folder)
	case c.Package != "":
		return readSource(dir, c.folder())
	}
	return readSource(dir, ".")
}

// service is the type whose methods are the commands of a resource.
func (s *source) service() (string, error) {
	for _, name := range []string{"Service", "Services"} {
		if _, ok := s.declared[name+".Commands"]; ok {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s has no Service with commands: is it a resource that rata has made?", s.folder)
}

// prefix is what the abilities of the package's commands begin with, "" in the app's own package.
func (s *source) prefix() string {
	if s.folder == "." {
		return ""
	}
	for _, can := range s.can {
		if prefix, _, ok := strings.Cut(can.ability, "."); ok {
			return prefix
		}
	}
	return s.name
}

// ability is what the command declares. One that nobody named must be new: others may have been granted to agents.
func (c Command) ability(s *source, words []string) (string, error) {
	if c.Can != "" {
		return c.Can, nil
	}
	can := strings.Join(words, "_")
	if prefix := s.prefix(); prefix != "" {
		can = prefix + "." + can
	}
	own := pair(s.folder, words)
	for _, other := range s.can {
		if other.ability == can && !slices.Contains(own, other.file) {
			return "", fmt.Errorf("the ability %s is that of a command in %s, and who was granted it could call this one, too: say with --can which it is to be", can, other.file)
		}
	}
	return can, nil
}

// identifier checks a name and gives it as Go writes it, and its words.
func identifier(name string) (exported string, words []string, err error) {
	exported, words, err = resource.Identifier(name)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("the name %q: %w", name, err)
	case len(exported) > maxName:
		return "", nil, fmt.Errorf("the name %q is too long: at most %d characters", name, maxName)
	case exported == "Commands":
		return "", nil, errors.New(`the name "commands" is that of a function which rata generate writes: take another`)
	}
	return exported, words, nil
}

// pair are the paths of a file and its test. Their names have no underscore but the test's: Go reads meanings into them.
func pair(folder string, words []string) []string {
	file := path.Join(folder, strings.Join(words, ""))
	return []string{file + ".go", file + "_test.go"}
}

// addPair plans a file and its test, from the templates of a kind.
func addPair(set *change.Set, folder string, words []string, kind string, data any) error {
	files := pair(folder, words)
	for i, name := range pair("templates", []string{kind}) {
		text, err := templates.ReadFile(name + ".tmpl")
		if err != nil {
			return err
		}
		filled, err := fillIn(files[i], text, data)
		if err != nil {
			return err
		}
		set.Create(files[i], filled)
	}
	return nil
}

// wiring says what main.go needs, as far as it is not there.
func (c Command) wiring(dir string, s *source, can string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("look into main.go: %w", err)
	}
	var b strings.Builder
	call := s.name + ".Commands()"
	if s.folder == "." {
		call = "Commands()"
	}
	if c.Resource == "" && !strings.Contains(string(text), "Commands("+call+"...)") {
		b.WriteString("Add its package to the app, in main.go:\n\n")
		if s.folder != "." {
			fmt.Fprintf(&b, "\timport %q\n", s.path)
		}
		fmt.Fprintf(&b, "\tCommands(%s...).\n\n", call)
	}
	namespace, _, _ := strings.Cut(can, ".")
	if c.Resource != "" && namespace == s.prefix() {
		b.WriteString("The window may call it. ")
	} else {
		fmt.Fprintf(&b, "The window may call it once main.go says so:\n\n\tAllowAbilities(%q).\n\n", can)
	}
	grant := fmt.Sprintf("AllowAbility(%q)", can)
	if c.Word == "" {
		grant += fmt.Sprintf(".Confirm(%q)", can)
	}
	fmt.Fprintf(&b, "Agents may not, unless you add this to the MCP options:\n\n\t%s\n", grant)
	return b.String(), nil
}
