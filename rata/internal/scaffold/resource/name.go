package resource

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gertd/go-pluralize"
)

// maxLength is the longest plural and the longest name of a field. The names of commands, at most 64
// characters, and of indexes, at most 63 bytes in PostgreSQL, are made of them.
const maxLength = 40

// Name is what a resource is called where. The words are of lower-case ASCII letters and digits.
type Name struct {
	Singular string // in snake case: order_line
	Plural   string // order_lines: the table, the prefix of commands and abilities, the file of the page's declaration
	Package  string // orderlines: the package and its folder
	Type     string // OrderLine: the Go type of a row
}

// Input, Change and Query are the types that commands take.
func (n Name) Input() string  { return n.Type + "Input" }
func (n Name) Change() string { return n.Type + "Change" }
func (n Name) Query() string  { return n.Type + "Query" }

// Service is the type whose methods are the commands.
func (n Name) Service() string {
	if n.Type == "Service" {
		return "Services" // Service is a row then
	}
	return "Service"
}

// One and Many are the names in a sentence: "order line" and "order lines".
func (n Name) One() string  { return strings.ReplaceAll(n.Singular, "_", " ") }
func (n Name) Many() string { return strings.ReplaceAll(n.Plural, "_", " ") }

// A is One with its article: "an order line".
func (n Name) A() string { return article(n.One()) + " " + n.One() }

// Title is Many as a heading: "Order lines".
func (n Name) Title() string { return capital(n.Many()) }

// parseName reads the name of a resource. The notes say what was understood.
func parseName(name, plural string) (n Name, notes []string, err error) {
	words, err := splitWords(name)
	if err != nil {
		return n, nil, fmt.Errorf("name %q: %w", name, err)
	}
	rules := pluralize.NewClient()
	last := words[len(words)-1]
	singular, many := slices.Clone(words), slices.Clone(words)
	switch {
	case plural != "":
		if many, err = splitWords(plural); err != nil {
			return n, nil, fmt.Errorf("plural %q: %w", plural, err)
		}
	case rules.IsPlural(last) && !rules.IsSingular(last):
		singular[len(words)-1] = inflected(rules.Singular, last)
		notes = append(notes, fmt.Sprintf("%s is the plural of %s; if it is not, say so with --plural", strings.Join(words, "-"), strings.Join(singular, "-")))
	default:
		many[len(words)-1] = inflected(rules.Plural, last)
	}
	n = Name{
		Singular: strings.Join(singular, "_"), Plural: strings.Join(many, "_"),
		Package: strings.Join(many, ""), Type: goName(singular),
	}
	if err := n.check(); err != nil {
		return n, nil, fmt.Errorf("name %q: %w", name, err)
	}
	return n, notes, nil
}

// inflected is another form of a word, or the word if the rules make of it what no name can be.
func inflected(rule func(string) string, word string) string {
	if words, err := splitWords(rule(word)); err == nil && len(words) == 1 {
		return words[0]
	}
	return word
}

// check reports a name that means something else already.
func (n Name) check() error {
	if len(n.Plural) > maxLength || len(n.Singular) > maxLength {
		return fmt.Errorf("it is longer than %d characters: take a shorter one", maxLength)
	}
	for _, reserved := range []struct {
		names  string
		name   string
		reason string
	}{
		{goKeywords, n.Package, "is a keyword of Go, and the package would be called so"},
		{goFolders, n.Package, "is a folder with a meaning of its own for Go"},
		{appFolders, n.Package, "is a folder of the app itself"},
		{appFolders, n.Plural, "is a folder of the app itself"},
		{goImports, n.Package, "is a package that the list of resources imports"},
		{"service", n.Package, "is the file with the commands"},
		{jsWords, n.Plural, "is a reserved word of JavaScript, and the page's list would have a variable of that name"},
		{windowsDevices, n.Package, "is a device on Windows, where no file can be called so"},
		{windowsDevices, n.Plural, "is a device on Windows, where no file can be called so"},
		{databaseTables, n.Plural, "is a table of the database's or of the migrations' own"},
	} {
		if isOneOf(reserved.names, reserved.name) {
			return fmt.Errorf("%s %s: take another name, or another plural with --plural", reserved.name, reserved.reason)
		}
	}
	if strings.HasPrefix(n.Plural, "sqlite_") || strings.HasPrefix(n.Plural, "pg_") || strings.HasPrefix(n.Plural, "elyra_") {
		return fmt.Errorf("tables that begin with %s_ belong to the database or to Elyra: take another name", strings.SplitN(n.Plural, "_", 2)[0])
	}
	return nil
}

// splitWords cuts order-line, order_line, orderLine and OrderLine into order and line.
func splitWords(name string) ([]string, error) {
	if name == "" {
		return nil, errors.New("it is empty: take one such as product or order-line")
	}
	for _, r := range name {
		if r > unicode.MaxASCII {
			return nil, fmt.Errorf("%q is not one of the letters a to z: commands, tables and packages are named in those, "+
				"and what people read is changed in ui/dist/resources and in the comments", r)
		}
		if !isWordRune(r) && r != '-' && r != '_' {
			return nil, fmt.Errorf("%q has no place in a name: it has letters, digits and dashes, such as order-line", r)
		}
	}
	var words []string
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' }) {
		words = append(words, splitCapitals(part)...)
	}
	if len(words) == 0 {
		return nil, errors.New("it has no letters: take one such as product or order-line")
	}
	for _, word := range words {
		if word[0] >= '0' && word[0] <= '9' {
			return nil, fmt.Errorf("%s begins with a digit: put a letter first", word)
		}
	}
	return words, nil
}

func isWordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// splitCapitals cuts before a capital that begins a word: HTTPServer is http and server.
func splitCapitals(part string) []string {
	upper := func(i int) bool { return i < len(part) && part[i] >= 'A' && part[i] <= 'Z' }
	lower := func(i int) bool { return i < len(part) && part[i] >= 'a' && part[i] <= 'z' }
	var words []string
	start := 0
	for i := 1; i < len(part); i++ {
		if upper(i) && (!upper(i-1) || lower(i+1)) {
			words = append(words, strings.ToLower(part[start:i]))
			start = i
		}
	}
	return append(words, strings.ToLower(part[start:]))
}

// goName joins words into an exported Go name: CustomerID of customer and id.
func goName(words []string) string {
	var b strings.Builder
	for _, word := range words {
		if isOneOf(initialisms, word) {
			b.WriteString(strings.ToUpper(word))
		} else {
			b.WriteString(capital(word))
		}
	}
	return b.String()
}

// jsonName joins words into a camelCase name: customerId.
func jsonName(words []string) string {
	name := words[0]
	for _, word := range words[1:] {
		name += capital(word)
	}
	return name
}

// label joins words for people: "Customer ID".
func label(words []string) string {
	shown := slices.Clone(words)
	for i, word := range shown {
		if isOneOf(initialisms, word) {
			shown[i] = strings.ToUpper(word)
		}
	}
	return capital(strings.Join(shown, " "))
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// article is a or an, by the sound that a word begins with as far as letters tell.
func article(word string) string {
	for _, vowel := range []string{"hour", "honest", "honour", "honor", "heir"} {
		if strings.HasPrefix(word, vowel) {
			return "an"
		}
	}
	for _, consonant := range []string{"uni", "use", "usa", "util", "eu", "one"} {
		if strings.HasPrefix(word, consonant) && !strings.HasPrefix(word, "unim") && !strings.HasPrefix(word, "unin") {
			return "a"
		}
	}
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an"
	}
	return "a"
}
