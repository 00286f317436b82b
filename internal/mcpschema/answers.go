package mcpschema

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// response judges an answer by the request that it belongs to.
func (c *Checker) response(m wire.Message, line []byte, revision string, fromServer bool) error {
	side := server
	if fromServer {
		side = client
	}
	if m.ID == nil { // an error about a line whose id could not be read
		return c.failure(m, line, c.or(revision))
	}
	r := c.asked[side].take(string(m.ID), m.Error != nil)
	if r == nil {
		return fmt.Errorf("an answer to %s, which is no request in flight", m.ID)
	}
	if revision == "" {
		revision = r.version
	}
	if m.Error != nil {
		if r.method == mcp.MethodInitialize {
			c.session = r.before
		}
		return c.failure(m, line, revision)
	}
	if r.method == mcp.MethodInitialize && fromServer {
		var result mcp.InitializeResult
		if err := json.Unmarshal(m.Result, &result); err != nil {
			return err
		}
		c.session = max(result.ProtocolVersion, mcp.V2025_03_26) // which changed nothing in this result
		revision = c.session
	}
	rev, err := find(revision)
	if err != nil {
		return err
	}
	envelope := "JSONRPCResultResponse"
	if rev.definitions[envelope] == nil {
		envelope = "JSONRPCResponse"
	}
	return errors.Join(rev.validate(envelope, line), c.result(r, rev, m.Result, fromServer))
}

// failure judges an error answer. Codes that a revision gives data of their own have definitions.
func (c *Checker) failure(m wire.Message, line []byte, version string) error {
	rev, err := find(version)
	if err != nil {
		return err
	}
	if rev.definitions["JSONRPCErrorResponse"] == nil {
		if m.ID == nil {
			return nil // there is no form yet for an error about an unreadable id
		}
		return rev.validate("JSONRPCError", line)
	}
	definition := "JSONRPCErrorResponse"
	if mcp.Modern(version) {
		if err := modernCode(m.Error.Code); err != nil {
			return err
		}
		switch m.Error.Code {
		case mcp.CodeUnsupportedVersion:
			definition = "UnsupportedProtocolVersionError"
		case mcp.CodeMissingCapability:
			definition = "MissingRequiredClientCapabilityError"
		}
	}
	return rev.validate(definition, line)
}

// modernCode refuses the codes that the newest revision reserves and gives no meaning.
func modernCode(code int) error {
	switch {
	case code == mcp.CodeHeaderMismatch, code == mcp.CodeMissingCapability, code == mcp.CodeUnsupportedVersion:
		return nil
	case code == wire.CodeParse, code <= wire.CodeInvalidRequest && code >= wire.CodeInternal:
		return nil
	case code >= -32768 && code <= -32000:
		return fmt.Errorf("an error with the reserved code %d", code)
	}
	return nil
}

// result judges a result by the method that it answers.
func (c *Checker) result(r *request, rev *revision, result jsontext.Value, fromServer bool) error {
	request := rev.sent(!fromServer).requests[r.method]
	if request == "" {
		return fmt.Errorf("a result of %q, which %s does not have", r.method, rev.name)
	}
	if mcp.Modern(rev.name) {
		var head struct {
			Type string `json:"resultType"`
		}
		if err := json.Unmarshal(result, &head, jsontext.AllowDuplicateNames(true)); err != nil {
			return err
		}
		if head.Type == mcp.ResultInputRequired {
			return inputRequired(r, rev, result)
		}
	}
	if err := rev.validate(rev.resultOf(request), result); err != nil {
		return err
	}
	switch r.method {
	case mcp.MethodListTools:
		return c.listed(rev.name, result)
	case mcp.MethodCallTool:
		return c.called(rev.name, r.tool, result)
	}
	return nil
}

// inputRequired judges an interim result.
func inputRequired(r *request, rev *revision, result jsontext.Value) error {
	switch r.method {
	case mcp.MethodCallTool, "prompts/get", "resources/read":
	default:
		return fmt.Errorf("an interim result of %q, which cannot have one", r.method)
	}
	if err := rev.validate("InputRequiredResult", result); err != nil {
		return err
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(result, &members); err != nil {
		return err
	}
	switch {
	case members["inputRequests"] == nil && members["requestState"] == nil:
		return errors.New("an interim result with neither requests nor a state")
	case members["ttlMs"] != nil || members["cacheScope"] != nil:
		return errors.New("an interim result with caching hints")
	}
	return nil
}
