#!/usr/bin/env bash
# Runs the suite of the Wails backend on a virtual display, with GTK 3 and cgo, as nothing but this check builds it on
# Linux; then compiles it for Windows, and what is left of it without cgo.
#
# As root where apt-get is it installs what is missing; elsewhere it says what to install.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
want() {
	local probe=$1
	shift
	eval "$probe" >/dev/null 2>&1 || missing+=("$@")
}
want 'command -v gcc' gcc libc6-dev
want 'command -v pkg-config' pkg-config
want 'pkg-config --exists gtk+-3.0' libgtk-3-dev
want 'pkg-config --exists webkit2gtk-4.1' libwebkit2gtk-4.1-dev
want 'command -v xvfb-run && command -v Xvfb' xvfb
want 'command -v xauth' xauth
want 'command -v xdotool' xdotool
want 'compgen -G "/usr/share/fonts/truetype/dejavu/*.ttf"' fonts-dejavu-core

if ((${#missing[@]} > 0)); then
	if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
		echo "wails.sh: missing (names as on Debian and Ubuntu): ${missing[*]}" >&2
		exit 1
	fi
	echo "wails.sh: apt-get installs ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	bash scripts/retry.sh apt-get update -qq
	bash scripts/retry.sh apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

cd contrib/wails
CGO_ENABLED=1 go vet -tags gtk3 ./...
# Without -noreset the server resets, and drops the next window, whenever the last client leaves.
CGO_ENABLED=1 xvfb-run --auto-servernum --server-args="-screen 0 1280x1024x24 -noreset" \
	go test -count=1 -tags gtk3 ./...
for system in windows/amd64 windows/arm64 darwin/arm64 linux/amd64; do
	CGO_ENABLED=0 GOOS=${system%/*} GOARCH=${system#*/} go vet ./...
done
