# Sourced by the other scripts. A missing tool fails the check with what to do about it.

# need TOOL PART: fails unless the command TOOL exists; PART is what scripts/install-deps.sh calls it.
need() {
	command -v "$1" >/dev/null && return 0
	echo "$(basename "$0"): '$1' is not installed: run scripts/install-deps.sh $2" >&2
	exit 1
}
