package typegraph

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Encode returns v as JSON without white space: map keys sorted, nil slices [],
// nil maps {}, integers exact. Bytes of a string that are not UTF-8 become U+FFFD,
// so that one bad row of a database does not lose the whole result.
func Encode(v any) (jsontext.Value, error) {
	raw, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return raw, nil
}

// Decode stores canonical JSON, as Canonical returns it, in the value that dst
// points to. It does not fail for a dst of the type that Canonical checked.
func Decode(canonical []byte, dst any) error {
	if err := json.Unmarshal(canonical, dst, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("decode %T: %w", dst, err)
	}
	return nil
}
