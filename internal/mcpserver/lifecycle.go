package mcpserver

import (
	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// initialize opens or reopens the legacy session of the connection. Some clients send it
// after a probe with server/discover, some more than once; the last one counts.
func (c *conn) initialize(r *request) *wire.Error {
	version, err := r.params.text("protocolVersion")
	if err != nil {
		return err
	}
	if version == "" {
		return wire.Errorf(wire.CodeInvalidParams, "initialize needs params.protocolVersion, a string")
	}
	if !mcp.Legacy(version) {
		version = mcp.V2025_11_25 // the newest revision that has a handshake
	}
	session := &Peer{Connection: c.name, Version: version}
	if err := r.params.into("capabilities", &session.Capabilities); err != nil {
		return err
	}
	if err := r.params.into("clientInfo", &session.Client); err != nil {
		return err
	}
	info := c.s.o.Info
	if !mcp.AtLeast(version, mcp.V2025_06_18) {
		info.Title = ""
	}
	result, failed := json.Marshal(mcp.InitializeResult{
		ProtocolVersion: version, Capabilities: c.s.capabilities(), ServerInfo: info, Instructions: c.s.o.Instructions,
	})
	if failed != nil {
		return wire.Errorf(wire.CodeInternal, "the server cannot describe itself")
	}
	c.mu.Lock()
	c.session, c.ready, c.logs.level = session, false, 0
	watching := c.forgetLegacy() // they were the last session's
	c.mu.Unlock()
	c.leave(watching...)
	c.reply(r.batch, wire.AppendResult(nil, r.id, result))
	return nil
}

// ping shows that the connection is alive. The modern era has no ping.
func (c *conn) ping(r *request) *wire.Error { return c.complete(r, nil) }

// discover describes the server to a modern client.
func (c *conn) discover(r *request) *wire.Error { return c.complete(r, c.s.discovery) }

// capabilities declares what is served.
func (s *Server) capabilities() mcp.ServerCapabilities {
	declared := mcp.ServerCapabilities{Tools: &mcp.ListCapability{ListChanged: true}}
	if s.o.Resources != nil {
		declared.Resources = &mcp.ResourceCapability{ListChanged: true, Subscribe: true}
	}
	if s.o.Prompts != nil {
		declared.Prompts = &mcp.ListCapability{ListChanged: true}
	}
	if s.o.Completer != nil {
		declared.Completions = &struct{}{}
	}
	if s.o.Logging {
		declared.Logging = &struct{}{}
	}
	return declared
}
