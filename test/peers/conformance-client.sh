#!/usr/bin/env bash
# The protocol's own conformance suite against the agent: its host, its HTTP client and its logins.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/version.sh
. test/peers/report.sh
. test/peers/suite.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home
unset ELYRA_HOME
mkdir "$HOME"

status=0
for revision in 2025-11-25 2026-07-28; do
	examine client "$revision" --timeout 120000 --command "$PEERS_BIN/elyra conformance-client" || status=1
done
exit $status
