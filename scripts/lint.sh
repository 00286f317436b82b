#!/usr/bin/env bash
# Formatting, static analysis and tidy modules, with pinned tools that `go run` fetches.
#
# Usage: scripts/lint.sh GOFUMPT@VERSION STATICCHECK@VERSION MODULE…
set -euo pipefail
cd "$(dirname "$0")/.."

gofumpt=$1 staticcheck=$2
shift 2
failed=0

bash scripts/retry.sh go run "$gofumpt" -version >/dev/null
bash scripts/retry.sh go run "$staticcheck" -version >/dev/null

unformatted=$(go run "$gofumpt" -l .)
if [[ -n $unformatted ]]; then
	printf 'lint: not formatted, run `make format`:\n%s\n' "$unformatted" >&2
	failed=1
fi

go run "$staticcheck" "${@/%//...}" || failed=1

# tidy: `go mod tidy -diff` fails with a difference when there is one, and without one
# when a download failed; only the second is worth another try.
tidy() {
	local difference
	if difference=$(GOWORK=off go mod tidy -diff); then
		return 0
	elif [[ -z $difference ]]; then
		sleep 10
		difference=$(GOWORK=off go mod tidy -diff) && return 0
	fi
	printf '%s\n' "$difference" >&2
	return 1
}

for module in "$@"; do
	if ! (cd "$module" && tidy); then
		echo "lint: $module/go.mod is not tidy: run 'GOWORK=off go mod tidy' there" >&2
		failed=1
	fi
done
exit $failed
