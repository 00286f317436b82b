#!/usr/bin/env bash
# Runs what is built for Windows under Wine: the tests of the message layer, and the CRM, headless and as the running app.
#
# Wine before 9 has no bcryptprimitives.dll, which every Go program needs; test/cmd/processprng makes one for the test.
# Other tests stay out: that Wine has neither Unix sockets nor the call by which Go deletes a test's folder.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/need.sh

need wine wine

folder=$(mktemp -d)
export WINEPREFIX=$folder/prefix WINEARCH=win64 WINEDEBUG=-all CGO_ENABLED=0
cleanup() {
	wineserver -k || true
	wineserver -w || true
	rm -rf "$folder"
}
trap cleanup EXIT

mkdir "$WINEPREFIX"
wineboot -i >/dev/null 2>&1
library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
[[ -e $library ]] || go run ./test/cmd/processprng "$library"

GOOS=windows go build -o "$folder/crm.exe" ./examples/crm
GOOS=windows go test -count=1 -exec wine ./internal/wire
ELYRA_TEST_CRM=$folder/crm.exe go test -count=1 -tags wine ./test/wine
