#!/usr/bin/env bash
# Runs every fuzz target of the given modules for a while. The seeds alone already run in `go test`;
# this looks for inputs that nobody thought of.
#
# Usage: scripts/fuzz.sh TIME MODULE…
set -euo pipefail
cd "$(dirname "$0")/.."

time=$1
shift
count=0
while IFS=: read -r file target; do
	package=$(dirname "$file")
	echo "fuzz: $target in $package"
	(cd "$package" && go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" . </dev/null)
	count=$((count + 1))
done < <(grep -rHoE --include='*_test.go' --exclude-dir=node_modules --exclude-dir=testdata \
	'^func Fuzz[A-Za-z0-9_]+' "$@" | sed 's/func //' | sort -u)

# The parsers of untrusted bytes all have targets, so none found means that the search is broken.
if ((count == 0)); then
	echo "fuzz: no fuzz target found under $*" >&2
	exit 1
fi
