#!/usr/bin/env bash
# The two TypeScript SDKs work in the example app and with the fixture server.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh

# peer FOLDER NAME SCRIPT: Node finds the SDK from where a script is, so our script goes there.
peer() {
	local folder=.cache/peers/$1
	cp test/peers/typescript/*.mjs "$folder/"
	timeout --kill-after=5 300 node "$folder/$3" "$2" "$PEERS_BIN" "$PEERS_REPORT"
}

status=0
peer "typescript-client-$TYPESCRIPT_CLIENT" "TypeScript client $TYPESCRIPT_CLIENT" client.mjs || status=1
peer "typescript-sdk-$TYPESCRIPT_SDK" "TypeScript SDK $TYPESCRIPT_SDK" sdk.mjs || status=1
exit $status
