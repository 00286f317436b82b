package bundle

import (
	"cmp"
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/elyra-go/elyra/internal/nearest"
)

// App is what packages say of an app. Texts are UTF-8; which ones a package needs, [App.Check] knows.
type App struct {
	ID          string // a reverse domain name
	Name        string // for people
	Package     string // of packages and the installed program
	Version     string // of semver.org, without a v
	Description string // the first line stands alone
	Maintainer  string // Name <mail@example.com>
	Homepage    string
	License     string // an SPDX identifier
	Categories  []string
	Depends     []string // Debian packages
	Icon        []byte   // a square PNG file; nil is one that is drawn
	Tools       []Tool
	Prompts     bool // it has some
}

// Tool is a tool as an agent sees it.
type Tool struct{ Name, Description string }

// Problem is what is wrong with a key of elyra.toml.
type Problem struct{ Key, Text string }

var (
	packageName = regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]+$`) // Debian's rule, which suits the others
	reverseName = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$`)
	license     = regexp.MustCompile(`^[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*$`)
	dependency  = regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]+(:[a-z]+)?( \((<<|<=|=|>=|>>) [A-Za-z0-9.+:~-]+\))?( \| .+)?$`)
	category    = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
)

// mainCategories are those of which desktops want one.
var mainCategories = []string{
	"AudioVideo", "Audio", "Video", "Development", "Education", "Game", "Graphics", "Network", "Office", "Science", "Settings", "System", "Utility",
}

// Check gives what the packages of some kinds cannot say, all of it.
func (a *App) Check(kinds ...Kind) []Problem {
	var problems []Problem
	add := func(wrong bool, key, format string, args ...any) {
		if wrong {
			problems = append(problems, Problem{key, fmt.Sprintf(format, args...)})
		}
	}
	has := func(kind Kind) bool { return slices.Contains(kinds, kind) }
	add(!reverseName.MatchString(a.ID), "app.id", "the id is %q: packages want a reverse domain name of a-z, 0-9, - and _, such as com.example.shop", a.ID)
	add(!packageName.MatchString(a.Package), "bundle.package", "the package would be called %q: give a name of at least two of a-z, 0-9, +, - and ., beginning with a letter or digit", a.Package)
	add(strings.ContainsFunc(a.Name, unicode.IsControl), "app.name", "the name %q has a control character", a.Name)
	add(strings.ContainsAny(a.Name, `/\:`), "app.name", `the name %q has a /, \ or :, and it names a folder`, a.Name)
	add(strings.ContainsFunc(a.Description, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }), "bundle.description", "the description has a control character other than a new line")
	if a.Maintainer == "" {
		add(has(Deb) || has(MCPB), "bundle.maintainer", `nobody answers for the packages: write maintainer = "Name <mail@example.com>"`)
	} else {
		_, err := mail.ParseAddress(a.Maintainer)
		add(err != nil || a.maintainer().Name == "" || strings.ContainsFunc(a.Maintainer, unicode.IsControl), "bundle.maintainer", "the maintainer is %q: want Name <mail@example.com>", a.Maintainer)
	}
	if a.Homepage != "" {
		u, err := url.Parse(a.Homepage)
		add(err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(a.Homepage, " \n"),
			"bundle.homepage", "the homepage is %q: want an address such as https://example.com", a.Homepage)
	}
	add(a.License != "" && !license.MatchString(a.License), "bundle.license", "the license is %q: want an SPDX identifier, such as MIT or Apache-2.0", a.License)
	for _, d := range a.Depends {
		add(!dependency.MatchString(d) || strings.ContainsAny(d, "\n,"), "bundle.depends", "%q is no dependency: want one such as poppler-utils or poppler-utils (>= 22)", d)
	}
	for _, c := range a.Categories {
		add(!category.MatchString(c), "bundle.categories", "%q is no category", c)
	}
	add(len(a.Categories) > 0 && !slices.ContainsFunc(a.Categories, func(c string) bool { return slices.Contains(mainCategories, c) }),
		"bundle.categories", "%q are none by which desktops sort apps: one of them has to be %s%s", a.Categories, strings.Join(mainCategories, ", "), a.meant())
	if a.Icon != nil {
		_, err := decodeIcon(a.Icon)
		add(err != nil, "app.icon", "the icon: %v", err)
	}
	return problems
}

// meant is a hint at the main category that was meant, or "".
func (a *App) meant() string {
	for _, c := range a.Categories {
		if hint := nearest.Hint(c, mainCategories); hint != "" {
			return hint
		}
	}
	return ""
}

// maintainer is the maintainer with name and address apart; the zero Address when the text is none.
func (a *App) maintainer() mail.Address {
	if address, err := mail.ParseAddress(a.Maintainer); err == nil {
		return *address
	}
	return mail.Address{}
}

// summary is the first line of the description without a full stop, else what is true of every app.
func (a *App) summary() string {
	first, _, _ := strings.Cut(strings.TrimSpace(a.Description), "\n")
	usual := "App made with Elyra"
	if len(a.Tools) > 0 {
		usual = "App that AI agents can use too"
	}
	return cmp.Or(strings.TrimRight(strings.TrimSpace(first), "."), usual)
}

// paragraphs are what the description says after its first line. Lines that follow each other are one.
func (a *App) paragraphs() []string {
	_, rest, _ := strings.Cut(strings.TrimSpace(a.Description), "\n")
	var list []string
	for text := range strings.SplitSeq(rest, "\n\n") {
		if words := strings.Fields(text); len(words) > 0 {
			list = append(list, strings.Join(words, " "))
		}
	}
	return list
}
