package oauth

import "strings"

// Bounds of what is read of WWW-Authenticate.
const (
	maxChallenges = 16
	maxChallenge  = 8 << 10
	maxScopes     = 100
)

// challenge is what a server says in WWW-Authenticate with the scheme Bearer. The zero value says nothing.
type challenge struct {
	metadata string   // the resource_metadata parameter
	scopes   []string // the scope parameter, sorted
	err      string   // the error parameter
}

// bearer returns the first Bearer challenge of the header's values. What cannot be read is passed over.
func bearer(values []string) (challenge, bool) {
	for i, v := range values {
		if i == maxChallenges {
			break
		}
		if len(v) > maxChallenge {
			continue
		}
		if c, ok := bearerIn(v); ok {
			return c, true
		}
	}
	return challenge{}, false
}

// bearerIn reads one value: challenges separated by commas, as are their parameters (RFC 9110, section 11.6.1). A name
// before "=" is a parameter, any other begins a challenge.
func bearerIn(value string) (challenge, bool) {
	s := scanner{rest: value}
	var c challenge
	found := false
	for s.separators(); s.rest != ""; s.separators() {
		name := s.token()
		if name == "" {
			s.skip()
			continue
		}
		if s.equals() {
			if text := s.value(); found {
				c.set(strings.ToLower(name), text)
			}
			continue
		}
		if found {
			return c, true // The next challenge.
		}
		found = strings.EqualFold(name, "Bearer")
	}
	return c, found
}

// set takes one parameter; the first of a name counts.
func (c *challenge) set(name, value string) {
	switch {
	case name == "resource_metadata" && c.metadata == "":
		c.metadata = value
	case name == "scope" && c.scopes == nil:
		c.scopes = splitScopes(value)
	case name == "error" && c.err == "":
		c.err = value
	}
}

// scanner reads a header's value from the left.
type scanner struct{ rest string }

// separators passes over commas and blanks.
func (s *scanner) separators() { s.rest = strings.TrimLeft(s.rest, ", \t") }

// skip passes over what cannot be read, up to the next comma.
func (s *scanner) skip() {
	if strings.HasPrefix(s.rest, `"`) {
		s.value()
		return
	}
	_, s.rest, _ = strings.Cut(s.rest, ",")
}

// token takes a name.
func (s *scanner) token() string {
	end := strings.IndexFunc(s.rest, func(r rune) bool { return !tokenRune(r) })
	if end < 0 {
		end = len(s.rest)
	}
	t := s.rest[:end]
	s.rest = s.rest[end:]
	return t
}

// equals takes "=" with the blanks around it, if it comes next.
func (s *scanner) equals() bool {
	rest := strings.TrimLeft(s.rest, " \t")
	if !strings.HasPrefix(rest, "=") {
		return false
	}
	s.rest = strings.TrimLeft(rest[1:], " \t")
	return true
}

// value takes a quoted string or what reaches to the next comma or blank.
func (s *scanner) value() string {
	if !strings.HasPrefix(s.rest, `"`) {
		end := strings.IndexAny(s.rest, ", \t")
		if end < 0 {
			end = len(s.rest)
		}
		v := s.rest[:end]
		s.rest = s.rest[end:]
		return v
	}
	var b strings.Builder
	for i := 1; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '"':
			s.rest = s.rest[i+1:]
			return b.String()
		case '\\':
			if i++; i < len(s.rest) {
				b.WriteByte(s.rest[i])
			}
		default:
			b.WriteByte(s.rest[i])
		}
	}
	s.rest = "" // The quote never ends: what it holds is not to be trusted.
	return ""
}

func tokenRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r < 0x80 && r != 0 && strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
