#!/usr/bin/env bash
# Makes the files of a release as .goreleaser.yaml says, in a clone, and publishes nothing: archives for each system, their
# checksums, and what each program is made of (SBOM). Then it looks into them.
#
# Usage: scripts/release-files.sh GORELEASER CYCLONEDX        (as `go install` names them; make release-files says which)
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
	echo "release-files: $*" >&2
	exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
GOBIN=$work/bin bash scripts/retry.sh go install "$1"
GOBIN=$work/bin bash scripts/retry.sh go install "$2"
git clone --quiet . "$work/elyra"
cd "$work/elyra"
version=v0.0.1-try
for tag in "$version" "agent/$version" "rata/$version"; do git tag "$tag"; done
export PATH=$work/bin:$PATH GORELEASER_CURRENT_TAG=$version CGO_ENABLED=0
goreleaser check --quiet
goreleaser release --clean --skip=publish --parallelism 2 >"$work/log" 2>&1 || fail "goreleaser: $(tail -n 30 "$work/log")"

cd dist
sha256sum --check --quiet checksums.txt
for program in elyra rata; do
	for archive in linux_amd64.tar.gz linux_arm64.tar.gz darwin_amd64.tar.gz darwin_arm64.tar.gz windows_amd64.zip windows_arm64.zip; do
		[[ -e ${program}_${version#v}_$archive ]] || fail "there is no ${program}_${version#v}_$archive"
	done
	tar -xzf "${program}_${version#v}_linux_amd64.tar.gz" -C "$work/bin" "$program"
	said=$("$work/bin/$program" --version)
	[[ $said == *"$version"* ]] || fail "$program --version says '$said', not $version"
	bills=("$program"_*.cdx.json)
	((${#bills[@]} == 6)) || fail "$program has ${#bills[@]} bills of materials, want one a system: ${bills[*]}"
	grep -q '"purl": "pkg:golang/github.com/go-json-experiment/json@' "${bills[0]}" || fail "${bills[0]} does not name a module that $program is made of"
	archives=("$program"_*.tar.gz "$program"_*.zip)
	echo "release-files: $program $said: ${#archives[@]} archives ($(du -ch "${archives[@]}" | tail -n 1 | cut -f 1)), ${#bills[@]} SBOMs"
done
