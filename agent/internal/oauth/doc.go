// Package oauth logs in to remote MCP servers and keeps their tokens. It owns the file extension-credentials.json, the
// redirect address http://127.0.0.1:53687/mcp/callback while a login lasts, and every request to an authorization server.
//
// A [Store] is the file. A [Session] is one configured server: it gives the Authorization header of the next request,
// hears of refusals, refreshes, and logs in when somebody is there to do it.
//
// It promises:
//   - a token goes to the server that it was issued for, as a header, and nowhere else;
//   - what is kept belongs to one identity, one server and one issuer; another issuer gets neither token nor client;
//   - requests that are refused at the same time share one refresh or one login, also across processes for a refresh;
//   - what servers say is bounded in size and time, checked before use, and never shown when it may be somebody else's;
//   - a metadata document leads neither to a private address, unless the server itself is there, nor from https to http;
//   - no goroutine, listener or process of a login outlives it.
//
// It knows files only as [Files], which the agent's folder implements, and must not import the packages that read
// configuration, start servers or talk to a terminal.
package oauth
