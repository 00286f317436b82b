package mcpclient

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// unmarshal reads JSON of a server. Names that occur twice are let pass: the last one counts, as in most other programs,
// and a sloppy server should not become an unusable one.
func unmarshal(v []byte, dst any) error {
	return json.Unmarshal(v, dst, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// responseID returns the id of a line that seems to be a response, although it could not be parsed, perhaps because it was
// too long and was cut. Nil: it does not look like one.
func responseID(line []byte) jsontext.Value {
	d := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil
	}
	var id jsontext.Value
	marked := false // A line of a log may have an id too, so something of JSON-RPC has to be there.
	for {
		name, err := d.ReadToken()
		if err != nil || name.Kind() != '"' {
			break
		}
		switch name.String() {
		case "method":
			return nil
		case "jsonrpc", "result", "error":
			marked = true
		case "id":
			if v, err := d.ReadValue(); err == nil && wire.ValidID(v) {
				id = v.Clone()
				continue
			}
			return nil
		}
		if d.SkipValue() != nil {
			break
		}
	}
	if !marked {
		return nil
	}
	return id
}

// decodeProgress reads the parameters of a progress notification.
func decodeProgress(params jsontext.Value) (mcp.Progress, error) {
	var p mcp.Progress
	if err := unmarshal(params, &p); err != nil {
		return p, err
	}
	if !wire.ValidID(p.Token) {
		return p, errors.New("the progress token is neither a string nor an integer")
	}
	return p, nil
}

// opening is what a server says about itself when a connection starts, in either era.
type opening struct {
	versions     []string // all it supports (modern), or the one that it chose (legacy)
	server       mcp.Implementation
	instructions string
	capabilities mcp.ServerCapabilities
	legacy       bool // It is the result of initialize.
}

// decodeOpening reads the result of server/discover or of initialize. Only the versions are required. The rest is for
// display, and what has the wrong shape is treated as absent.
func decodeOpening(result jsontext.Value) (opening, error) {
	var raw struct {
		Versions     jsontext.Value `json:"supportedVersions"`
		Version      jsontext.Value `json:"protocolVersion"`
		Capabilities jsontext.Value `json:"capabilities"`
		ServerInfo   jsontext.Value `json:"serverInfo"`
		Instructions jsontext.Value `json:"instructions"`
		Meta         jsontext.Value `json:"_meta"`
	}
	var o opening
	if err := unmarshal(result, &raw); err != nil {
		return o, err
	}
	var one string
	switch {
	case raw.Versions != nil:
		if err := unmarshal(raw.Versions, &o.versions); err != nil {
			return o, fmt.Errorf("supportedVersions: %w", err)
		}
	case raw.Version != nil:
		if err := unmarshal(raw.Version, &one); err != nil {
			return o, fmt.Errorf("protocolVersion: %w", err)
		}
		o.versions, o.legacy = []string{one}, true
	}
	if len(o.versions) == 0 {
		return o, errors.New("it names no protocol version")
	}
	var meta map[string]jsontext.Value
	if raw.Meta != nil && unmarshal(raw.Meta, &meta) == nil && meta[mcp.MetaServerInfo] != nil {
		raw.ServerInfo = meta[mcp.MetaServerInfo]
	}
	if raw.ServerInfo != nil && unmarshal(raw.ServerInfo, &o.server) != nil {
		o.server = mcp.Implementation{}
	}
	o.instructions, _ = wire.Text(raw.Instructions)
	o.capabilities = decodeCapabilities(raw.Capabilities)
	return o, nil
}

// decodeCapabilities reads each capability by itself, so that one of the wrong shape is absent and the others count. A
// capability is declared when it is an object.
func decodeCapabilities(raw jsontext.Value) mcp.ServerCapabilities {
	var members map[string]jsontext.Value
	var c mcp.ServerCapabilities
	if raw == nil || unmarshal(raw, &members) != nil {
		return c
	}
	read := func(name string, dst any) {
		if members[name].Kind() == '{' {
			unmarshal(members[name], dst) //nolint:errcheck // What cannot be read of it is absent.
		}
	}
	read("tools", &c.Tools)
	read("prompts", &c.Prompts)
	read("resources", &c.Resources)
	read("completions", &c.Completions)
	read("logging", &c.Logging)
	return c
}

// supportedVersions returns the versions that an error about an unsupported one offers, nil when it offers none.
func supportedVersions(e *wire.Error) []string {
	data, ok := e.Data.(jsontext.Value)
	if !ok {
		return nil
	}
	var u mcp.UnsupportedVersion
	if unmarshal(data, &u) != nil {
		return nil
	}
	return u.Supported
}

// resultType returns what kind of result a modern server has sent. An absent type means a complete one.
func resultType(result jsontext.Value) (string, error) {
	var r struct {
		Type *string `json:"resultType"`
	}
	if err := unmarshal(result, &r); err != nil {
		return "", fmt.Errorf("the result is no object with a resultType: %w", err)
	}
	if r.Type == nil {
		return mcp.ResultComplete, nil
	}
	return *r.Type, nil
}
