package scaffold

import (
	"errors"
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/elyra-go/elyra/rata/internal/scaffold/resource"
)

const (
	maxName   = 40
	maxID     = 100
	maxModule = 200
)

var (
	nameForm   = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	idForm     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z0-9][A-Za-z0-9-]*)+$`)
	moduleForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)
)

// standard are the names that begin the paths of Go's own packages, and those with a meaning for the go
// command: a module of such a name cannot be imported.
var standard = strings.Fields(`all archive bufio builtin bytes cmd cmp compress container context crypto database debug embed
	encoding errors expvar flag fmt go hash html image index internal io iter log main maps math mime net os path plugin reflect
	regexp runtime slices sort std strconv strings structs sync syscall testing text time tool unicode unique unsafe vendor weak work`)

// CheckName reports why an app cannot have a name, and what to write instead. The name is that of its
// folder, its program and its database: lower-case Latin letters, digits and dashes.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("the app needs a name, such as shop")
	case strings.ContainsAny(name, `/\`) || strings.Trim(name, ".") == "":
		return fmt.Errorf("the name %q is a path: give a name such as shop, and the folder with --dir", name)
	case !nameForm.MatchString(name):
		return fmt.Errorf("the name %q cannot be used: an app's name has lower-case letters a to z, digits and dashes, and begins with a letter%s", name, instead(name))
	case len(name) > maxName:
		return fmt.Errorf("the name %q is too long: at most %d characters", name, maxName)
	case token.IsKeyword(name):
		return fmt.Errorf("the name %q is a word of the Go language: take another, such as %s-app", name, name)
	case slices.Contains(standard, name):
		return fmt.Errorf("the name %q means something to Go: take another, such as %s-app", name, name)
	case resource.IsDevice(name):
		return fmt.Errorf("the name %q is a device on Windows: take another, such as %s-app", name, name)
	}
	return nil
}

// instead is the end of a sentence that suggests a name, "" when nothing can be made of this one.
func instead(name string) string {
	var words []string
	before := ' '
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z' && (unicode.IsLower(before) || unicode.IsDigit(before)):
			words = append(words, string(unicode.ToLower(r)))
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			if len(words) == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				words = append(words, "")
			}
			words[len(words)-1] += string(unicode.ToLower(r))
		case unicode.IsLetter(r):
			return "; what people read in the window may be anything, and is changed in main.go"
		}
		before = r
	}
	if suggested := strings.Join(words, "-"); nameForm.MatchString(suggested) && CheckName(suggested) == nil {
		return "; for instance " + suggested
	}
	return ""
}

// CheckID reports why an app cannot have an id: the reverse of a domain name, such as com.example.shop.
func CheckID(id string) error {
	if !idForm.MatchString(id) || len(id) > maxID {
		return fmt.Errorf("the id %q cannot be used: take the reverse of a domain of yours and the app's name, such as com.example.shop", id)
	}
	return nil
}

// CheckModule reports why a module of an app cannot have a path.
func CheckModule(path string) error {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case !moduleForm.MatchString(path) || len(path) > maxModule || strings.Contains(path+"/", "./"):
		return fmt.Errorf("the module path %q cannot be used: take where the source is or will be, such as github.com/you/shop", path)
	case slices.Contains(standard, first):
		return fmt.Errorf("the module path %q begins like Go's own packages: take where the source is or will be, such as github.com/you/shop", path)
	}
	return nil
}

// title is a name as people read it: "My shop" for my-shop.
func title(name string) string {
	words := strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}
