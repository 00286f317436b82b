// Package streamable carries MCP over HTTP as an mcpclient.Transport: each line that is written becomes one POST, and each
// message that the server sends, as JSON or as an event of a stream, becomes a line for the reader.
//
// It owns what belongs to HTTP: the headers that mirror a message, the tools' parameters that go into headers, sessions,
// streams and their resumption, authorization, redirects and limits. A request with modern metadata (2026-07-28) is sent as
// that revision wants it; initialize opens a session of the older revisions (2025-03-26 to 2025-11-25), and where even that
// is refused with 400, 404 or 405, the two endpoints of HTTP+SSE (2024-11-05) are tried. Which of them it is, the messages
// decide; the package remembers no era between connections.
//
// It promises that each request is answered, if not by the server then by an error that says what happened; that such an
// error wraps mcpclient.ErrNotSent only when the server certainly did not work on the request, and mcpclient.ErrLost when
// that is unknown; that credentials and configured headers go to the origin of the configured URL and nowhere else; and that
// Close leaves no goroutine and no connection behind.
//
// It is the only part of the client that links net/http. It must not import mcpserver or anything that knows about apps.
package streamable
