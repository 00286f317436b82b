package mcp

import (
	"testing"

	"github.com/go-json-experiment/json"
)

func TestClientCapabilities_modes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		declared  string
		form, url bool
	}{
		{`{}`, false, false},
		{`{"elicitation":null}`, false, false},
		{`{"elicitation":{}}`, true, false}, // what clients said before there were modes
		{`{"elicitation":{"form":{}}}`, true, false},
		{`{"elicitation":{"url":{}}}`, false, true},
		{`{"elicitation":{"form":{"x":1},"url":{}},"roots":{"listChanged":true}}`, true, true},
		{`{"elicitation":{"form":null,"url":{}}}`, false, true},
	}
	for _, tt := range tests {
		var c ClientCapabilities
		if err := json.Unmarshal([]byte(tt.declared), &c); err != nil {
			t.Errorf("%s: %v", tt.declared, err)
		}
		if c.ElicitsForm() != tt.form || c.ElicitsURL() != tt.url {
			t.Errorf("%s: form %v, url %v", tt.declared, c.ElicitsForm(), c.ElicitsURL())
		}
	}
}

func TestVersions_haveOneEraEach(t *testing.T) {
	t.Parallel()
	versions := Versions()
	for i, v := range versions {
		if Modern(v) == Legacy(v) {
			t.Errorf("%s: modern %v, legacy %v", v, Modern(v), Legacy(v))
		}
		if i > 0 && AtLeast(v, versions[i-1]) {
			t.Errorf("%s comes after %s", v, versions[i-1])
		}
	}
	if Modern("2027-01-01") || Legacy("2024-11-05") {
		t.Error("a revision that is not spoken has an era")
	}
}

func TestResourceContents_isTextOrBytes(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]ResourceContents{
		`{"uri":"a:b","text":""}`:                            {URI: "a:b"},
		`{"uri":"a:b","mimeType":"text/plain","text":"x"}`:   {URI: "a:b", MIMEType: "text/plain", Text: "x"},
		`{"uri":"a:b","blob":""}`:                            {URI: "a:b", Blob: []byte{}},
		`{"uri":"a:b","mimeType":"image/png","blob":"AQID"}`: {URI: "a:b", MIMEType: "image/png", Blob: []byte{1, 2, 3}},
	} {
		got, err := json.Marshal(r)
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
		var back ResourceContents
		if err := json.Unmarshal(got, &back); err != nil || back.Text != r.Text || string(back.Blob) != string(r.Blob) {
			t.Errorf("%s came back as %+v, %v", got, back, err)
		}
	}
}
