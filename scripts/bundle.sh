#!/usr/bin/env bash
# Makes an app's packages with rata bundle, twice, and judges them: the .deb is installed by dpkg in an empty root
# and the official MCP Inspector lists the installed program's tools there; the archive is unpacked and run; the
# MCP bundle is judged by its format's own validator and started as its manifest says.
#
# Usage: scripts/bundle.sh [DIR]     DIR is the app's folder (examples/crm)
#
# Needs no network once the peers are installed. Not as root it needs user namespaces.
set -euo pipefail
dir=$(realpath "${1:-$(dirname "$0")/../examples/crm}")
cd "$(dirname "$0")/.."
. scripts/need.sh
. test/peers/version.sh

need dpkg-deb bundle
need desktop-file-validate bundle
need unzip bundle
need bwrap agent
need node node
bash test/peers/install.sh
inspector=$PWD/.cache/peers/inspector-$INSPECTOR/node_modules/.bin/mcp-inspector
mcpb=$PWD/.cache/peers/mcpb-$MCPB/node_modules/.bin/mcpb

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
	echo "bundle: $*" >&2
	exit 1
}
passed() { echo "bundle: $*"; }

# inspect COMMAND…: the names of the tools that the Inspector sees, one a line. It drops all of the environment but
# PATH, HOME and a few more, as clients do.
inspect() {
	env -i PATH="$PATH" HOME="$work/home" timeout --kill-after=5 60 "$inspector" --cli "$@" \
		--format json --strict --method tools/list </dev/null 2>"$work/err" >"$work/out" || {
		cat "$work/err" "$work/out" >&2
		fail "the Inspector failed"
	}
	node -e 'JSON.parse(require("fs").readFileSync(0, "utf8")).result.tools.forEach(t => console.log(t.name))' <"$work/out"
}

export CGO_ENABLED=0 SOURCE_DATE_EPOCH=1772600000
go build -o "$work/rata" ./rata
bundle() {
	"$work/rata" bundle --dir "$dir" --deb --tar --mcpb --json --out "$1" >"$work/made"
}
# said EXPRESSION: of what rata bundle said that it made.
said() {
	node -p 'const made = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")); eval(process.argv[2])' "$work/made" "$1"
}
bundle "$work/dist"
version=$(said 'made.app.version')
id=$(said 'made.app.id')
name=$(basename "$(said 'made.artifacts.find(a => a.kind == "deb").path')" .deb)
package=${name%%_*}
(cd "$work/dist" && sha256sum --check --strict --quiet SHA256SUMS)
[[ $(wc -l <"$work/dist/SHA256SUMS") == 3 ]] || fail "SHA256SUMS does not name three files"
bundle "$work/again" 2>/dev/null
cmp "$work/dist/SHA256SUMS" "$work/again/SHA256SUMS" || fail "the same source made other bytes"
passed "three packages, the same bytes twice"
"$work/rata" mcp inspect --dir "$dir" --json |
	node -e 'JSON.parse(require("fs").readFileSync(0, "utf8")).tools.forEach(t => console.log(t.name))' >"$work/tools"
[[ -s $work/tools ]] || fail "rata mcp inspect shows no tools"

# The .deb: what Debian's own tools read in it.
deb=$work/dist/$name.deb
[[ $(dpkg-deb --field "$deb" Package Version Architecture) == "$(printf 'Package: %s\nVersion: %s\nArchitecture: %s' "$package" "${version/-/\~}" "$(dpkg --print-architecture)")" ]] ||
	fail "the package says of itself $(dpkg-deb --field "$deb")"
