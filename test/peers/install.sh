#!/usr/bin/env bash
# Puts the pinned peers below .cache/peers, each once. Prints nothing about those that are there already.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. scripts/need.sh

need npm node
mkdir -p .cache/peers
new=
trap '[[ -z $new ]] || rm -rf "$new"' EXIT

# place FOLDER PACKAGE…: a half-done installation must not look like a whole one, so the folder gets its
# name when it is complete.
place() {
	local folder=.cache/peers/$1
	shift
	[[ -d $folder/node_modules ]] && return 0
	echo "peers: installing $*"
	new=$(mktemp -d .cache/peers/new.XXXXXX)
	echo '{"private":true}' >"$new/package.json"
	bash scripts/retry.sh npm install --prefix "$new" --no-package-lock --no-audit --no-fund --ignore-scripts --silent "$@"
	rm -rf "$folder"
	mv "$new" "$folder"
	new=
}

place "inspector-$INSPECTOR" "@modelcontextprotocol/inspector@$INSPECTOR"
place "inspector-$INSPECTOR_OLD" "@modelcontextprotocol/inspector@$INSPECTOR_OLD"
place "typescript-client-$TYPESCRIPT_CLIENT" "@modelcontextprotocol/client@$TYPESCRIPT_CLIENT"
place "typescript-sdk-$TYPESCRIPT_SDK" "@modelcontextprotocol/sdk@$TYPESCRIPT_SDK"
place "servers-$SERVERS-$CONTEXT7" "@modelcontextprotocol/server-everything@$SERVERS" \
	"@modelcontextprotocol/server-filesystem@$SERVERS" "@modelcontextprotocol/server-memory@$SERVERS" "@upstash/context7-mcp@$CONTEXT7"
place "kubernetes-$KUBERNETES" "kubernetes-mcp-server@$KUBERNETES"
place "mongodb-$MONGODB" "mongodb-mcp-server@$MONGODB"
place "playwright-$PLAYWRIGHT" "@playwright/mcp@$PLAYWRIGHT"
place "mcpb-$MCPB" "@anthropic-ai/mcpb@$MCPB"
place "conformance-$CONFORMANCE" "@modelcontextprotocol/conformance@$CONFORMANCE"

# The suite needs Node 22; the npm registry has its program, by system and processor.
if (($(node -p 'process.versions.node.split(".")[0]') < 22)); then
	place "node-$NODE" "node-$(node -p 'process.platform.replace("win32", "win") + "-" + process.arch')@$NODE"
fi
