#!/bin/sh
# Fails when internal/bridge/runtime.js is not what the sources build. Needs `npm ci` to have run.
set -eu
cd "$(dirname "$0")"
built=$(mktemp)
trap 'rm -f "$built"' EXIT
node build.mjs "$built"
if ! cmp -s "$built" ../../internal/bridge/runtime.js; then
	echo "internal/bridge/runtime.js is stale: run 'npm run build' in js/runtime and commit the result" >&2
	exit 1
fi
