package mcpserver

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Messages to the client's log are limited like reports of progress, for each connection.
const (
	logBurst     = 50
	logPerSecond = 50
)

// logs is what a connection knows about messages to its client's log, guarded by conn.mu.
type logs struct {
	level  int // the severity from which on a legacy client wants them; 0: it wants none
	bucket bucket
}

// Log sends a message to the client's log: its level is one of mcp's Log constants, logger names
// the part that reports and may be "", data is anything with a JSON form. It never blocks.
//
// The message is dropped when the client did not ask for messages of that level, which a modern
// client does in the request and a legacy one for its session; when the server was not made with
// Options.Logging, when messages come too fast, when the client does not read, and after the
// request was answered. Data goes to another program and, from there, maybe to a model: it must
// hold no secret.
func (x *Exchange) Log(level, logger string, data any) {
	f, severity := x.f, mcp.Severity(level)
	if f == nil || severity == 0 || !f.c.s.o.Logging {
		return
	}
	c := f.c
	c.mu.Lock()
	defer c.mu.Unlock()
	wanted := f.r.level
	if !f.r.peer.Modern() {
		wanted = c.logs.level
	}
	if wanted == 0 || severity < wanted || f.cancelled || f.answering || c.closing ||
		!c.logs.bucket.allow(time.Now(), logBurst, logPerSecond) {
		return
	}
	encoded, err := json.Marshal(data, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err == nil {
		encoded, err = json.Marshal(mcp.LogMessage{Level: level, Logger: logger, Data: encoded}, jsontext.AllowInvalidUTF8(true))
	}
	if err == nil {
		err = c.out.Send(wire.AppendRequest(nil, nil, mcp.NotifyMessage, wire.OneLine(encoded)))
	}
	if err != nil {
		c.log.Debug("dropped a message to the client's log", "reason", err)
	}
}

// setLevel answers logging/setLevel.
func (c *conn) setLevel(r *request) *wire.Error {
	severity, err := severityOf(r.params.get("level"))
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.logs.level = severity
	c.mu.Unlock()
	return c.complete(r, nil)
}

// severityOf reads a level that a client sent.
func severityOf(v jsontext.Value) (int, *wire.Error) {
	level, _ := wire.Text(v)
	if severity := mcp.Severity(level); severity > 0 {
		return severity, nil
	}
	return 0, wire.Errorf(wire.CodeInvalidParams, "the log level must be one of debug, info, notice, warning, error, critical, alert and emergency")
}
