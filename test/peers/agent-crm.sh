#!/usr/bin/env bash
# The agent's program in a project that names the example app: it finds a tool without starting anything, and calls tools
# first without and then with a running app. What the app asks is asked in the terminal.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/report.sh
. test/peers/app.sh
. scripts/need.sh

need script bsdutils # a terminal for the questions of the app

work=$(mktemp -d)
finish() {
	stop_app
	rm -rf "$work"
}
trap finish EXIT

bare=(env -i PATH="$PATH" HOME="$work/home" SHELL=/bin/sh)
project=$work/project
log=$work/home/.elyra/agent/logs/mcp-crm.log # what the app's shim says
mkdir -p "$work/home" "$work/bin" "$project/.git"
cp "$PEERS_BIN/crm" "$work/bin/crm"
echo "{\"mcpServers\": {\"crm\": {\"command\": \"$work/bin/crm\", \"args\": [\"--mcp\"]}}}" >"$project/.mcp.json"

way=headless passed=0 label=
fail() {
	report "agent with the example app" "app $way" "$passed" 1 "$label"
	printf 'peers: %s, app %s: %s\n--- output\n%s\n--- errors\n%s\n' "$label" "$way" "$1" "$(cat "$work/out")" "$(cat "$work/err")" >&2
	exit 1
}

# agent STATUS ARGUMENTS…: one run of the agent without a terminal.
agent() {
	local want=$1 got=0
	shift
	(cd "$project" && exec "${bare[@]}" setsid --wait timeout --kill-after=5 60 "$PEERS_BIN/elyra" "$@") >"$work/out" 2>"$work/err" </dev/null || got=$?
	[[ $got == "$want" ]] || fail "exit status $got, want $want"
	passed=$((passed + 1))
}

# typing TEXT STATUS ARGUMENTS…: one run of the agent at a terminal, where somebody types that text.
typing() {
	local text=$1 want=$2 got=0 command
	shift 2
	printf -v command '%q ' "$PEERS_BIN/elyra" "$@"
	: >"$work/err"
	(cd "$project" && sleep 0.2 && printf '%s\n' "$text" | exec "${bare[@]}" timeout --kill-after=5 60 script -qec "$command" /dev/null) >"$work/out" || got=$?
	[[ $got == "$want" ]] || fail "exit status $got, want $want"
	passed=$((passed + 1))
}

# says FILE TEXT: the last run printed that.
says() {
	grep -qF -- "$2" "$work/$1" || fail "it does not say: $2"
	passed=$((passed + 1))
}

# holds EXPRESSION: a JavaScript expression over `r`, the JSON that the agent printed.
holds() {
	node -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		if (!eval(process.argv[2])) process.exit(1);
	' "$work/out" "$1" 2>>"$work/err" || fail "this does not hold: $1"
	passed=$((passed + 1))
}

# by WAY: since the last time, the shim has said that it serves by itself, or not.
by() {
	local alone=0
	[[ ! -e $log ]] || alone=$(grep -c "the app is not open" "$log" || true)
	rm -f "$log"
	if [[ $1 == headless ]]; then
		((alone > 0)) || fail "the running app was used"
	else
		((alone == 0)) || fail "the running app was not used"
	fi
	passed=$((passed + 1))
}

label="a project that nobody trusts"
agent 1 mcp search add a customer
says err "not trusted"
[[ ! -e $work/home/.elyra/agent/logs ]] || fail "something was started"
label="trust"
typing y 0 trust
says out "$work/bin/crm --mcp"

session() {
	local mail="ada-$way@example.com" id

	label="a search with a warm cache starts nothing"
	agent 0 mcp refresh
	by "$way"
	mv "$work/bin/crm" "$work/bin/away"
	agent 0 mcp search --json add a customer
	holds 'r.tools[0].tool == "customers_store" && r.tools[0].inputSchema.type == "object" && Object.keys(r.missing).length == 0'
	[[ ! -e $log ]] || fail "the app was started"
	mv "$work/bin/away" "$work/bin/crm"

	label="a call"
	agent 0 mcp call --json crm customers_store "{\"input\":{\"name\":\"Ada Lovelace\",\"email\":\"$mail\"}}"
	holds 'r.structuredContent.id > 0'
	id=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).structuredContent.id' "$work/out")
	by "$way"
	agent 1 mcp call crm customers_store '{"input":{"name":"Ada","email":"no address"}}'
	says err "input.email"
	agent 0 mcp read crm "app://customers_show/$id"
	says out "$mail"

	label="a question without a terminal is declined"
	agent 1 mcp call crm customers_destroy "{\"id\":$id}"
	says err "there is no terminal"
	label="a question that is answered with no"
	typing n 1 mcp call crm customers_destroy "{\"id\":$id}"
	says out "crm: "
	agent 0 mcp call --json crm customers_show "{\"id\":$id}"
	label="a question that is answered with yes"
	typing y 0 mcp call crm customers_destroy "{\"id\":$id}"
	says out "crm: "
	agent 1 mcp call --json crm customers_show "{\"id\":$id}"
	by "$way"
	report "agent with the example app" "app $way" "$passed" 0
	passed=0
}

session
way=running
start_app "${bare[@]}"
session
