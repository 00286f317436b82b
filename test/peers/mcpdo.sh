#!/usr/bin/env bash
# mcpdo, the other command of the Inspector's package, works in the example app, first without and then with a running
# one: its daemon keeps a connection in each era. Unlike the Inspector it can be asked, so it accepts and declines
# confirmations, and it watches a resource while another `crm --mcp` writes.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/report.sh
. test/peers/app.sh

mcpdo=$PWD/.cache/peers/inspector-$INSPECTOR/node_modules/.bin/mcpdo
work=$(mktemp -d)
watching=
# The daemon and the processes that it started end whatever happens.
bare=(env -i PATH="$PATH" HOME="$work/home" MCP_INSPECTOR_SECRET_STORE=file
	MCP_INSPECTOR_DAEMON_DIR="$work/daemon" MCP_INSPECTOR_DAEMON_TOKEN="$RANDOM$RANDOM$RANDOM")
finish() {
	[[ -z $watching ]] || kill "$watching" 2>/dev/null || true
	local daemon
	daemon=$("${bare[@]}" timeout 20 "$mcpdo" daemon status 2>/dev/null | sed -n 's/^Daemon pid //p') || true
	"${bare[@]}" timeout 20 "$mcpdo" daemon stop >/dev/null 2>&1 || true
	for ((i = 0; i < 50; i++)); do
		[[ -n $daemon ]] && kill -0 "$daemon" 2>/dev/null || break
		((i < 40)) || kill -KILL "$daemon" 2>/dev/null || true
		sleep 0.1
	done
	stop_app
	rm -rf "$work"
}
trap finish EXIT

era=none
way=headless
passed=0
fail() {
	report "mcpdo $INSPECTOR" "$era, app $way" "$passed" 1 "$label"
	printf 'peers: mcpdo, %s, %s: %s\n--- output\n%s\n--- errors\n%s\n' "$era" "$label" "$1" "$(cat "$work/out")" "$(cat "$work/err")" >&2
	exit 1
}

# mcpdo STATUS ARGUMENTS…: one run, which must end in time with that exit status.
run() {
	local want=$1 got=0
	shift
	"${bare[@]}" timeout --kill-after=5 60 "$mcpdo" --format json "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
	[[ $got == "$want" ]] || fail "exit status $got, want $want: $*"
}

# holds EXPRESSION: a JavaScript expression over `r`, what mcpdo printed.
holds() {
	node -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		if (!eval(process.argv[2])) process.exit(1);
	' "$work/out" "$1" 2>>"$work/err" || fail "this does not hold: $1"
	passed=$((passed + 1))
}

# shows TEXT: waits until what the watching command prints contains it.
shows() {
	for ((i = 0; i < 200; i++)); do
		grep -q "$1" "$work/watched" && return 0
		sleep 0.1
	done
	cp "$work/watched" "$work/out"
	fail "mcpdo does not print $1"
}

# confirm STATUS ID ANSWER…: deletes a customer, and answers the question about it.
confirm() {
	local status=$1 id=$2
	shift 2
	run 0 "@$era" tools/call customers_destroy --tool-args-json "{\"id\":$id}"
	holds 'r.elicitationPending.message.includes("customers_destroy")'
	local question
	question=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).elicitationPending.elicitationId' "$work/out")
	run "$status" "@$era" elicitation/respond "$question" "$@"
}

session() {
	local customer=$1 uri=app://customers_index
	label="connect"
	run 0 --config "$work/servers.json" connect "$era"
	holds "r.protocolEra == '$era'"

	label="an accepted confirmation"
	confirm 0 "$customer" '{}'
	holds '!r.isError'
	run 5 "@$era" tools/call customers_show --tool-args-json "{\"id\":$customer}"
	holds 'r.isError'

	label="a declined confirmation"
	confirm 5 $((customer + 1)) --decline
	holds 'r.isError && r.content[0].text.includes("declined")'
	label="a cancelled confirmation"
	confirm 5 $((customer + 1)) --cancel
	label="what was refused did not run"
	run 0 "@$era" tools/call customers_show --tool-args-json "{\"id\":$((customer + 1))}"
	holds "r.structuredContent.id == $((customer + 1))"

	label="resources"
	run 0 "@$era" resources/list
	holds "r.resources.some(x => x.uri == '$uri')"
	run 0 "@$era" resources/templates/list
	holds 'r.resourceTemplates.some(x => x.uriTemplate == "app://customers_show/{id}")'
	run 0 "@$era" resources/read "app://customers_show/$((customer + 1))"
	holds "JSON.parse(r.contents[0].text).id == $((customer + 1))"

	label="a watched resource"
	: >"$work/watched"
	"${bare[@]}" "$mcpdo" --format json "@$era" resources/subscribe "$uri" >"$work/watched" 2>&1 </dev/null &
	watching=$!
	shows '"subscribed"'
	run 0 @writer tools/call customers_store --tool-args-json "{\"input\":{\"name\":\"Ada\",\"email\":\"$era-$way@example.com\"}}"
	shows '"resources/updated"'
	passed=$((passed + 1))
	kill "$watching"
	wait "$watching" 2>/dev/null || true
	watching=
	run 0 "@$era" resources/read "$uri"
	holds "r.contents[0].text.includes('$era-$way@example.com')"
	run 0 "@$era" resources/unsubscribe "$uri"
	run 0 disconnect "$era"
}

: >"$work/out"
: >"$work/err"
node -e '
	const [file, command, HOME] = process.argv.slice(1);
	const server = (protocolEra) => ({ command, args: ["--mcp"], env: { HOME }, protocolEra, elicitCapability: "form" });
	const mcpServers = { legacy: server("legacy"), modern: server("modern"), writer: server("modern") };
	require("fs").writeFileSync(file, JSON.stringify({ mcpServers }));
' "$work/servers.json" "$PEERS_BIN/crm" "$work/home"
customer=1
for way in headless running; do
	[[ $way == headless ]] || start_app "${bare[@]}"
	label="connect the writer"
	run 0 --config "$work/servers.json" connect writer
	for era in legacy modern; do
		passed=0
		session $customer
		customer=$((customer + 10))
		report "mcpdo $INSPECTOR" "$era, app $way" "$passed" 0
	done
	run 0 disconnect writer
done
