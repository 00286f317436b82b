// Package mcp owns the vocabulary of the Model Context Protocol in the four revisions this
// module speaks: versions, metadata keys, error codes and the types of messages.
//
// It holds data only: no connection, no state, no behaviour beyond reading its own values.
// It may import internal/wire and nothing else of this module.
package mcp

import "github.com/elyra-go/elyra/internal/wire"

// The protocol revisions, by the date that names them. The newest carries version,
// identity and capabilities in every request (the modern era); the three others open with
// an initialize handshake (the legacy era).
const (
	V2026_07_28 = "2026-07-28"
	V2025_11_25 = "2025-11-25"
	V2025_06_18 = "2025-06-18"
	V2025_03_26 = "2025-03-26"
)

// Versions returns the supported revisions, newest first. The slice is the caller's.
func Versions() []string {
	return []string{V2026_07_28, V2025_11_25, V2025_06_18, V2025_03_26}
}

// Modern reports whether version is a supported revision without an initialize handshake.
func Modern(version string) bool { return version == V2026_07_28 }

// Legacy reports whether version is a supported revision with an initialize handshake.
func Legacy(version string) bool {
	return version == V2025_11_25 || version == V2025_06_18 || version == V2025_03_26
}

// AtLeast reports whether version is revision or a newer one. Revisions are dates, so
// their order is the order of their text.
func AtLeast(version, revision string) bool { return version >= revision }

// Keys of the _meta object.
const (
	MetaProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	MetaClientInfo         = "io.modelcontextprotocol/clientInfo"
	MetaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaServerInfo         = "io.modelcontextprotocol/serverInfo"
	MetaSubscriptionID     = "io.modelcontextprotocol/subscriptionId"
	MetaProgressToken      = "progressToken"
	MetaTraceParent        = "traceparent" // as in W3C Trace Context
	MetaTraceState         = "tracestate"
)

// Error is a JSON-RPC error object.
type Error = wire.Error

// Error codes the protocol adds to those of JSON-RPC.
const (
	CodeHeaderMismatch         = -32020 // HTTP only
	CodeMissingCapability      = -32021 // the client did not declare what the request needs
	CodeUnsupportedVersion     = -32022
	CodeLegacyResourceNotFound = -32002 // only for revisions before 2026-07-28
)

// Codes of this module's own, outside the range JSON-RPC reserves.
const (
	CodeBusy        = 429 // a limit of the connection is reached; the request can be repeated later
	CodeUnavailable = 503 // the server is going away
)

// Methods and notifications.
const (
	MethodInitialize   = "initialize"
	MethodPing         = "ping"
	MethodDiscover     = "server/discover"
	MethodListTools    = "tools/list"
	MethodCallTool     = "tools/call"
	MethodListen       = "subscriptions/listen"
	MethodElicit       = "elicitation/create"
	NotifyInitialized  = "notifications/initialized"
	NotifyCancelled    = "notifications/cancelled"
	NotifyProgress     = "notifications/progress"
	NotifyToolsChanged = "notifications/tools/list_changed"
	NotifyAcknowledged = "notifications/subscriptions/acknowledged"
)

// Values of the resultType that every modern result has.
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
)

// CacheScopePrivate says that a result may be reused for the same user only.
const CacheScopePrivate = "private"

// Actions of an [ElicitResult] and modes of [ElicitParams].
const (
	ElicitAccept   = "accept"
	ElicitDecline  = "decline"
	ElicitCancel   = "cancel"
	ElicitModeForm = "form"
	ElicitModeURL  = "url"
)

// Types of [Content].
const (
	ContentText     = "text"
	ContentImage    = "image"
	ContentAudio    = "audio"
	ContentLink     = "resource_link" // since 2025-06-18
	ContentEmbedded = "resource"
)
