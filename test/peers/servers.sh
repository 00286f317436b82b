#!/usr/bin/env bash
# Our client works with servers of others, in each era and revision that they speak.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh

programs=$PWD/.cache/peers/servers-$SERVERS-$CONTEXT7/node_modules/.bin
status=0
probe() {
	timeout --kill-after=5 400 "$PEERS_BIN/probe" "$1" "$2" "$programs/$3" >>"${PEERS_REPORT:-/dev/stdout}" || status=1
}
for server in everything filesystem memory; do
	probe "$server" "server-$server $SERVERS" "mcp-server-$server"
done
probe context7 "context7 $CONTEXT7" context7-mcp
exit $status
