package mcp

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Messages to the client's log, which 2026-07-28 deprecates. A legacy client sets a level for its
// session with [MethodSetLevel], a modern one for a request with [MetaLogLevel].
const (
	MethodSetLevel = "logging/setLevel"
	NotifyMessage  = "notifications/message"
	MetaLogLevel   = "io.modelcontextprotocol/logLevel"
)

// Levels of a message to the client's log, from the least severe.
const (
	LogDebug     = "debug"
	LogInfo      = "info"
	LogNotice    = "notice"
	LogWarning   = "warning"
	LogError     = "error"
	LogCritical  = "critical"
	LogAlert     = "alert"
	LogEmergency = "emergency"
)

// Severity returns a number that is higher the more severe a level is, from 1, or 0 for what is no level.
func Severity(level string) int {
	return slices.Index([]string{LogDebug, LogInfo, LogNotice, LogWarning, LogError, LogCritical, LogAlert, LogEmergency}, level) + 1
}

// LogMessage is the parameters of a [NotifyMessage].
type LogMessage struct {
	Level  string         `json:"level"`
	Logger string         `json:"logger,omitzero"` // names the part that reports
	Data   jsontext.Value `json:"data"`            // any JSON
}
