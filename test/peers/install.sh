#!/usr/bin/env bash
# Puts the pinned MCP Inspector below .cache/peers, once. Prints nothing when it is there already.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. scripts/need.sh

need npm node
folder=.cache/peers/inspector-$INSPECTOR
[[ -x $folder/node_modules/.bin/mcp-inspector ]] && exit 0

# A half-done installation must not look like a whole one: it gets its name when it is complete.
echo "peers: installing @modelcontextprotocol/inspector@$INSPECTOR"
mkdir -p .cache/peers
new=$(mktemp -d .cache/peers/new.XXXXXX)
trap 'rm -rf "$new"' EXIT
echo '{"private":true}' >"$new/package.json"
bash scripts/retry.sh npm install --prefix "$new" --no-package-lock --no-audit --no-fund --ignore-scripts --silent \
	"@modelcontextprotocol/inspector@$INSPECTOR"
rm -rf "$folder"
mv "$new" "$folder"
