package adapter

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// complaint is how vendors say what is wrong, in the forms that are in use: {"error":{…}}, {"error":"…"}, {"message":"…"},
// {"detail":"…"} and a list of the first.
type complaint struct {
	Error   jsontext.Value `json:"error"`
	Message jsontext.Value `json:"message"`
	Detail  jsontext.Value `json:"detail"`
	ID      string         `json:"request_id"`
}

// Reason is what a vendor says of a failure.
type Reason struct {
	Type    string
	Code    string
	Param   string
	Message string
}

// reasonFields are the members of an error, none of which has the same type with all vendors.
type reasonFields struct {
	Type     jsontext.Value `json:"type"`
	Code     jsontext.Value `json:"code"`
	Status   jsontext.Value `json:"status"`
	Param    jsontext.Value `json:"param"`
	Message  jsontext.Value `json:"message"`
	Metadata struct {
		Raw jsontext.Value `json:"raw"` // what the vendor behind a broker said
	} `json:"metadata"`
	Details struct {
		Code jsontext.Value `json:"error_code"`
	} `json:"details"`
}

// ParseReason reads a vendor's error: the member "error" of an answer or event, or the whole of it.
func ParseReason(text []byte) Reason {
	var r Reason
	if s, ok := asString(text); ok {
		r.Message = s
		return r
	}
	// A member of an odd type hides nothing but itself: what was read before the error stays.
	var list []jsontext.Value
	if json.Unmarshal(text, &list) == nil && len(list) > 0 {
		return ParseReason(list[0])
	}
	var f reasonFields
	_ = json.Unmarshal(text, &f)
	r.Type, _ = asString(f.Type)
	r.Code, _ = asString(f.Code)
	r.Param, _ = asString(f.Param)
	r.Message, _ = asString(f.Message)
	status, _ := asString(f.Status)
	details, _ := asString(f.Details.Code)
	r.Type = cmp.Or(r.Type, status)
	r.Code = cmp.Or(details, r.Code)
	if raw, ok := asString(f.Metadata.Raw); ok {
		r.Message += ": " + raw
	}
	if r.Message != "" {
		return r
	}
	var c complaint
	_ = json.Unmarshal(text, &c)
	for _, inner := range []jsontext.Value{c.Error, c.Detail, c.Message} {
		if len(inner) > 0 && string(inner) != "null" {
			return ParseReason(inner)
		}
	}
	return r
}

// asString returns a JSON string, or a number as it is written.
func asString(v jsontext.Value) (string, bool) {
	switch v.Kind() {
	case '"':
		var s string
		err := json.Unmarshal(v, &s, jsontext.AllowInvalidUTF8(true))
		return s, err == nil
	case '0':
		return string(v), true
	}
	return "", false
}
