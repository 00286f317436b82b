package mcpschema

import (
	"errors"
	"regexp"
)

// template is the grammar of RFC 6570: literals, and expressions in braces whose variables may have a
// modifier. The library's own check takes a template for a URL, which it is not yet: one may have an
// expression right after the host.
var template = regexp.MustCompile(`^([^\x00-\x20"'%<>\\^` + "`" + `{|}]|%[0-9A-Fa-f]{2}|\{[+#./;?&=,!@|]?[A-Za-z0-9_.%]+(:[0-9]{1,4}|\*)?(,[A-Za-z0-9_.%]+(:[0-9]{1,4}|\*)?)*\})*$`)

// uriTemplate judges strings that are to be templates.
func uriTemplate(v any) error {
	if text, ok := v.(string); ok && !template.MatchString(text) {
		return errors.New("it does not follow the grammar of RFC 6570")
	}
	return nil
}
