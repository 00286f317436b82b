#!/usr/bin/env bash
# The official MCP Inspector delegates work to `elyra --mode mcp`, in each era, with a scripted model. mcpdo of the same package
# does too, over a connection that stays open, and reads the transcript of a task.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/report.sh
. test/peers/agent-project.sh

programs=$PWD/.cache/peers/inspector-$INSPECTOR/node_modules/.bin
work=$(mktemp -d)
# The daemon and the processes that it started end whatever happens.
bare=(env -i PATH="$PATH" HOME="$work/home" MCP_INSPECTOR_SECRET_STORE=file
	MCP_INSPECTOR_DAEMON_DIR="$work/daemon" MCP_INSPECTOR_DAEMON_TOKEN="$RANDOM$RANDOM$RANDOM")
finish() {
	local daemon
	daemon=$("${bare[@]}" timeout 20 "$programs/mcpdo" daemon status 2>/dev/null | sed -n 's/^Daemon pid //p') || true
	"${bare[@]}" timeout 20 "$programs/mcpdo" daemon stop >/dev/null 2>&1 || true
	for ((i = 0; i < 50; i++)); do
		[[ -n $daemon ]] && kill -0 "$daemon" 2>/dev/null || break
		((i < 40)) || kill -KILL "$daemon" 2>/dev/null || true
		sleep 0.1
	done
	stop_model "$work/model" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT
make_project "$work/project" "$work/home"

peer=Inspector era=none passed=0 label=
: >"$work/out"
: >"$work/err"
fail() {
	report "agent with $peer $INSPECTOR" "$era" "$passed" 1 "$label"
	printf 'peers: agent with %s, %s, %s: %s\n--- output\n%s\n--- errors\n%s\n' \
		"$peer" "$era" "$label" "$1" "$(cat "$work/out")" "$(cat "$work/err")" >&2
	exit 1
}

# run STATUS COMMAND…: one run, which must end in time with that exit status.
run() {
	local want=$1 got=0
	shift
	"${bare[@]}" timeout --kill-after=5 60 "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
	[[ $got != 124 && $got != 137 ]] || fail "it hung"
	[[ $got == "$want" ]] || fail "exit status $got, want $want"
	passed=$((passed + 1))
}

# inspect STATUS ARGUMENTS…: one run of the Inspector, with the server's arguments in `flags`.
flags=()
inspect() {
	local want=$1 environ=() variable
	shift
	while read -r variable; do environ+=(-e "$variable"); done <"$work/model"
	run "$want" "$programs/mcp-inspector" --cli "$PEERS_BIN/elyra" --mode mcp "${flags[@]}" -e "HOME=$work/home" "${environ[@]}" \
		--cwd "$work/project" --protocol-era "$era" --format json "$@"
}

# mcpdo STATUS ARGUMENTS…: one run of mcpdo.
mcpdo() {
	local want=$1
	shift
	run "$want" "$programs/mcpdo" --format json "$@"
}

# holds EXPRESSION: a JavaScript expression over `r`, the result that was printed.
holds() {
	node -e '
		const all = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")), r = all.result ?? all;
		if (!eval(process.argv[2])) process.exit(1);
	' "$work/out" "$1" 2>>"$work/err" || fail "this does not hold: $1"
	passed=$((passed + 1))
}

# offers: what both commands have to see.
offers() {
	holds 'r.tools.map(t => t.name).join() == "elyra_decisions,elyra_review,elyra_task"'
	holds 'r.tools.every(t => t.description && t.inputSchema.type == "object" && t.outputSchema.type == "object")'
	holds 'r.tools[0].annotations.readOnlyHint && r.tools[1].annotations.readOnlyHint && r.tools[2].annotations.destructiveHint'
}

# work_in ARGUMENTS…: calls the tools. The arguments are what stands before a tool's name.
work_in() {
	label="decisions"
	"$@" 0 elyra_decisions '{}'
	holds 'r.structuredContent.total == 1 && r.structuredContent.decisions[0].title == "Use Go"'
	label="a task"
	"$@" 0 elyra_task '{"task":"what does the note say","model":"anthropic/claude-sonnet-4-5"}'
	holds 'r.structuredContent.answer == "It says hello." && r.structuredContent.mode == "read-only" && r.structuredContent.session'
	holds 'r.content[0].text.includes("It says hello.")'
	label="a review"
	"$@" 0 elyra_review '{}'
	holds 'r.structuredContent.otherVendor && r.structuredContent.review == "bug.go:1: it panics."'
	label="an unknown model"
	"$@" 5 elyra_task '{"task":"x","model":"anthropic/claude-nonsense-9"}'
	holds 'r.isError && r.content[0].text.includes("there is none of this name")'
}

by_inspector() {
	inspect "$1" --method tools/call --tool-name "$2" --tool-args-json "$3"
}

by_mcpdo() {
	mcpdo "$1" "@$era" tools/call "$2" --tool-args-json "$3"
}

for era in legacy auto modern; do
	passed=0
	start_model test/peers/agent/inspector.txtar "$work/model"
	label="tools/list"
	inspect 0 --method tools/list --strict
	offers
	work_in by_inspector
	label="resources"
	inspect 0 --method resources/list
	holds 'r.resources.length == 1 && r.resources[0].uri == "elyra://decisions/docs/adr/0001-go.md"'
	inspect 0 --method resources/read --uri elyra://decisions/docs/adr/0001-go.md
	holds 'r.contents[0].text.includes("It is plain.")'
	inspect 1 --method resources/read --uri elyra://tasks/none
	label="read-only"
	flags=(--read-only)
	inspect 0 --method tools/list --strict
	holds 'r.tools[2].inputSchema.properties.mode.enum.join() == "read-only" && r.tools[2].annotations.readOnlyHint'
	inspect 5 --method tools/call --tool-name elyra_task --tool-args-json '{"task":"x","mode":"edit"}'
	holds 'r.content[0].text.includes("--read-only")'
	flags=()
	label="the model"
	stop_model "$work/model" || fail "it was not asked what its script says"
	report "agent with $peer $INSPECTOR" "$era" "$passed" 0
done

peer=mcpdo
for era in legacy modern; do
	passed=0
	start_model test/peers/agent/inspector.txtar "$work/model"
	node -e '
		const [file, era, command, cwd, HOME, model] = process.argv.slice(1);
		const env = { HOME };
		for (const line of require("fs").readFileSync(model, "utf8").trim().split("\n")) env[line.split("=", 1)[0]] = line.slice(line.indexOf("=") + 1);
		const server = { command, args: ["--mode", "mcp"], cwd, env, protocolEra: era };
		require("fs").writeFileSync(file, JSON.stringify({ mcpServers: { [era]: server } }));
	' "$work/servers.json" "$era" "$PEERS_BIN/elyra" "$work/project" "$work/home" "$work/model"
	label="connect"
	mcpdo 0 --config "$work/servers.json" connect "$era"
	holds "r.protocolEra == '$era'"
	mcpdo 0 "@$era" tools/list
	offers
	work_in by_mcpdo
	label="the transcript of the task"
	mcpdo 0 "@$era" resources/list
	holds 'r.resources.length == 2 && r.resources[1].title == "what does the note say"'
	uri=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).resources[1].uri' "$work/out")
	mcpdo 0 "@$era" resources/read "$uri"
	holds 'r.contents[0].text.includes("## Call of read")'
	mcpdo 0 disconnect "$era"
	stop_model "$work/model" || fail "it was not asked what its script says"
	report "agent with $peer $INSPECTOR" "$era" "$passed" 0
done
