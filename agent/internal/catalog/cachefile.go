package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// The cache's file is JSON in lines of a fixed form, so that a cold start reads it without scanning what it does not
// need: an entry says how many bytes its listing has, and each schema has a line of its own that is only sliced.
//
//	{"version":1,"entries":[
//	{"key":"…","hash":"…","fetched":…,"sum":…,"bytes":N,"listing":
//	(N bytes)
//	},
//	…
//	]}
const (
	fileHead  = `{"version":1,"entries":[` + "\n"
	fileTail  = "]}\n"
	entryTail = `,"listing":`
)

var errDamaged = errors.New("it is damaged or from another version")

// entry is one listing as the file keeps it.
type entry struct {
	header
	body []byte
}

type header struct {
	Key     string `json:"key"`
	Hash    string `json:"hash"`
	Fetched int64  `json:"fetched"` // Unix milliseconds
	TTLMs   *int64 `json:"ttlMs,omitzero"`
	Sum     uint32 `json:"sum"` // of the body
	Bytes   int    `json:"bytes"`
}

func (h header) fetched() time.Time { return time.UnixMilli(h.Fetched) }

func (h header) ttl() *time.Duration {
	if h.TTLMs == nil {
		return nil
	}
	d := time.Duration(min(max(*h.TTLMs, 0), int64(maxTTL/time.Millisecond))) * time.Millisecond
	return &d
}

// parseFile finds the entries of a file without reading their listings.
func parseFile(data []byte) ([]entry, error) {
	rest, ok := bytes.CutPrefix(data, []byte(fileHead))
	if !ok {
		return nil, errDamaged
	}
	var out []entry
	for string(rest) != fileTail {
		line, after, ok := bytes.Cut(rest, []byte{'\n'})
		line, marked := bytes.CutSuffix(line, []byte(entryTail))
		if !ok || !marked {
			return nil, errDamaged
		}
		var e entry
		if json.Unmarshal(append(bytes.Clone(line), '}'), &e.header) != nil || e.Bytes < 0 || e.Bytes > len(after) {
			return nil, errDamaged
		}
		e.body, rest = after[:e.Bytes:e.Bytes], after[e.Bytes:]
		out = append(out, e)
		if next, ok := bytes.CutPrefix(rest, []byte("\n},\n")); ok {
			rest = next
		} else if rest, ok = bytes.CutPrefix(rest, []byte("\n}\n")); !ok || string(rest) != fileTail {
			return nil, errDamaged
		}
	}
	return out, nil
}

func appendFile(entries []entry) ([]byte, error) {
	size := len(fileHead) + len(fileTail)
	for _, e := range entries {
		size += len(e.body) + 512
	}
	dst := append(make([]byte, 0, size), fileHead...)
	for i, e := range entries {
		h, err := json.Marshal(e.header)
		if err != nil {
			return nil, err
		}
		dst = append(append(append(dst, h[:len(h)-1]...), entryTail...), '\n')
		dst = append(append(dst, e.body...), "\n}"...)
		if i < len(entries)-1 {
			dst = append(dst, ',')
		}
		dst = append(dst, '\n')
	}
	return append(dst, fileTail...), nil
}

// body is what a listing has beside its tools.
type body struct {
	Era          string                 `json:"era"`
	Instructions string                 `json:"instructions,omitzero"`
	Notes        []string               `json:"notes,omitempty"`
	Quarantined  []Quarantined          `json:"quarantined,omitempty"`
	Resources    []mcp.Resource         `json:"resources,omitempty"`
	Templates    []mcp.ResourceTemplate `json:"resourceTemplates,omitempty"`
	Prompts      []mcp.Prompt           `json:"prompts,omitempty"`
}

// toolHead is what a tool has beside its schemas.
type toolHead struct {
	Name        string               `json:"name"`
	Title       string               `json:"title,omitzero"`
	Description string               `json:"description,omitzero"`
	Annotations *mcp.ToolAnnotations `json:"annotations,omitzero"`
	Hash        string               `json:"hash"`
}

const (
	toolsTail  = `,"tools":[`
	inputTail  = `,"inputSchema":`
	outputHead = `,"outputSchema":`
)

