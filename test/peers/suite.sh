# Sourced by the scripts beside it, after version.sh and report.sh: the protocol's own conformance suite.

suite=.cache/peers/conformance-$CONFORMANCE/node_modules/@modelcontextprotocol/conformance/dist/index.js
node=node
if (($(node -p 'process.versions.node.split(".")[0]') < 22)); then
	node=$(echo .cache/peers/node-"$NODE"/node_modules/node-*/bin/node*)
fi

# names SECTION: the names that the suite's output has, with a mark, below a heading.
names() {
	sed -n "/$1/,/^\$/p" "$work/out" | sed -nE 's/^ *[^a-z ]+ ([a-z0-9_:/-]*[a-z0-9]).*/\1/p'
}

# known SIDE FILE: the scenarios that a list of expected failures has for that side.
known() {
	awk -v side="$1:" '/^[a-z]/ { on = $1 == side } on && $1 == "-" { print $2 }' "$2" | sort -u
}

# examine SIDE REVISION ARGUMENTS…: runs what a revision requires of the server or the client, and reports it. Fails when a
# scenario failed unexpectedly, passed unexpectedly or did not run.
examine() {
	local side=$1 revision=$2 expected=test/conformance/expected-$2.yml result=0
	shift 2
	"$node" "$suite" list "--$side" --requirements "$revision" >"$work/out"
	names "^${side^} scenarios" | sort >"$work/required"
	timeout --kill-after=5 600 "$node" "$suite" "$side" "$@" --requirements "$revision" \
		--expected-failures "$expected" --output-dir "$work/results-$side-$revision" >"$work/out" 2>&1 || result=$?
	sed -nE 's/^[^a-z ]+ ([a-z0-9_:/-]*[a-z0-9]): [0-9]+ passed.*/\1/p' "$work/out" | sort -u >"$work/ran"
	names 'Unexpected failures (' >"$work/broken"
	names 'Stale' >>"$work/broken"
	comm -23 "$work/required" "$work/ran" >>"$work/broken"
	local required broken expecting
	required=$(wc -l <"$work/required") broken=$(wc -l <"$work/broken") expecting=$(known "$side" "$expected" | wc -l)
	if ((result != 0 && broken == 0)); then
		broken=1
	fi
	report "conformance suite $CONFORMANCE, $side" "$revision" $((required - expecting - broken)) "$broken" "$required required, $expecting expected to fail"
	((broken == 0 && required > 0)) && return 0
	echo "peers: conformance suite, $side, $revision: these failed, passed unexpectedly or did not run:" >&2
	cat "$work/broken" >&2
	tail -n 60 "$work/out" >&2
	return 1
}
