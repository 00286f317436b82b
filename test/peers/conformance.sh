#!/usr/bin/env bash
# The protocol's own conformance suite against the fixture server. The suite tests servers over HTTP only,
# so a bridge stands before the server's standard streams.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/report.sh

suite=.cache/peers/conformance-$CONFORMANCE/node_modules/@modelcontextprotocol/conformance/dist/index.js
node=node
if (($(node -p 'process.versions.node.split(".")[0]') < 22)); then
	node=$(echo .cache/peers/node-"$NODE"/node_modules/node-*/bin/node*)
fi

work=$(mktemp -d)
bridge=
finish() {
	[[ -z $bridge ]] || { kill "$bridge" && wait "$bridge"; } 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

"$PEERS_BIN/bridge" "$PEERS_BIN/fixture" >"$work/url" 2>"$work/log" &
bridge=$!
for ((i = 0; i < 100; i++)); do
	[[ -s $work/url ]] && break
	sleep 0.1
done

# lines SECTION: the names that the suite's output has, with a mark, below a heading.
lines() {
	sed -n "/$1/,/^\$/p" "$work/out" | sed -nE 's/^ *[^a-z ]+ ([a-z0-9:-]*[a-z0-9]).*/\1/p'
}

status=0
for revision in 2025-11-25 2026-07-28; do
	expected=test/conformance/expected-$revision.yml
	"$node" "$suite" list --server --requirements "$revision" >"$work/out"
	lines '^Server scenarios' | sort >"$work/required"
	result=0
	timeout --kill-after=5 600 "$node" "$suite" server --url "$(cat "$work/url")" --requirements "$revision" \
		--expected-failures "$expected" --output-dir "$work/results-$revision" >"$work/out" 2>&1 || result=$?
	lines '^=== SUMMARY' | sort >"$work/ran"
	lines 'Unexpected failures (' >"$work/broken"
	lines 'Stale' >>"$work/broken"
	comm -23 "$work/required" "$work/ran" >>"$work/broken"
	required=$(wc -l <"$work/required") broken=$(wc -l <"$work/broken")
	known=$(sed -nE 's/^  - ([a-z0-9-]+).*/\1/p' "$expected" | sort -u | wc -l)
	if ((result != 0 && broken == 0)); then
		broken=1
	fi
	if ((broken > 0 || required == 0)); then
		status=1
		echo "peers: conformance suite, $revision: these failed, passed unexpectedly or did not run:" >&2
		cat "$work/broken" >&2
		tail -n 40 "$work/out" "$work/log" >&2
	fi
	report "conformance suite $CONFORMANCE" "$revision" $((required - known - broken)) "$broken" "$required required, $known expected to fail"
done
exit $status
