# Sourced by the scripts beside it: the table that run.sh prints at the end.

# report PEER ERA PASSED FAILED [NOTE]
report() {
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:-}" >>"${PEERS_REPORT:-/dev/stdout}"
}
