package tools

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/internal/nearest"
)

// maxArguments bounds the arguments of a call.
const maxArguments = 32 << 20

// decode reads the arguments of a call into a struct. Names are all names that may occur, for suggestions. The error tells the
// model what to write instead.
func decode(args jsontext.Value, into any, names ...string) error {
	if len(args) > maxArguments {
		return fmt.Errorf("the arguments have %s, more than %s", result.Size(len(args)), result.Size(maxArguments))
	}
	if args.Kind() != '{' {
		return errors.New("the arguments are no JSON object")
	}
	err := json.Unmarshal(args, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return fmt.Errorf("the arguments are no proper JSON: %s", result.OneLine(err.Error(), 200))
	}
	name := semantic.JSONPointer.LastToken()
	where := result.OneLine(strings.TrimPrefix(string(semantic.JSONPointer), "/"), 100)
	if errors.Is(err, json.ErrUnknownName) {
		return fmt.Errorf("there is no argument %q%s; the arguments are %s", where, nearest.Hint(name, names), strings.Join(names, ", "))
	}
	return fmt.Errorf("the argument %q is wrong: it cannot be a JSON %s", where, kindName(semantic.JSONKind))
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '0':
		return "number of this kind"
	case '[':
		return "array"
	case '{':
		return "object"
	}
	return "value"
}

// within checks a number that may be left out.
func within(name string, value *int, low, high, standard int) (int, error) {
	switch {
	case value == nil:
		return standard, nil
	case *value < low || *value > high:
		return 0, fmt.Errorf("the argument %q is %d: it must be from %d to %d", name, *value, low, high)
	}
	return *value, nil
}

// oneOf checks a word that may be left out.
func oneOf(name, value string, words ...string) (string, error) {
	if value == "" {
		return words[0], nil
	}
	for _, w := range words {
		if value == w {
			return w, nil
		}
	}
	return "", fmt.Errorf("the argument %q is %q%s; it must be one of %s", name, result.OneLine(value, 40), nearest.Hint(value, words), strings.Join(words, ", "))
}
