#!/usr/bin/env bash
# Installs what `make check` needs beyond Go. Safe to run again: what is there stays as it is.
#
# Usage: scripts/install-deps.sh [race] [window] [wails] [node] [agent] [bundle] [wine]     (no argument: all of them)
#
# System packages come from apt and need root. Elsewhere the script says what to install, and fails
# only when something is really missing.
set -euo pipefail
cd "$(dirname "$0")/.."

retry=scripts/retry.sh
parts=${*:-race window wails node agent bundle wine}
missing=()

# want COMMAND-OR-FILE PACKAGE…: remembers the packages when the command (or file pattern) is absent.
want() {
	local probe=$1
	shift
	if [[ $probe == */* ]]; then
		compgen -G "$probe" >/dev/null && return 0
	else
		command -v "$probe" >/dev/null && return 0
	fi
	missing+=("$@")
}

for part in $parts; do
	case $part in
	race)
		want gcc gcc libc6-dev
		;;
	window)
		want "/usr/lib/*/libwebkit2gtk-4.1.so.0" libwebkit2gtk-4.1-0
		want Xvfb xvfb
		want xvfb-run xvfb
		want xauth xauth
		want WebKitWebDriver webkit2gtk-driver
		want xdotool xdotool
		want xprop x11-utils
		want dbus-daemon dbus
		want "/usr/share/fonts/truetype/dejavu/*.ttf" fonts-dejavu-core
		;;
	wails)
		want gcc gcc libc6-dev
		want pkg-config pkg-config
		want "/usr/lib/*/pkgconfig/gtk+-3.0.pc" libgtk-3-dev
		want "/usr/lib/*/pkgconfig/webkit2gtk-4.1.pc" libwebkit2gtk-4.1-dev
		;;
	agent)
		want tmux tmux
		want bwrap bubblewrap
		want git git
		;;
	bundle)
		want dpkg-deb dpkg
		want desktop-file-validate desktop-file-utils
		want unzip unzip
		want bwrap bubblewrap
		;;
	wine)
		want wine wine wine64
		;;
	node)
		want npm nodejs npm
		;;
	*)
		echo "install-deps: unknown part '$part': race, window, wails, node, agent, bundle or wine" >&2
		exit 2
		;;
	esac
done

if ((${#missing[@]} > 0)); then
	if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
		echo "install-deps: missing (names as on Debian and Ubuntu): ${missing[*]}" >&2
		echo "install-deps: install them with your system's package manager, or run this script as root where apt-get is" >&2
		exit 1
	fi
	echo "install-deps: apt-get installs ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	bash $retry apt-get update -qq
	bash $retry apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

for part in $parts; do
	[[ $part == node ]] || continue
	major=$(node --version | sed -E 's/^v([0-9]+).*/\1/')
	if ((major < 20)); then
		echo "install-deps: Node $major is too old: install Node 20 or newer (https://nodejs.org)" >&2
		exit 1
	fi
	(cd js/runtime && bash ../../$retry npm ci --no-audit --no-fund --silent)
	bash test/peers/install.sh
done
