// Package mcpclient speaks MCP to one server over a byte stream: a child process, an in-memory pipe or a socket. It owns
// the choice of the protocol era, the requests in flight with their timeouts, cancellation and progress, and the answers to
// a server's questions.
//
// It promises that a server cannot hang or crash its caller: whatever bytes arrive, each request ends with a result, an
// error or its timeout, a line that is no message is skipped and counted, and closing a client leaves neither a goroutine
// nor a process behind. Everything a server says about itself or its tools is untrusted text that is handed on as it came.
//
// The two eras differ in who remembers. A modern server (2026-07-28) is told version, identity and capabilities with each
// request; a legacy server (2025-11-25 and older) learns them once, from initialize. Connect finds out which one it talks to.
//
// A Client is one connection. It does not restart a dead server: Done reports the end, and the owner decides whether to
// Connect again with the same Transport. Subscriptions do not survive that and are opened anew.
//
// Over HTTP, which package streamable brings as a Transport, each request may fail alone: its error wraps ErrNotSent, ErrLost
// or ErrNotMCP, and the connection goes on. A Cache, when one is given, keeps what a modern server allows to be kept.
//
// The package must not import net/http, mcpserver or anything that knows about apps.
package mcpclient
