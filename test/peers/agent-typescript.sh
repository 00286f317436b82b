#!/usr/bin/env bash
# The two TypeScript SDKs delegate work to `elyra --mode mcp`, in each era, with a scripted model.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/agent-project.sh

work=$(mktemp -d)
finish() {
	stop_model "$work/model" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT
make_project "$work/project" "$work/home"

status=0
# host FOLDER NAME SCRIPT MODEL ERA…: Node finds the SDK from where a script is, so our script goes there.
host() {
	local folder=.cache/peers/$1 name=$2 script=$3 says=$4 era
	shift 4
	mkdir -p "$folder/agent"
	cp test/peers/agent/*.mjs "$folder/agent/"
	for era in "$@"; do
		start_model "test/peers/agent/$says.txtar" "$work/model"
		env $(cat "$work/model") timeout --kill-after=5 120 node "$folder/agent/$script" \
			"agent with $name" "$PEERS_BIN/elyra" "$work/project" "$work/home" "${PEERS_REPORT:-/dev/stdout}" "$era" "$says" || status=1
		stop_model "$work/model" || status=1
	done
}

client=("typescript-client-$TYPESCRIPT_CLIENT" "TypeScript client $TYPESCRIPT_CLIENT" client.mjs)
sdk=("typescript-sdk-$TYPESCRIPT_SDK" "TypeScript SDK $TYPESCRIPT_SDK" sdk.mjs)
host "${client[@]}" model "pinned to 2026-07-28" auto legacy
host "${client[@]}" slow auto
host "${sdk[@]}" model 2025-11-25 2025-06-18 2025-03-26
host "${sdk[@]}" slow 2025-11-25
exit $status
