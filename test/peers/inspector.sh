#!/usr/bin/env bash
# The official MCP Inspector works in the example CRM through `crm --mcp`, in each era of the protocol,
# first without and then with a running app. It declares no elicitation, so it is also the client that
# cannot ask its user: a call that needs confirmation must end in an error, never hang and never run.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/report.sh
. test/peers/app.sh

inspector=$PWD/.cache/peers/inspector-$INSPECTOR/node_modules/.bin/mcp-inspector

work=$(mktemp -d)
finish() {
	stop_app
	rm -rf "$work"
}
trap finish EXIT

# The environment that MCP clients give, with a home of its own.
bare=(env -i PATH="$PATH" HOME="$work/home")

passed=0
fail() {
	report "Inspector $INSPECTOR" "$era, app $way" "$passed" 1 "$label"
	printf 'peers: %s: %s\n--- output\n%s\n--- errors\n%s\n' "$label" "$1" "$(cat "$work/out")" "$(cat "$work/err")" >&2
	exit 1
}

# inspect STATUS ARGUMENTS…: one run of the Inspector, which must end in time with that exit status.
inspect() {
	local want=$1 got=0
	shift
	"${bare[@]}" timeout --kill-after=5 60 "$inspector" --cli "$PEERS_BIN/crm" --mcp --protocol-era "$era" --format json "$@" \
		>"$work/out" 2>"$work/err" </dev/null || got=$?
	[[ $got != 124 && $got != 137 ]] || fail "the Inspector hung"
	[[ $got == "$want" ]] || fail "exit status $got, want $want"
	# The shim says so when it serves by itself; the Inspector passes on what a server says there.
	if grep -q "the app is not open" "$work/err"; then
		[[ $way == headless ]] || fail "the shim served by itself although the app was running"
	else
		[[ $way == running ]] || fail "nothing says that the shim serves by itself"
	fi
}

# holds EXPRESSION: a JavaScript expression over `r`, the result that the Inspector printed.
holds() {
	node -e '
		const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).result;
		if (!eval(process.argv[2])) process.exit(1);
	' "$work/out" "$1" 2>>"$work/err" || fail "this does not hold: $1"
	passed=$((passed + 1))
}

# call STATUS TOOL ARGUMENTS
call() {
	inspect "$1" --method tools/call --tool-name "$2" --tool-args-json "$3"
}

session() {
	local mail="ada-$era-$way@example.com"

	label="$way, $era: tools/list"
	inspect 0 --method tools/list --strict
	holds 'r.tools.map(t => t.name).join() == r.tools.map(t => t.name).sort().join()'
	holds '["customers_index", "customers_store", "customers_destroy"].every(n => r.tools.some(t => t.name == n))'
	holds 'r.tools.every(t => t.description && t.inputSchema.type == "object")'
	holds 'r.tools.find(t => t.name == "customers_index").annotations.readOnlyHint === true'
	holds 'r.tools.find(t => t.name == "customers_destroy").annotations.destructiveHint === true'

	label="$way, $era: a good call"
	call 0 customers_store "{\"input\":{\"name\":\"Ada Lovelace\",\"email\":\"$mail\"}}"
	holds 'r.structuredContent.id > 0 && r.structuredContent.name == "Ada Lovelace"'
	holds 'JSON.stringify(JSON.parse(r.content[0].text)) == JSON.stringify(r.structuredContent)'
	local id
	id=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).result.structuredContent.id' "$work/out")

	label="$way, $era: what was stored is there"
	call 0 customers_index "{\"query\":{\"search\":\"$mail\"}}"
	holds 'r.structuredContent.items.length == 1'

	label="$way, $era: resources"
	inspect 0 --method resources/list
	holds 'r.resources.some(x => x.uri == "app://customers_index" && x.mimeType == "application/json")'
	inspect 0 --method resources/templates/list
	holds 'r.resourceTemplates.some(x => x.uriTemplate == "app://customers_show/{id}")'
	inspect 0 --method resources/read --uri "app://customers_index?search=$mail"
	holds "JSON.parse(r.contents[0].text).items[0].id == $id"
	inspect 0 --method resources/read --uri "app://customers_show/$id"
	holds "JSON.parse(r.contents[0].text).email == '$mail'"
	inspect 1 --method resources/read --uri "app://no_such"
	passed=$((passed + 1))

	label="$way, $era: bad arguments are the tool's error, with their path"
	call 5 customers_store '{"input":{"name":"Bad","email":"no address"}}'
	holds 'r.isError === true && r.content[0].text.includes("input.email")'
	call 5 customers_store '{"input":{"nmae":"Ada","email":"x@example.com"}}'
	holds 'r.isError === true && r.content[0].text.includes("input.nmae") && r.content[0].text.includes("name")'

	# A legacy server can only say so in a result (status 5), a modern one has an error for it (status 1).
	label="$way, $era: a call that needs confirmation is refused"
	local refused=1
	[[ $era != legacy ]] || refused=5
	call "$refused" customers_destroy "{\"id\":$id}"
	grep -q "needs the user's confirmation" "$work/out" "$work/err" || fail "the refusal does not say why"
	passed=$((passed + 1))
	label="$way, $era: the refused call did not run"
	call 0 customers_show "{\"id\":$id}"
	holds "r.structuredContent.id == $id"
}

sessions() {
	way=$1
	for era in legacy auto modern; do
		passed=0
		session
		report "Inspector $INSPECTOR" "$era, app $way" "$passed" 0
	done
}

sessions headless

start_app "${bare[@]}"
sessions running