// newEntry encodes a listing. Text of it that is not UTF-8 is replaced.
func newEntry(key string, l Listing) (entry, error) {
	utf8 := jsontext.AllowInvalidUTF8(true)
	b, err := json.Marshal(body{l.Era, l.Instructions, l.Notes, l.Quarantined, l.Resources, l.Templates, l.Prompts}, utf8)
	if err != nil {
		return entry{}, fmt.Errorf("encode the list of a server: %w", err)
	}
	dst := append(append(b[:len(b)-1], toolsTail...), '\n')
	for i, t := range l.Tools {
		h, err := json.Marshal(toolHead{t.Name, t.Title, t.Description, t.Annotations, t.Hash}, utf8)
		if err != nil {
			return entry{}, fmt.Errorf("encode the tool %s: %w", printable(t.Name), err)
		}
		dst = append(append(append(dst, h[:len(h)-1]...), inputTail...), '\n')
		dst = append(append(dst, wire.OneLine(t.InputSchema)...), '\n')
		if t.OutputSchema != nil {
			dst = append(append(dst, outputHead...), '\n')
			dst = append(append(dst, wire.OneLine(t.OutputSchema)...), '\n')
		}
		dst = append(dst, '}')
		if i < len(l.Tools)-1 {
			dst = append(dst, ',')
		}
		dst = append(dst, '\n')
	}
	dst = append(dst, "]}"...)
	e := newBody(dst)
	e.Key, e.Hash, e.Fetched = key, l.Hash, l.Fetched.UnixMilli()
	if l.TTL != nil {
		ms := l.TTL.Milliseconds()
		e.TTLMs = &ms
	}
	return e, nil
}

// newBody returns an entry that has only what says how its body is read.
func newBody(b []byte) entry { return entry{header{Sum: crc32.ChecksumIEEE(b), Bytes: len(b)}, b} }

// listing decodes an entry. The schemas are parts of the entry and not looked at: the checksum vouches for them.
func (e entry) listing(server string) (Listing, error) {
	if crc32.ChecksumIEEE(e.body) != e.Sum {
		return Listing{}, errDamaged
	}
	lines := bytes.Split(e.body, []byte{'\n'})
	first, ok := bytes.CutSuffix(lines[0], []byte(toolsTail))
	var b body
	if !ok || json.Unmarshal(append(bytes.Clone(first), '}'), &b, jsontext.AllowInvalidUTF8(true)) != nil {
		return Listing{}, errDamaged
	}
	for i := range b.Quarantined {
		b.Quarantined[i].Server = server
	}
	l := Listing{
		Server: server, Quarantined: b.Quarantined, Resources: b.Resources, Templates: b.Templates, Prompts: b.Prompts,
		Notes: b.Notes, Instructions: b.Instructions, Era: b.Era, Fetched: e.fetched(), TTL: e.ttl(), Hash: e.Hash,
		Tools: make([]Tool, 0, len(lines)/3),
	}
	for lines = lines[1:]; len(lines) > 1; {
		var t Tool
		if t, lines, ok = toolOf(lines); !ok {
			return Listing{}, errDamaged
		}
		t.Server = server
		l.Tools = append(l.Tools, t)
	}
	return l, nil
}

// toolOf reads the tool that begins with the first line, and returns the lines after it.
func toolOf(lines [][]byte) (t Tool, rest [][]byte, ok bool) {
	if len(lines) < 3 {
		return t, nil, false
	}
	head, ok := bytes.CutSuffix(lines[0], []byte(inputTail))
	if !ok {
		return t, nil, false
	}
	wire.Members(head, func(name []byte, value jsontext.Value) bool {
		switch string(name) {
		case "name":
			t.Name, _ = wire.Text(value)
		case "title":
			t.Title, _ = wire.Text(value)
		case "description":
			t.Description, _ = wire.Text(value)
		case "annotations":
			t.Annotations = readAnnotations(value)
		case "hash":
			t.Hash, _ = wire.Text(value)
		}
		return true
	})
	t.InputSchema, rest = lines[1], lines[2:]
	if string(rest[0]) == outputHead {
		if len(rest) < 3 {
			return t, nil, false
		}
		t.OutputSchema, rest = rest[1], rest[2:]
	}
	return t, rest[1:], len(rest[0]) > 0 && rest[0][0] == '}'
}
