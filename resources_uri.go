package elyra

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/typegraph"
)

const (
	resourceScheme = "app://"
	// maxURI is how many bytes the URI of a resource may have.
	maxURI = 2048
)

// appURI is app://name/segment/segment?variable=value taken apart and decoded.
type appURI struct {
	name  string
	path  []string
	query []uriVariable // in the order in which they were given
}

type uriVariable struct{ name, value string }

// errOtherScheme says that a URI may be right, and is none of ours.
var errOtherScheme = errors.New("it does not begin with " + resourceScheme)

// parseURI reads a URI that anybody may have made up. Values may decode to any bytes.
func parseURI(uri string) (u appURI, err error) {
	if len(uri) > maxURI {
		return u, fmt.Errorf("it has %d bytes; at most %d are read", len(uri), maxURI)
	}
	for _, c := range []byte(uri) {
		if !uriByte(c) {
			return u, fmt.Errorf("it has %+q, which has to be percent-encoded: %%%02X", string(rune(c)), c)
		}
	}
	rest, ok := strings.CutPrefix(uri, resourceScheme)
	if !ok {
		return u, errOtherScheme
	}
	rest, query, hasQuery := strings.Cut(rest, "?")
	segments := strings.Split(rest, "/")
	u.name = segments[0]
	for _, s := range segments[1:] {
		text, err := decodePercent(s)
		if err != nil {
			return u, err
		}
		u.path = append(u.path, text)
	}
	if !hasQuery || query == "" {
		return u, nil
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		var v uriVariable
		if v.name, err = decodePercent(name); err != nil {
			return u, err
		}
		if v.value, err = decodePercent(value); err != nil {
			return u, err
		}
		u.query = append(u.query, v)
	}
	return u, nil
}

// uriByte reports whether RFC 3986 allows the byte in a URI without a fragment.
func uriByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~:/?@!$&'()*+,;=%", c) >= 0
}

// decodePercent decodes %41 to A. A plus sign is a plus sign.
func decodePercent(s string) (string, error) {
	first := strings.IndexByte(s, '%')
	if first < 0 {
		return s, nil
	}
	out := append(make([]byte, 0, len(s)), s[:first]...)
	for i := first; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if len(s) < i+3 || unhex(s[i+1]) < 0 || unhex(s[i+2]) < 0 {
			return "", fmt.Errorf("it has %q, which is no percent-encoded byte", s[i:min(len(s), i+3)])
		}
		out = append(out, byte(unhex(s[i+1])<<4|unhex(s[i+2])))
		i += 2
	}
	return string(out), nil
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// uriForm is how the arguments of a command are written in a URI.
type uriForm struct {
	base     string             // app:// and the command's name
	plain    bool               // the base alone is a resource
	path     []typegraph.Scalar // required, in argument order
	query    []typegraph.Scalar // optional, by name
	template string             // "" when there are no variables
}

// uriForm returns nil for a command that no URI can call.
func (c *command) uriForm() *uriForm {
	f := &uriForm{base: resourceScheme + c.name, plain: c.input.Optional()}
	scalars, flat := c.input.Scalars()
	if !flat || !distinct(scalars) {
		scalars = nil
	}
	if scalars == nil && !f.plain {
		return nil
	}
	for _, s := range scalars {
		if s.Optional {
			f.query = append(f.query, s)
		} else {
			f.path = append(f.path, s)
		}
	}
	slices.SortFunc(f.query, func(a, b typegraph.Scalar) int { return strings.Compare(a.Name, b.Name) })
	if len(scalars) == 0 {
		return f
	}
	f.template = f.base
	for _, s := range f.path {
		f.template += "/{" + s.Name + "}"
	}
	var names []string
	for _, s := range f.query {
		names = append(names, s.Name)
	}
	if len(names) > 0 {
		f.template += "{?" + strings.Join(names, ",") + "}"
	}
	return f
}

// distinct reports whether the names are different and can be those of variables in a template.
func distinct(scalars []typegraph.Scalar) bool {
	seen := map[string]bool{}
	for _, s := range scalars {
		other := func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_'
		}
		if s.Name == "" || seen[s.Name] || strings.ContainsFunc(s.Name, other) {
			return false
		}
		seen[s.Name] = true
	}
	return true
}

// fits reports whether the path has as many segments as the form has.
func (f *uriForm) fits(u appURI) bool { return len(u.path) == len(f.path) }

// arguments returns what a URI that fits says, as JSON, and what is wrong by variable. What has no
// value of the right type is in the JSON as a text, so that all problems are found at once.
func (f *uriForm) arguments(u appURI) (args jsontext.Value, problems ValidationError) {
	problems = ValidationError{}
	given := map[string]jsontext.Value{}
	set := func(s *typegraph.Scalar, text string) {
		v, want := s.JSON(text)
		if v == nil {
			problems[s.Name] = append(problems[s.Name], fmt.Sprintf("must be %s, got %q", want, visible(text, nameLimit)))
			v = jsontext.Value(`"?"`)
		}
		given[s.Name] = v
	}
	for i := range f.path {
		set(&f.path[i], u.path[i])
	}
	for _, v := range u.query {
		i := slices.IndexFunc(f.query, func(s typegraph.Scalar) bool { return s.Name == v.name })
		shown := visible(v.name, nameLimit)
		switch {
		case i < 0:
			problems[shown] = append(problems[shown], "is no variable of "+f.known())
		case given[v.name] != nil:
			problems[shown] = append(problems[shown], "is given more than once")
		default:
			set(&f.query[i], v.value)
		}
	}
	return f.object(given), problems
}

// known is how the URI may look.
func (f *uriForm) known() string {
	if f.template == "" {
		return f.base
	}
	return f.template
}

// object puts the values into the object of the arguments.
func (f *uriForm) object(given map[string]jsontext.Value) jsontext.Value {
	var outer, inner []byte
	in := ""
	for _, list := range [][]typegraph.Scalar{f.path, f.query} {
		for _, s := range list {
			v := given[s.Name]
			if v == nil {
				continue
			}
			to := &outer
			if s.In != "" {
				to, in = &inner, s.In
			}
			*to = appendMember(*to, s.Name, v)
		}
	}
	if inner != nil {
		outer = appendMember(outer, in, append(append([]byte{'{'}, inner...), '}'))
	}
	return append(append([]byte{'{'}, outer...), '}')
}

func appendMember(dst []byte, name string, v jsontext.Value) []byte {
	if dst != nil {
		dst = append(dst, ',')
	}
	dst, err := jsontext.AppendQuote(dst, name)
	if err != nil {
		panic("elyra: the name of a field was JSON when its type was added: " + err.Error())
	}
	return append(append(dst, ':'), v...)
}

// byVariable gives problems that have the paths of arguments the names of variables. Where ours has
// something about a variable already, that is the better message.
func (f *uriForm) byVariable(found, ours ValidationError) ValidationError {
	all := ValidationError{}
	for path, messages := range found {
		name := path
		for _, list := range [][]typegraph.Scalar{f.path, f.query} {
			for _, s := range list {
				if s.In != "" && path == s.In+"."+s.Name {
					name = s.Name
				}
			}
		}
		if len(ours[name]) == 0 {
			all[name] = append(all[name], messages...)
		}
	}
	for name, messages := range ours {
		all[name] = append(all[name], messages...)
	}
	return all
}
