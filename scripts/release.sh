#!/usr/bin/env bash
# Makes a release: one commit in which no go.mod replaces another module of this repository, and one tag a module.
#
# Usage: scripts/release.sh [--publish] VERSION        (such as v0.1.0)
#
# All of it happens in a clone. There the modules are also served from a folder, as a proxy would serve them, and installed
# from it into an empty module cache: that rata and elyra can be installed and say their version, and that an app which
# that rata makes builds and passes its tests. Without --publish the clone is then removed. With it the tags are pushed to
# this repository's origin; main stays as it is, with its replaces.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=(rata agent contrib/otel contrib/wails) # those that stand on the root module
root=github.com/elyra-go/elyra

fail() {
	echo "release: $*" >&2
	exit 1
}

publish=
if [[ ${1-} == --publish ]]; then
	publish=1
	shift
fi
version=${1-}
[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail "say a version such as v0.1.0, not '$version'"
grep -q "^## \[${version#v}\]" CHANGELOG.md || fail "CHANGELOG.md has no heading '## [${version#v}]'"
[[ -z $(git tag --list "$version") ]] || fail "there is a tag $version already"
[[ -z $publish || -z $(git status --porcelain) ]] || fail "commit first what git status shows"

work=$(mktemp -d)
clean() {
	chmod -R u+w "$work" # the module cache is read-only
	rm -rf "$work"
}
trap clean EXIT

echo "release: $version of $(git rev-parse --short HEAD), in a clone"
git clone --quiet . "$work/elyra"
mkdir "$work/bin"
go build -o "$work/bin/moduleproxy" ./test/cmd/moduleproxy
cached=$(go env GOMODCACHE)/cache/download
# The machine's own cache must not come to know versions that nobody has published. Ours come from the folder; others from
# what is on this machine, else from where they always come from.
# -trimpath: what was built once need not be built again because the module cache is another folder.
export GOMODCACHE=$work/modules
export GOPROXY="file://$work/proxy,file://$cached,$(go env GOPROXY)" GONOSUMDB="$root,$root/*" GOWORK=off CGO_ENABLED=0 GOFLAGS="-mod=mod -trimpath"
cd "$work/elyra"

serve() { "$work/bin/moduleproxy" -o "$work/proxy" -version "$version" "$@"; }

for module in "${modules[@]}"; do
	(cd "$module" && go mod edit -dropreplace "$root" -require "$root@$version")
done
git commit --quiet --all --message "Release $version"
first=$(serve .)
for module in "${modules[@]}"; do
	(cd "$module" && go mod tidy) || fail "$module: go mod tidy failed against $root $version"
done
git commit --quiet --all --amend --no-edit
[[ $(serve .) == "$first" ]] || fail "the root module changed with the go.sum of another: is it a module of its own?"
serve "${modules[@]}"
! git grep -n "^replace.*$root\|^	$root.*=>" -- "${modules[@]/%//go.mod}" || fail "a go.mod still replaces a module"

git tag "$version"
for module in "${modules[@]}"; do git tag "$module/$version"; done

echo "release: installing into an empty module cache"
chmod -R u+w "$work/modules" && rm -rf "$work/modules"
export GOBIN=$work/bin
cd "$work"
go install "$root/rata@$version"
go install "$root/agent/cmd/elyra@$version"
for program in rata elyra; do
	said=$("$work/bin/$program" --version)
	[[ $said == *"$version"* ]] || fail "$program --version says '$said', not $version"
	echo "release: $program $said"
done

echo "release: an app of that rata"
PATH=$work/bin:$PATH rata new shop >"$work/new.log" 2>&1 || fail "rata new: $(cat "$work/new.log")"
(cd shop && ! grep -n "=>" go.mod && go vet ./... && go test ./...)

if [[ -n $publish ]]; then
	origin=$(git -C "$OLDPWD" remote get-url origin 2>/dev/null || true)
	[[ -n $origin ]] || fail "this repository has no origin to push to"
	git -C "$work/elyra" push --atomic "$origin" "$version" "${modules[@]/%//$version}"
	echo "release: pushed $version to $origin"
else
	echo "release: $version could be published; nothing was (say --publish)"
fi
