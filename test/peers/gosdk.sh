#!/usr/bin/env bash
# The official Go SDK: its client against the example app and our server, our client against its server.
# `go test` runs the same tests; here they count.
set -euo pipefail
cd "$(dirname "$0")/../gosdk"
. ../peers/report.sh

version=$(go list -m -f '{{.Version}}' github.com/modelcontextprotocol/go-sdk)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
"$PEERS_BIN/gosdk.test" -test.v >"$log" 2>&1 || status=$?
((status == 0)) || cat "$log" >&2
for era in 2026-07-28 2025-11-25 2025-06-18 2025-03-26; do
	report "Go SDK $version" "$era" "$(grep -c -- "--- PASS: .*/$era" "$log")" "$(grep -c -- "--- FAIL: .*/$era" "$log" || true)"
done
exit $status
