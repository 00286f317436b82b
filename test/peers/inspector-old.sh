#!/usr/bin/env bash
# The MCP Inspector before it learned the modern era works in the example app. It has no elicitation, and
# it prints what a call returned, whether that is an error or not.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/report.sh

inspector=$PWD/.cache/peers/inspector-$INSPECTOR_OLD/node_modules/.bin/mcp-inspector
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# inspect STATUS ARGUMENTS…: one run, which must end in time with that exit status.
inspect() {
	local want=$1 got=0
	shift
	env -i PATH="$PATH" HOME="$work" timeout --kill-after=5 60 "$inspector" --cli "$PEERS_BIN/crm" --mcp "$@" \
		>"$work/out" 2>"$work/err" </dev/null || got=$?
	[[ $got == "$want" ]] && return 0
	echo "peers: inspector $INSPECTOR_OLD: exit status $got, want $want: $*" >&2
	cat "$work/out" "$work/err" >&2
	failed=$((failed + 1))
}

# holds EXPRESSION: a JavaScript expression over `r`, the result.
holds() {
	if node -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		if (!eval(process.argv[2])) process.exit(1);
	' "$work/out" "$1"; then
		passed=$((passed + 1))
	else
		echo "peers: inspector $INSPECTOR_OLD: this does not hold: $1" >&2
		cat "$work/out" >&2
		failed=$((failed + 1))
	fi
}

inspect 0 --method tools/list
holds 'r.tools.map(t => t.name).join() == r.tools.map(t => t.name).sort().join()'
holds 'r.tools.every(t => t.description && t.inputSchema.type == "object")'
inspect 0 --method tools/call --tool-name customers_store --tool-arg 'input={"name":"Ada Lovelace","email":"ada@example.com"}'
holds '!r.isError && r.structuredContent.name == "Ada Lovelace"'
inspect 0 --method tools/call --tool-name customers_store --tool-arg 'input={"name":"Bad","email":"no address"}'
holds 'r.isError && r.content[0].text.includes("input.email")'
inspect 0 --method tools/call --tool-name customers_destroy --tool-arg id=1
holds 'r.isError && r.content[0].text.includes("confirmation")'
inspect 0 --method tools/call --tool-name customers_show --tool-arg id=1
holds '!r.isError && r.structuredContent.id == 1'
inspect 0 --method resources/list
holds 'r.resources.some(x => x.uri == "app://customers_index")'
inspect 0 --method resources/read --uri app://customers_show/1
holds 'JSON.parse(r.contents[0].text).id == 1'
inspect 1 --method tools/call --tool-name customers_explode
grep -q -- -32602 "$work/err" && passed=$((passed + 1)) || failed=$((failed + 1))

report "Inspector $INSPECTOR_OLD" legacy "$passed" "$failed"
((failed == 0))
