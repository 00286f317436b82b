#!/usr/bin/env bash
# Runs the window backend's tests, and those of the CRM and of a new app with an agent at work, against the real WebKitGTK on a virtual
# display of their own. Pictures of both are left in screenshots/.
#
# Usage: scripts/window.sh             everything
#        scripts/window.sh pictures    only make the pictures of the guide again, in docs/
#        scripts/window.sh painted     only measure from an agent's call to the painted row, and print it
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

tests=(./window/... ./examples/crm/e2e ./rata/internal/scaffold)
pictures=$PWD/screenshots
case ${1:-} in
"") ;;
pictures)
	tests=(-run '^TestPictures' ./examples/crm/e2e)
	pictures=$PWD/docs
	;;
painted) tests=(-v -run '^TestFromCallToPaintedRow$' ./examples/crm/e2e) ;;
*)
	echo "window.sh: unknown argument '$1': pictures, painted, or none" >&2
	exit 2
	;;
esac

# One package at a time: they share the pointer and the keyboard. Without -noreset the server resets, and drops the next
# window, whenever the last client leaves.
mkdir -p "$pictures"
ELYRA_PICTURES=$pictures CGO_ENABLED=0 xvfb-run --auto-servernum --server-args="-screen 0 1280x1024x24 -noreset" \
	go test -p 1 -count=1 -tags webkit "${tests[@]}"
