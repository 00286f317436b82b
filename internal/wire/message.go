// Package wire owns what every line between two peers has in common: JSON-RPC 2.0
// messages with their ids kept as raw JSON, the newline framing, the limits on length and
// depth, and the bounded writer.
//
// It promises that no input makes it panic, that it never buffers more than one line of
// the allowed length, and that a line it refuses leaves the stream readable. It knows no
// MCP method and must not import any other package of this module.
package wire

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The error codes JSON-RPC itself defines.
const (
	CodeParse          = -32700 // the line is not JSON
	CodeInvalidRequest = -32600 // the line is JSON but no JSON-RPC message
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
)

// Default limits, used where a field of [Limits] is zero.
const (
	DefaultMaxLine  = 16 << 20
	DefaultMaxDepth = 64
)

// Error is a JSON-RPC error object. Data is anything encoding to JSON; nil leaves it out.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error returns the message followed by the code.
func (e *Error) Error() string { return e.Message + " (code " + strconv.Itoa(e.Code) + ")" }

// Errorf makes an *Error without data.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Limits bounds what a peer may send.
type Limits struct {
	MaxLine  int // bytes of a line without its line ending; 0 means DefaultMaxLine
	MaxDepth int // nesting of objects and arrays; 0 means DefaultMaxDepth
}

// withDefaults replaces the zero fields.
func (l Limits) withDefaults() Limits {
	if l.MaxLine <= 0 {
		l.MaxLine = DefaultMaxLine
	}
	if l.MaxDepth <= 0 {
		l.MaxDepth = DefaultMaxDepth
	}
	return l
}

// Message is one JSON-RPC message: a request (Method and ID), a notification (Method, no
// ID) or a response (ID, and Result or Error; an error response may lack its ID).
// The raw values are parts of the line that was parsed.
type Message struct {
	ID     jsontext.Value // the exact JSON of a string or an integer; nil when absent
	Method string
	Params jsontext.Value // nil when absent, else an object, or for plain JSON-RPC an array
	Result jsontext.Value
	Error  *Error
}

// AppendRequest appends a request, or a notification when id is nil. Params that are nil
// are left out. The values are copied as they are and must be JSON on one line.
func AppendRequest(dst []byte, id jsontext.Value, method string, params jsontext.Value) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if id != nil {
		dst = append(append(dst, `,"id":`...), id...)
	}
	dst = AppendString(append(dst, `,"method":`...), method)
	if params != nil {
		dst = append(append(dst, `,"params":`...), params...)
	}
	return append(dst, '}')
}

// AppendResult appends a successful response.
func AppendResult(dst []byte, id, result jsontext.Value) []byte {
	dst = append(append(dst, `{"jsonrpc":"2.0","id":`...), id...)
	dst = append(append(dst, `,"result":`...), result...)
	return append(dst, '}')
}

// AppendError appends an error response. A nil id, which means it could not be read, is
// left out: MCP forbids the null that plain JSON-RPC would send. Data that does not encode
// is left out too.
func AppendError(dst []byte, id jsontext.Value, e *Error) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if id != nil {
		dst = append(append(dst, `,"id":`...), id...)
	}
	dst = strconv.AppendInt(append(dst, `,"error":{"code":`...), int64(e.Code), 10)
	dst = AppendString(append(dst, `,"message":`...), e.Message)
	if e.Data != nil {
		if data, err := json.Marshal(e.Data, json.Deterministic(true)); err == nil {
			dst = append(append(dst, `,"data":`...), OneLine(data)...)
		}
	}
	return append(dst, `}}`...)
}

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	// The only error is the one about invalid UTF-8, which has been replaced by then.
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// OneLine returns v without line breaks: v itself when it has none, else a compact copy.
// A line break in valid JSON is always white space, because strings escape theirs.
func OneLine(v jsontext.Value) jsontext.Value {
	if bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0 {
		return v
	}
	compact := v.Clone()
	if compact.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return v
	}
	return compact
}
