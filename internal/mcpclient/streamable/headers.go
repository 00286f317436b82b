package streamable

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	headerVersion   = "Mcp-Protocol-Version"
	headerMethod    = "Mcp-Method"
	headerName      = "Mcp-Name"
	headerParam     = "Mcp-Param-"
	headerSession   = "Mcp-Session-Id"
	headerLastEvent = "Last-Event-Id"

	sentinelStart = "=?base64?"
	sentinelEnd   = "?="

	acceptBoth   = "application/json, text/event-stream"
	acceptEvents = "text/event-stream"
)

// unmarshal reads JSON as leniently as the client does.
func unmarshal(v []byte, dst any) error {
	return json.Unmarshal(v, dst, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// marshal encodes v deterministically, raw values as they are.
func marshal(v any) (jsontext.Value, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// modernVersion returns the protocol version in the metadata of a modern request, "" for a message of the older kind.
func modernVersion(params jsontext.Value) string {
	var p struct {
		Meta struct {
			Version jsontext.Value `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	if params.Kind() != '{' || unmarshal(params, &p) != nil {
		return ""
	}
	version, _ := wire.Text(p.Meta.Version)
	return version
}

// postHeader is what each POST has.
func postHeader() http.Header {
	return http.Header{"Content-Type": {"application/json"}, "Accept": {acceptBoth}}
}

// modernHeader mirrors a modern message. Mirrored holds the headers made of a tool's arguments.
func modernHeader(m wire.Message, version string, mirrored http.Header) http.Header {
	h := postHeader()
	for name, values := range mirrored {
		h[name] = values
	}
	h.Set(headerVersion, version)
	h.Set(headerMethod, m.Method)
	if name, ok := subject(m); ok {
		h.Set(headerName, encodeHeader(name))
	}
	return h
}

// subject returns what a request is about, for the methods of which a header tells it.
func subject(m wire.Message) (string, bool) {
	var p struct {
		Name jsontext.Value `json:"name"`
		URI  jsontext.Value `json:"uri"`
	}
	switch m.Method {
	case mcp.MethodCallTool, "prompts/get", "resources/read":
		if unmarshal(m.Params, &p) != nil {
			return "", false
		}
	default:
		return "", false
	}
	if m.Method == "resources/read" {
		return wire.Text(p.URI)
	}
	return wire.Text(p.Name)
}

// encodeHeader returns a value as a header can carry it: as it is, or as Base64 with a mark when it is not plain ASCII, when
// white space around it would be lost, or when it looks like such a mark itself.
func encodeHeader(value string) string {
	marked := strings.HasPrefix(value, sentinelStart) && strings.HasSuffix(value, sentinelEnd)
	if !marked && headerSafe(value) {
		return value
	}
	return sentinelStart + base64.StdEncoding.EncodeToString([]byte(value)) + sentinelEnd
}

// headerSafe reports whether a header carries the value unchanged.
func headerSafe(value string) bool {
	for i := range len(value) {
		if c := value[i]; (c < ' ' || c > '~') && c != '\t' {
			return false
		}
	}
	return strings.Trim(value, " \t") == value
}

// mediaType returns the type of an answer in lower case, without its parameters.
func mediaType(resp *http.Response) string {
	kind, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// isJSON reports whether a type says JSON, or nothing.
func isJSON(kind string) bool {
	return kind == "" || strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json") || kind == "application/json-rpc"
}
