#!/usr/bin/env bash
# The agent's own program works with servers of others, and leaves nothing behind. What it saw is what
# docs/reference/mcp-servers-tried.md says.
#
# Usage: test/peers/agent-servers.sh [write]     (write: the page is written anew)
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. scripts/need.sh

need script bsdutils # a terminal for the questions of servers

peers=$PWD/.cache/peers
own=$peers/servers-$SERVERS-$CONTEXT7/node_modules/.bin
write=()
[[ ${1:-} != write ]] || write=(-write)
timeout --kill-after=5 900 "$PEERS_BIN/agentservers" -elyra "$PEERS_BIN/elyra" -table docs/reference/mcp-servers-tried.md "${write[@]}" \
	"server-everything=$SERVERS=$own/mcp-server-everything" \
	"server-filesystem=$SERVERS=$own/mcp-server-filesystem" \
	"server-memory=$SERVERS=$own/mcp-server-memory" \
	"context7=$CONTEXT7=$own/context7-mcp" \
	"kubernetes-mcp-server=$KUBERNETES=$peers/kubernetes-$KUBERNETES/node_modules/.bin/kubernetes-mcp-server" \
	"mongodb-mcp-server=$MONGODB=$peers/mongodb-$MONGODB/node_modules/.bin/mongodb-mcp-server" \
	"playwright-mcp=$PLAYWRIGHT=$peers/playwright-$PLAYWRIGHT/node_modules/.bin/playwright-mcp" \
	>>"${PEERS_REPORT:-/dev/stdout}"
