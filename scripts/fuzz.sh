#!/usr/bin/env bash
# Runs every fuzz target of the given modules for a while. The seeds alone already run in `go test`;
# this looks for inputs that nobody thought of.
#
# Usage: scripts/fuzz.sh TIME MODULE…     (TIME as for go test: 5m, or a number of inputs: 2000x)
set -euo pipefail
cd "$(dirname "$0")/.."

time=$1
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# fuzz TARGET PACKAGE: the Go tool now and then ends a target whose time is up with an error of its own, "context
# deadline exceeded", and no input to show. That is no finding: the target runs once more. Making inputs smaller is bounded,
# or it would take the time that looking for new ones should have.
fuzz() {
	local try
	for try in 1 2 3; do
		if (cd "$2" && go test -run '^$' -fuzz "^$1\$" -fuzztime "$time" -fuzzminimizetime 10x . </dev/null) >"$output" 2>&1; then
			cat "$output"
			return 0
		fi
		cat "$output"
		grep -q 'context deadline exceeded' "$output" && ! grep -q 'Failing input written' "$output" || return 1
	done
	return 1
}

count=0
while IFS=: read -r file target; do
	package=$(dirname "$file")
	echo "fuzz: $target in $package"
	fuzz "$target" "$package"
	count=$((count + 1))
done < <(grep -rHoE --include='*_test.go' --exclude-dir=node_modules --exclude-dir=testdata \
	'^func Fuzz[A-Za-z0-9_]+' "$@" | sed 's/func //' | sort -u)

# The parsers of untrusted bytes all have targets, so none found means that the search is broken.
if ((count == 0)); then
	echo "fuzz: no fuzz target found under $*" >&2
	exit 1
fi
