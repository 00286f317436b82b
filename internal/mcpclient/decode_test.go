package mcpclient

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestEachCapabilityIsReadByItself(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		``:     `{}`,
		`true`: `{}`,
		`{"tools":{"listChanged":true},"resources":{"subscribe":true}}`: `{"tools":{"listChanged":true},"resources":{"subscribe":true}}`,
		`{"tools":true,"prompts":null,"completions":{},"logging":[]}`:   `{"completions":{}}`,
		`{"tools":{"listChanged":"often"},"prompts":{}}`:                `{"tools":{},"prompts":{}}`,
	} {
		got, err := json.Marshal(decodeCapabilities(jsontext.Value(raw)))
		if err != nil || string(got) != want {
			t.Errorf("%s is read as %s, %v; want %s", raw, got, err, want)
		}
	}
}
