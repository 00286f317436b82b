package mcpserver

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// maxParams bounds the members of a params object. No method has more than a handful, and
// looking for duplicates compares each with each.
const maxParams = 64

// request is one request from the client.
type request struct {
	id     jsontext.Value
	method string
	params params
	peer   Peer
	token  jsontext.Value // progress token, nil without one
	level  int            // severity from which on a modern client wants messages to its log; 0: none
	trace  trace
	batch  *batch // where the answer belongs; nil: a line of its own

	store [6]member // holds the usual params without another allocation
}

// member is one member of an object.
type member struct {
	name  []byte
	value jsontext.Value
}

// params are the parameters of a request, undecoded: each method decodes what it needs.
type params []member

// get returns the value of a parameter. One that is absent or null is nil.
func (p params) get(name string) jsontext.Value {
	for _, m := range p {
		if string(m.name) == name && string(m.value) != "null" {
			return m.value
		}
	}
	return nil
}

// object returns a parameter that must be an object if it is there.
func (p params) object(name string) (jsontext.Value, *wire.Error) {
	v := p.get(name)
	if v != nil && v[0] != '{' {
		return nil, wire.Errorf(wire.CodeInvalidParams, "%s must be an object", name)
	}
	return v, nil
}

// into decodes a parameter that must be an object if it is there.
func (p params) into(name string, dst any) *wire.Error {
	v, err := p.object(name)
	if err == nil && v != nil && decode(v, dst) != nil {
		err = wire.Errorf(wire.CodeInvalidParams, "params.%s is malformed", name)
	}
	return err
}

// text returns a parameter that must be a string if it is there.
func (p params) text(name string) (string, *wire.Error) {
	v := p.get(name)
	if v == nil {
		return "", nil
	}
	s, ok := wire.Text(v)
	if !ok {
		return "", wire.Errorf(wire.CodeInvalidParams, "%s must be a string", name)
	}
	return s, nil
}

// parseParams splits the params of r.
func (r *request) parseParams(v jsontext.Value) *wire.Error {
	if v == nil {
		return nil
	}
	if v[0] != '{' {
		return wire.Errorf(wire.CodeInvalidParams, "params must be an object")
	}
	r.params = r.store[:0]
	var err *wire.Error
	wire.Members(v, func(name []byte, value jsontext.Value) bool {
		if len(r.params) == maxParams {
			err = wire.Errorf(wire.CodeInvalidParams, "params have more than %d members", maxParams)
			return false
		}
		for _, m := range r.params {
			if bytes.Equal(m.name, name) {
				err = wire.Errorf(wire.CodeInvalidParams, "params have two members named %q", clip(string(name)))
				return false
			}
		}
		r.params = append(r.params, member{name, value})
		return true
	})
	return err
}

// meta is the part of _meta that the protocol defines.
type meta struct {
	version, info, caps, token, level jsontext.Value
	trace                             trace
}

// modern reports whether the request carries metadata of its own. Any of the three fields
// counts, so that a request that forgot the others is told so instead of being taken for
// a legacy one.
func (m meta) modern() bool { return m.version != nil || m.info != nil || m.caps != nil }

// readMeta finds the protocol's fields in a _meta object.
func readMeta(v jsontext.Value) (meta, *wire.Error) {
	var m meta
	wire.Members(v, func(name []byte, value jsontext.Value) bool {
		if string(value) == "null" {
			return true
		}
		switch string(name) {
		case mcp.MetaProtocolVersion:
			m.version = value
		case mcp.MetaClientInfo:
			m.info = value
		case mcp.MetaClientCapabilities:
			m.caps = value
		case mcp.MetaProgressToken:
			m.token = value
		case mcp.MetaLogLevel:
			m.level = value
		case mcp.MetaTraceParent:
			m.trace.parent = value
		case mcp.MetaTraceState:
			m.trace.state = value
		}
		return true
	})
	if m.token != nil && !wire.ValidID(m.token) {
		return m, wire.Errorf(wire.CodeInvalidParams, "progressToken must be a string or an integer")
	}
	return m, nil
}

// peers turns the metadata of modern requests into a Peer. Clients repeat themselves in
// every request, so the last decoded values are kept with the bytes they came from: equal
// bytes have equal meaning, which is no state that a request could depend on.
// Only the goroutine that reads the connection uses it.
type peers struct {
	rawInfo, rawCaps jsontext.Value
	info             mcp.Implementation
	caps             mcp.ClientCapabilities
}

// modern checks the metadata of a modern request.
func (p *peers) modern(connection string, m meta) (Peer, *wire.Error) {
	version, ok := wire.Text(m.version)
	if !ok {
		return Peer{}, wire.Errorf(wire.CodeInvalidParams, "params._meta must have %s, a string", mcp.MetaProtocolVersion)
	}
	if !mcp.Modern(version) {
		return Peer{}, unsupported(version)
	}
	if m.caps.Kind() != '{' {
		return Peer{}, wire.Errorf(wire.CodeInvalidParams, "params._meta must have %s, an object", mcp.MetaClientCapabilities)
	}
	if !bytes.Equal(p.rawCaps, m.caps) {
		p.caps, p.rawCaps = mcp.ClientCapabilities{}, nil
		if err := decode(m.caps, &p.caps); err != nil {
			return Peer{}, wire.Errorf(wire.CodeInvalidParams, "params._meta: %s is malformed", mcp.MetaClientCapabilities)
		}
		p.rawCaps = kept(m.caps)
	}
	if !bytes.Equal(p.rawInfo, m.info) {
		p.info, p.rawInfo = mcp.Implementation{}, nil
		if err := decode(m.info, &p.info); m.info != nil && err != nil {
			return Peer{}, wire.Errorf(wire.CodeInvalidParams, "params._meta: %s is malformed", mcp.MetaClientInfo)
		}
		p.rawInfo = kept(m.info)
	}
	return Peer{Connection: connection, Version: version, Client: p.info, Capabilities: p.caps}, nil
}

// kept returns a copy to recognize v by, or nil when v is too long to be worth it.
func kept(v jsontext.Value) jsontext.Value {
	const most = 4 << 10
	if len(v) > most {
		return nil
	}
	return v.Clone()
}

// unsupported is the answer to a modern request of a version that has no modern form here.
func unsupported(version string) *wire.Error {
	err := wire.Errorf(mcp.CodeUnsupportedVersion, "Unsupported protocol version")
	if mcp.Legacy(version) {
		err.Message = "Unsupported protocol version in _meta: " + version + " opens with initialize"
	}
	err.Data = mcp.UnsupportedVersion{Supported: mcp.Versions(), Requested: clip(version)}
	return err
}

// errNotOpened is the answer to a request that says nothing about its era on a connection
// that was not initialized.
func errNotOpened() *wire.Error {
	return wire.Errorf(wire.CodeInvalidParams,
		"the request names no protocol version: either send %s and %s in params._meta of every request, or open the connection with initialize",
		mcp.MetaProtocolVersion, mcp.MetaClientCapabilities)
}

// decode unmarshals what a client sent about itself. Names are taken as leniently as JSON
// allows, since nothing there is worth refusing a client for.
func decode(v jsontext.Value, dst any) error {
	return json.Unmarshal(v, dst, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// clip shortens text of a client for use in a message or in the log.
func clip(s string) string {
	const most = 64
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
