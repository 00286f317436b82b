#!/usr/bin/env bash
# Runs the window backend's tests, and those of the CRM with an agent at work, against the real WebKitGTK on a virtual
# display of their own. A picture of the CRM is left in screenshots/.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/need.sh

need xvfb-run window
need xauth window
need WebKitWebDriver window
need xdotool window
need xprop window
need dbus-daemon window
compgen -G "/usr/lib/*/libwebkit2gtk-4.1.so.0" >/dev/null || compgen -G "/usr/lib*/libwebkit2gtk-4.1.so.0" >/dev/null || {
	echo "window.sh: libwebkit2gtk-4.1.so.0 is not installed: run scripts/install-deps.sh window" >&2
	exit 1
}

# One package at a time: they share the pointer and the keyboard. Without -noreset the server resets, and drops the next
# window, whenever the last client leaves.
mkdir -p screenshots
ELYRA_SCREENSHOT=$PWD/screenshots/crm.png CGO_ENABLED=0 xvfb-run --auto-servernum --server-args="-screen 0 1280x1024x24 -noreset" \
	go test -p 1 -count=1 -tags webkit ./window/... ./examples/crm/e2e
