// Package modeltest is a model for tests: a server on the loopback interface that speaks Anthropic's Messages, OpenAI's
// Responses and Chat Completions, by a script.
//
// A script is a txtar archive. Its files are the exchanges of a session in their order: a "reply" or a "response", each of
// which may follow a "request" that says what has to be asked.
//
//	-- request --
//	x-api-key: secret
//
//	{"model": "m", "messages": ["...", {"role": "user"}]}
//	-- reply --
//	thinking Let me see.
//	text "Hello,\nworld"
//	call c1 bash {"command": "ls"}
//	usage input=100 output=20 read=3000
//	-- response --
//	status: 429
//	retry-after: 2
//
//	{"error": {"type": "rate_limit_error", "message": "slow down"}}
//
// A request holds headers that must be there and, after a blank line, a part of the body: objects may have further members,
// arrays may have further elements where the pattern has "...", "*" is any value, and a text that begins with ~ is a
// regular expression. "prefix: new" among the headers allows another system prompt and other tools from here on.
//
// A reply says in one language for all three APIs what is streamed: text, thinking, call ID NAME ARGUMENTS, usage, stop REASON
// (end, calls, length, refusal), which otherwise follows from the rest. A response is what goes over the wire: status and
// headers, then the body. With status 200 and no content type of its own it is a stream, in which a line that is a JSON
// object becomes an event. In both, "#delay 20ms" waits, "#cut" breaks the connection and "#hang" waits until the client
// leaves.
//
// The server also holds that system prompt and tools, but for those that Anthropic defers, are the same bytes in all requests
// of a script, unless its comment says "prefix: free". With "order: any" each request takes the first exchange left that it fits.
//
// The package must not import the adapters, which are tested with it.
package modeltest
