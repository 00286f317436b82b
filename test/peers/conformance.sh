#!/usr/bin/env bash
# The protocol's own conformance suite against the fixture server. The suite tests servers over HTTP only,
# so a bridge stands before the server's standard streams.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/report.sh
. test/peers/suite.sh

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

status=0
for revision in 2025-11-25 2026-07-28; do
	if ! examine server "$revision" --url "$(cat "$work/url")"; then
		status=1
		tail -n 40 "$work/log" >&2
	fi
done
exit $status
