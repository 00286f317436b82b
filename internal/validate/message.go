package validate

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"
)

// message says what one failed rule asks for.
func message(f validator.FieldError, root reflect.Type) string {
	// Rules joined by "|" fail together, and come as one tag.
	var parts []string
	for word := range strings.SplitSeq(f.Tag(), "|") {
		name, param, ok := strings.Cut(word, "=")
		if !ok {
			param = f.Param()
		}
		parts = append(parts, ruleMessage(name, param, f, root))
	}
	return strings.Join(parts, ", or ")
}

// ruleMessage is the message of one rule.
func ruleMessage(name, param string, f validator.FieldError, root reflect.Type) string {
	if name == "required" {
		return requiredMessage(f.Kind())
	}
	if text := phrase(name); text != "" {
		return text
	}
	if text := sizeMessage(name, param, f); text != "" {
		return text
	}
	switch name {
	case "eq":
		return "must be " + param
	case "ne":
		return "must not be " + param
	case "oneof", "oneofci":
		return "must be one of " + choices(param)
	case "noneof", "noneofci":
		return "must be none of " + choices(param)
	case "contains", "containsany":
		return fmt.Sprintf("must contain %q", param)
	case "excludes", "excludesall":
		return fmt.Sprintf("must not contain %q", param)
	case "startswith":
		return fmt.Sprintf("must start with %q", param)
	case "endswith":
		return fmt.Sprintf("must end with %q", param)
	case "startsnotwith":
		return fmt.Sprintf("must not start with %q", param)
	case "endsnotwith":
		return fmt.Sprintf("must not end with %q", param)
	case "datetime":
		return fmt.Sprintf("must be a date or time written like %q", param)
	}
	if text := fieldMessage(name, param, f, root); text != "" {
		return text
	}
	return "is not valid (" + name + ")"
}

// requiredMessage says why a value that may well have been given does not count.
func requiredMessage(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "is required and must not be empty"
	case reflect.Bool:
		return "is required and must be true"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "is required and must not be 0"
	default:
		return "is required"
	}
}

// phrase is the message of rules without a parameter, "" for others.
func phrase(name string) string {
	switch name {
	case "isdefault":
		return "must be left out"
	case "unique":
		return "must not contain the same value twice"
	case "email":
		return "must be an email address"
	case "url", "http_url", "https_url", "uri":
		return "must be a full URL such as https://example.org/page"
	case "uuid", "uuid3", "uuid4", "uuid5", "uuid7", "uuid_rfc4122", "uuid3_rfc4122", "uuid4_rfc4122", "uuid5_rfc4122":
		return "must be a UUID"
	case "ulid":
		return "must be a ULID"
	case "alpha", "alphaunicode":
		return "must contain only letters"
	case "alphanum", "alphanumunicode":
		return "must contain only letters and digits"
	case "alphaspace":
		return "must contain only letters and spaces"
	case "alphanumspace":
		return "must contain only letters, digits and spaces"
	case "numeric", "number":
		return "must be a number"
	case "boolean":
		return "must be true or false"
	case "hexadecimal":
		return "must be a hexadecimal number"
	case "hexcolor":
		return "must be a color such as #ff8800"
	case "lowercase":
		return "must be in lower case"
	case "uppercase":
		return "must be in upper case"
	case "ascii", "printascii":
		return "must contain only ASCII characters"
	case "ip", "ip_addr":
		return "must be an IP address"
	case "ipv4", "ip4_addr":
		return "must be an IPv4 address"
	case "ipv6", "ip6_addr":
		return "must be an IPv6 address"
	case "hostname", "hostname_rfc1123", "fqdn":
		return "must be a host name"
	case "e164":
		return "must be a phone number such as +4930123456"
	case "base64":
		return "must be base64"
	case "json":
		return "must be JSON"
	case "timezone":
		return "must be a time zone such as Europe/Berlin"
	case "semver":
		return "must be a version such as 1.2.3"
	case "latitude":
		return "must be a latitude from -90 to 90"
	case "longitude":
		return "must be a longitude from -180 to 180"
	case "credit_card":
		return "must be a credit card number"
	case "iso4217":
		return "must be a currency code such as EUR"
	case "iso3166_1_alpha2":
		return "must be a country code such as DE"
	case "bcp47_language_tag":
		return "must be a language tag such as en-GB"
	}
	return ""
}

// sizeMessage is the message of a limit: of a number, or of a length in the unit
// of the value.
func sizeMessage(name, param string, f validator.FieldError) string {
	words := map[string]string{
		"min": "at least", "gte": "at least", "max": "at most", "lte": "at most",
		"gt": "more than", "lt": "less than", "len": "exactly",
	}[name]
	if words == "" {
		return ""
	}
	unit := ""
	switch f.Kind() {
	case reflect.String:
		unit = "character"
	case reflect.Slice, reflect.Array:
		unit = "item"
		if f.Type().Elem().Kind() == reflect.Uint8 {
			unit = "byte"
		}
	case reflect.Map:
		return "must have " + words + " " + plural(param, "entry", "entries")
	case reflect.Struct: // a time
		return map[string]string{
			"gt": "must be in the future", "gte": "must not be in the past",
			"lt": "must be in the past", "lte": "must not be in the future",
		}[name]
	}
	switch {
	case unit == "item":
		return "must have " + words + " " + plural(param, unit, unit+"s")
	case unit != "":
		return "must be " + words + " " + plural(param, unit, unit+"s")
	case name == "len":
		return "must be " + param
	}
	return "must be " + words + " " + param
}

func plural(n, one, many string) string {
	if n == "1" {
		return n + " " + one
	}
	return n + " " + many
}

// choices lists the words of oneof with commas.
func choices(param string) string {
	var words []string
	for rest := strings.TrimSpace(param); rest != ""; rest = strings.TrimSpace(rest) {
		word, after, ok := "", "", false
		if rest[0] == '\'' {
			word, after, ok = strings.Cut(rest[1:], "'")
		}
		if !ok {
			word, after, _ = strings.Cut(rest, " ")
		}
		words, rest = append(words, word), after
	}
	return strings.Join(words, ", ")
}
