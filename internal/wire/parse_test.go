package wire

import (
	stdjson "encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func TestParse_messages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		want       Message
	}{
		{
			"request", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[1]}}`,
			Message{ID: jsontext.Value(`1`), Method: "a", Params: jsontext.Value(`{"b":[1]}`)},
		},
		{
			"white space and a carriage return around it", " \t{\"jsonrpc\" : \"2.0\" , \"id\":\"x\",\"method\":\"a\"} \r",
			Message{ID: jsontext.Value(`"x"`), Method: "a"},
		},
		{
			"an id beyond the integers of a float", `{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}`,
			Message{ID: jsontext.Value(`9007199254740993`), Method: "a"},
		},
		{
			"an escaped id stays as it was sent", `{"jsonrpc":"2.0","id":"\u0061\ud800","method":"a"}`,
			Message{ID: jsontext.Value(`"\u0061\ud800"`), Method: "a"},
		},
		{
			"an escaped method", `{"jsonrpc":"2.0","id":-5,"method":"tools\/call"}`,
			Message{ID: jsontext.Value(`-5`), Method: "tools/call"},
		},
		{"notification", `{"jsonrpc":"2.0","method":"n"}`, Message{Method: "n"}},
		{"unknown members", `{"x":{"y":"}"},"jsonrpc":"2.0","method":"n","z":null}`, Message{Method: "n"}},
		{"result", `{"jsonrpc":"2.0","id":1,"result":null}`, Message{ID: jsontext.Value(`1`), Result: jsontext.Value(`null`)}},
		{"positional params", `{"jsonrpc":"2.0","method":"n","params":[]}`, Message{Method: "n", Params: jsontext.Value(`[]`)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse([]byte(tt.line), Limits{})
			if err != nil {
				t.Fatalf("refused: %v", err)
			}
			if string(got.ID) != string(tt.want.ID) || got.Method != tt.want.Method ||
				string(got.Params) != string(tt.want.Params) || string(got.Result) != string(tt.want.Result) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestParse_errorResponses(t *testing.T) {
	t.Parallel()
	for _, id := range []string{`"id":7,`, ``, `"id":null,`} {
		m, err := Parse([]byte(`{"jsonrpc":"2.0",`+id+`"error":{"code":-32022,"message":"no","data":{"a":1}}}`), Limits{})
		if err != nil {
			t.Fatalf("with %q: refused: %v", id, err)
		}
		if m.Error == nil || m.Error.Code != -32022 || m.Error.Message != "no" || string(m.Error.Data.(jsontext.Value)) != `{"a":1}` {
			t.Errorf("with %q: got %+v", id, m.Error)
		}
		if id == `"id":null,` && m.ID != nil {
			t.Errorf("a null id became %q", m.ID)
		}
	}
}

func TestParse_refusals(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	tests := []struct {
		name, line string
		code       int
		id         string // "" when the answer cannot name one
	}{
		{"empty", ``, CodeParse, ""},
		{"no JSON", `hello`, CodeParse, ""},
		{"a number", `42`, CodeInvalidRequest, ""},
		{"an array", `[{"jsonrpc":"2.0","id":1,"method":"a"}]`, CodeInvalidRequest, ""},
		{"cut off", `{"jsonrpc":"2.0","id":1,"method":"a","params":{`, CodeParse, "1"},
		{"two messages on a line", `{"jsonrpc":"2.0","id":1,"method":"a"}{}`, CodeParse, "1"},
		{"a trailing comma", `{"jsonrpc":"2.0","id":1,"method":"a",}`, CodeParse, "1"},
		{"a control character in a string", "{\"jsonrpc\":\"2.0\",\"method\":\"a\x01\"}", CodeParse, ""},
		{"a byte that is not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"a\",\"params\":{\"x\":\"\xff\"}}", CodeParse, "3"},
		{"a bad escape", `{"jsonrpc":"2.0","method":"\x"}`, CodeParse, ""},
		{"a leading zero", `{"jsonrpc":"2.0","id":01,"method":"a"}`, CodeParse, ""},
		{"no version", `{"id":1,"method":"a"}`, CodeInvalidRequest, "1"},
		{"an old version", `{"jsonrpc":"1.0","id":1,"method":"a"}`, CodeInvalidRequest, "1"},
		{"a null id", `{"jsonrpc":"2.0","id":null,"method":"a"}`, CodeInvalidRequest, ""},
		{"a boolean id", `{"jsonrpc":"2.0","id":true,"method":"a"}`, CodeInvalidRequest, ""},
		{"an object as id", `{"jsonrpc":"2.0","id":{},"method":"a"}`, CodeInvalidRequest, ""},
		{"a fraction as id", `{"jsonrpc":"2.0","id":1.5,"method":"a"}`, CodeInvalidRequest, ""},
		{"an id with an exponent", `{"jsonrpc":"2.0","id":1e3,"method":"a"}`, CodeInvalidRequest, ""},
		{"two ids", `{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}`, CodeInvalidRequest, ""},
		{"two methods after the id", `{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`, CodeInvalidRequest, "1"},
		{"a method that is no string", `{"jsonrpc":"2.0","id":1,"method":5}`, CodeInvalidRequest, "1"},
		{"an empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, CodeInvalidRequest, "1"},
		{"params that are no structure", `{"jsonrpc":"2.0","id":1,"method":"a","params":"p"}`, CodeInvalidRequest, "1"},
		{"neither request nor response", `{"jsonrpc":"2.0","id":1}`, CodeInvalidRequest, ""},
		{"request and response", `{"jsonrpc":"2.0","id":1,"method":"a","result":{}}`, CodeInvalidRequest, ""},
		{"a result without id", `{"jsonrpc":"2.0","result":{}}`, CodeInvalidRequest, ""},
		{"a broken response names no request", `{"jsonrpc":"2.0","id":1,"result":{`, CodeParse, ""},
		{"an error without code", `{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}`, CodeInvalidRequest, ""},
		{"too deep, id before", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":` + deep + `}}`, CodeInvalidRequest, "1"},
		{"too deep, id after", `{"jsonrpc":"2.0","params":{"x":` + deep + `},"method":"a","id":"z"}`, CodeInvalidRequest, `"z"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := Parse([]byte(tt.line), Limits{})
			if err == nil {
				t.Fatalf("accepted as %+v", m)
			}
			if err.Code != tt.code || string(m.ID) != tt.id {
				t.Errorf("got code %d and id %q, want %d and %q (%s)", err.Code, m.ID, tt.code, tt.id, err.Message)
			}
		})
	}
}

func TestParse_depthLimit(t *testing.T) {
	t.Parallel()
	line := func(n int) []byte { // the message and its params are two levels
		return []byte(`{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":` + strings.Repeat("[", n-2) + strings.Repeat("]", n-2) + `}}`)
	}
	if _, err := Parse(line(64), Limits{}); err != nil {
		t.Errorf("64 levels: %v", err)
	}
	if _, err := Parse(line(65), Limits{}); err == nil {
		t.Error("65 levels were accepted")
	}
	if _, err := Parse(line(4), Limits{MaxDepth: 3}); err == nil {
		t.Error("4 levels were accepted under a limit of 3")
	}
}

func TestParseBatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		want []string
		ok   bool
	}{
		{` [ {"a":[1,2]} , 5,"]" ] `, []string{`{"a":[1,2]}`, `5`, `"]"`}, true},
		{`[]`, nil, true},
		{`[1,]`, nil, false},
		{`[1] 2`, nil, false},
		{`{"a":1}`, nil, false},
		{``, nil, false},
	}
	for _, tt := range tests {
		got, ok := ParseBatch([]byte(tt.line), Limits{})
		if ok != tt.ok || len(got) != len(tt.want) {
			t.Errorf("%q: got %q, %v", tt.line, got, ok)
			continue
		}
		for i := range got {
			if string(got[i]) != tt.want[i] {
				t.Errorf("%q: element %d is %q, want %q", tt.line, i, got[i], tt.want[i])
			}
		}
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	var got []string
	Members(jsontext.Value(`{ "a":1, "\u0062" : {"c":"}\""} ,"d":[ ],"e":null}`), func(name []byte, value jsontext.Value) bool {
		got = append(got, string(name)+"="+string(value))
		return len(got) < 3
	})
	if want := `a=1 b={"c":"}\""} d=[ ]`; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAppendError_withoutID(t *testing.T) {
	t.Parallel()
	got := string(AppendError(nil, nil, &Error{Code: 1, Message: "a\nb\xff", Data: map[string]int{"b": 2, "a": 1}}))
	if want := `{"jsonrpc":"2.0","error":{"code":1,"message":"a\nb�","data":{"a":1,"b":2}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = string(AppendError(nil, jsontext.Value(`"i"`), &Error{Message: "m", Data: jsontext.Value("{\n}")}))
	if want := `{"jsonrpc":"2.0","id":"i","error":{"code":0,"message":"m","data":{}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// FuzzParse holds Parse against the standard library: it accepts nothing that is not JSON
// in UTF-8, and says of nothing that is JSON that it does not parse.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":[1,-2.5e+3,true,null,"\u00e9\n"]}}}`,
		`{"jsonrpc":"2.0","id":"\ud83d","error":{"code":1,"message":"m"}}`,
		`[{"jsonrpc":"2.0","method":"n"},1]`, `{"a":01}`, "{\"a\":\"\xff\"}", `{"":{"":{"":[]}}}`, `{"id":1,`, ` `, `"`, `{"a":"\`,
		strings.Repeat(`{"a":`, 70) + `1` + strings.Repeat(`}`, 70),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		isJSON := stdjson.Valid(line) && utf8.Valid(line)
		m, err := Parse(line, Limits{})
		if err == nil && !isJSON {
			t.Fatalf("accepted %q, which is not JSON", line)
		}
		if err != nil && err.Code == CodeParse && isJSON {
			t.Fatalf("%q is JSON, but: %s", line, err.Message)
		}
		if m.ID != nil && !ValidID(m.ID) {
			t.Fatalf("%q: the id %q is none", line, m.ID)
		}
		if Valid(line) != isJSON && len(line) < 10_000 {
			t.Fatalf("Valid(%q) = %v", line, !isJSON)
		}
		if err == nil {
			Members(m.Params, func(name []byte, value jsontext.Value) bool {
				if !stdjson.Valid(value) {
					t.Fatalf("%q: the member %q is %q", line, name, value)
				}
				return true
			})
			roundTrip(t, m)
		}
		if elements, ok := ParseBatch(line, Limits{}); ok {
			for _, e := range elements {
				if !stdjson.Valid(e) {
					t.Fatalf("%q: the element %q is no JSON", line, e)
				}
			}
		}
		RequestID(line)
	})
}

// roundTrip encodes an accepted request and expects it back.
func roundTrip(t *testing.T, m Message) {
	t.Helper()
	if m.Method == "" || strings.Contains(m.Method, "\uFFFD") {
		return
	}
	again, err := Parse(AppendRequest(nil, m.ID, m.Method, m.Params), Limits{})
	if err != nil || again.Method != m.Method || string(again.ID) != string(m.ID) {
		t.Fatalf("%+v came back as %+v, %v", m, again, err)
	}
}
