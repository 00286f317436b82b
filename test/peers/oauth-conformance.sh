#!/usr/bin/env bash
# The authorization scenarios of the protocol's own conformance suite against package oauth with our Streamable HTTP client.
# The suite plays the MCP server and its authorization server.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/report.sh

folder=.cache/peers/conformance-$CONFORMANCE/node_modules/@modelcontextprotocol/conformance
node=node
if (($(node -p 'process.versions.node.split(".")[0]') < 22)); then
	node=$(echo .cache/peers/node-"$NODE"/node_modules/node-*/bin/node*)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
peer=$work/peer
if [[ -x ${PEERS_BIN:-}/oauthpeer ]]; then
	peer=$PEERS_BIN/oauthpeer
else
	(cd agent && CGO_ENABLED=0 go build -o "$peer" ./internal/oauth/peer)
fi

status=0
for revision in 2025-11-25 2026-07-28; do
	passed=0 broken=0
	for scenario in $(sed -nE 's|^  - (auth/[a-z0-9-]+)$|\1|p' "$folder/requirements/$revision.yaml"); do
		if PATH="$PWD/test/peers/oauth:$PATH" timeout --kill-after=5 60 "$node" "$folder/dist/index.js" client \
			--command "$peer conformance" --scenario "$scenario" --spec-version "$revision" >"$work/out" 2>&1; then
			passed=$((passed + 1))
		else
			broken=$((broken + 1)) status=1
			echo "peers: conformance suite, $revision: $scenario:" >&2
			tail -n 40 "$work/out" >&2
		fi
	done
	((passed + broken > 0)) || { echo "peers: the suite requires no authorization scenario of $revision" >&2; exit 1; }
	report "conformance suite $CONFORMANCE" "$revision, authorization" "$passed" "$broken"
done
exit $status
