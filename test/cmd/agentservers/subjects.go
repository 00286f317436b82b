package main

// How a server is reached.
const (
	stdio = "stdio"
	sse   = "sse"
	http  = "http"
)

// subject is what is known about one server over one transport.
type subject struct {
	transport string
	path      string   // of its address
	args      []string // after the command; HOME stands for the trial's home
	env       []string // NAME=VALUE
	files     map[string]string
	words     string // a search that finds a tool
	finds     string // its name, "" for that of the first call
	calls     []call
	asks      *call // asks the user for something
	long      *call // takes long
	note      string
}

// call is a call of a tool and what has to come of it.
type call struct {
	tool, arguments string
	fails           bool // the tool cannot do its work here, and says so
	says            string
	harmless        bool // the tool says that it only reads, so that the agent may repeat a call that was lost
}

func subjects() map[string][]subject {
	return map[string][]subject{
		"server-everything": {everything(stdio, "", "stdio"), everything(sse, "/sse", "sse"), everything(http, "/mcp", "streamableHttp")},
		"server-filesystem": {{
			transport: stdio, args: []string{"HOME"}, words: "read the text of a file", finds: "read_text_file",
			calls: []call{
				{tool: "write_file", arguments: `{"path":"HOME/note.txt","content":"written by the agent"}`, says: "note.txt", harmless: true},
				{tool: "read_text_file", arguments: `{"path":"HOME/note.txt"}`, says: "written by the agent", harmless: true},
				{tool: "read_text_file", arguments: `{"path":"/etc/passwd"}`, says: "outside allowed directories", fails: true},
			},
		}},
		"server-memory": {{
			transport: stdio, env: []string{"MEMORY_FILE_PATH=HOME/memory.jsonl"}, words: "create entities in the graph",
			calls: []call{
				{tool: "create_entities", arguments: `{"entities":[{"name":"Ada","entityType":"person","observations":["programs"]}]}`, says: "Ada"},
				{tool: "read_graph", arguments: `{}`, says: "programs", harmless: true},
			},
		}},
		"context7": {{
			transport: stdio, words: "resolve the id of a library",
			calls: []call{{tool: "resolve-library-id", arguments: `{"libraryName":"react","query":"hooks"}`, says: "fetch failed", harmless: true}},
			note:  "its tools need the network: the call answers that it failed",
		}},
		"kubernetes-mcp-server": {{
			transport: stdio, env: []string{"KUBECONFIG=HOME/kubeconfig"}, words: "view the current configuration",
			files: map[string]string{"kubeconfig": `{"apiVersion":"v1","kind":"Config","current-context":"here",` +
				`"clusters":[{"name":"nowhere","cluster":{"server":"http://127.0.0.1:1"}}],` +
				`"contexts":[{"name":"here","context":{"cluster":"nowhere","user":"nobody"}}],"users":[{"name":"nobody","user":{}}]}`},
			calls: []call{
				{tool: "configuration_view", arguments: `{}`, says: "nowhere", harmless: true},
				{tool: "namespaces_list", arguments: `{}`, says: "connection refused", fails: true},
			},
			note: "without a cluster: what needs one answers that it failed",
		}},
		"mongodb-mcp-server": {{
			transport: stdio, env: []string{"DO_NOT_TRACK=1"}, words: "list the active connections",
			calls: []call{
				{tool: "list-connections", arguments: `{}`, says: "no active connections", harmless: true},
				{tool: "list-databases", arguments: `{}`, says: "connect", fails: true},
			},
			note: "without a database: what needs one answers that it failed",
		}},
		"playwright-mcp": {{
			transport: stdio, args: []string{"--headless"}, words: "navigate to a URL",
			calls: []call{{tool: "browser_navigate", arguments: `{"url":"about:blank"}`, says: "not found", fails: true}},
			note:  "without a browser: each call answers that there is none",
		}},
	}
}

// everything is the reference server that does all that the protocol has, for clients to be tried on.
func everything(transport, path, argument string) subject {
	return subject{
		transport: transport, path: path, args: []string{argument}, words: "echo a message",
		calls: []call{
			{tool: "echo", arguments: `{"message":"Grüße"}`, says: "Grüße", harmless: true},
			{tool: "get-sum", arguments: `{"a":2,"b":3}`, says: "5", harmless: true},
			{tool: "get-sum", arguments: `{"a":"two","b":3}`, says: "expected number", fails: true},
		},
		asks: &call{tool: "trigger-elicitation-request", arguments: `{}`},
		long: &call{tool: "trigger-long-running-operation", arguments: `{"duration":60,"steps":60}`},
	}
}