dpkg-deb --extract "$deb" "$work/extracted"
desktop-file-validate "$work"/extracted/usr/share/applications/*.desktop
(cd "$work/extracted" && dpkg-deb --control "$deb" "$work/control" && md5sum --check --strict --quiet "$work/control/md5sums")

# An empty root. Where one is not root already, in a user namespace.
as=()
((EUID == 0)) || as=(unshare --map-root-user --)
root=$work/root
dpkg_in_root() {
	"${as[@]}" dpkg --root="$root" --log="$work/dpkg.log" --force-not-root "$@" >"$work/out" 2>&1
}
mkdir -p "$root"/{home/ada,tmp,var/lib/dpkg/{info,updates,triggers}}
touch "$root/var/lib/dpkg/"{status,available}
dpkg --print-architecture >"$root/var/lib/dpkg/arch"
if dpkg_in_root --install "$deb" || ! grep -q "depends on libwebkit2gtk-4.1-0" "$work/out"; then
	fail "dpkg did not miss WebKitGTK: $(cat "$work/out")"
fi
"${as[@]}" dpkg --root="$root" --log="$work/dpkg.log" --force-not-root --purge "$package" >/dev/null 2>&1

# A package in the place of the C library and WebKitGTK, with this system's C library in it. The program opens WebKitGTK
# only for windows.
mkdir -p "$work/system/DEBIAN"
printf 'Package: system\nVersion: 1\nArchitecture: all\nMaintainer: none <none@example.com>\nProvides: libc6, libwebkit2gtk-4.1-0\nDescription: stand-in\n' \
	>"$work/system/DEBIAN/control"
ldd "$work/extracted/usr/bin/$package" >"$work/libraries"
while read -r library; do
	install -D "$library" "$work/system$library"
done < <(grep -o '/[^ ]*' "$work/libraries")
dpkg-deb --root-owner-group --build "$work/system" "$work/system.deb" >/dev/null
dpkg_in_root --install "$work/system.deb" "$deb" || fail "dpkg: $(cat "$work/out")"

# Nothing of this system but a device or two, no network, another user's home.
inside=(bwrap --bind "$root" / --dev /dev --proc /proc --unshare-all --die-with-parent --clearenv --setenv HOME /home/ada)
[[ $("${inside[@]}" "/usr/bin/$package" --version) == "$id v$version" ]] || fail "the installed program says $("${inside[@]}" "/usr/bin/$package" --version)"
inspect "${inside[@]}" "/usr/bin/$package" --mcp | diff "$work/tools" - || fail "the installed program has other tools"
[[ -n $(find "$root/home/ada" -name '*.db') ]] || fail "the installed program made no database in its user's home"
dpkg_in_root --purge "$package" || fail "dpkg: $(cat "$work/out")"
left=$(find "$root" \( -path "$root/home" -o -path "$root/var" \) -prune -o \( -name "*$package*" -o -name "*$id*" \) -print)
[[ -z $left ]] || fail "this is left of the package: $left"
passed "the .deb, installed in an empty root: $(wc -l <"$work/tools") tools, and nothing left of it when it is purged"

# The archive.
tar -xzf "$work/dist/$name.tar.gz" -C "$work"
inspect "$work/$name/bin/$package" --mcp | diff "$work/tools" - || fail "the program in the archive has other tools"
passed "the archive, unpacked"

# The MCP bundle.
mkdir "$work/mcpb"
unzip -q "$work/dist/$name.mcpb" -d "$work/mcpb"
"$mcpb" validate "$work/mcpb/manifest.json" >"$work/out" 2>&1 || fail "the manifest: $(cat "$work/out")"
"$mcpb" info "$work/dist/$name.mcpb" >/dev/null 2>&1 || fail "the validator cannot read the bundle"
mapfile -t start < <(node -e '
	const [manifest, folder] = process.argv.slice(1);
	const { command, args } = JSON.parse(require("fs").readFileSync(manifest, "utf8")).server.mcp_config;
	for (const word of [command, ...args]) console.log(word.replaceAll("${__dirname}", folder));
' "$work/mcpb/manifest.json" "$work/mcpb")
inspect "${start[@]}" | diff "$work/tools" - || fail "the program in the MCP bundle has other tools"
node -e 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).tools.forEach(t => console.log(t.name))' "$work/mcpb/manifest.json" |
	diff "$work/tools" - || fail "the manifest names other tools"
passed "the MCP bundle, judged by mcpb $MCPB and started as its manifest says"
