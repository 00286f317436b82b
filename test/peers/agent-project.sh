# Sourced by the scripts beside it: a project with a home, for `elyra --mode mcp`, and a scripted model for it.

model=

# make_project FOLDER HOME: a real repository with a commit, a decision, and changes that nobody has committed.
make_project() {
	local git=(env HOME="$2" GIT_CONFIG_NOSYSTEM=1 git -C "$1" -c user.name=peers -c user.email=peers@example.com -c init.defaultBranch=main)
	mkdir -p "$1/docs/adr" "$2/.elyra/agent"
	echo '{"sandbox": "off"}' >"$2/.elyra/agent/settings.json" # so that processes of commands can be seen
	printf '%s\n' '---' 'status: accepted' 'date: 2024-02-03' '---' '# Use Go' '' 'It is plain.' >"$1/docs/adr/0001-go.md"
	echo hello >"$1/note.txt"
	"${git[@]}" init -q
	"${git[@]}" add .
	"${git[@]}" commit -q -m "a note"
	echo 'panic(1)' >"$1/bug.go"
	echo goodbye >>"$1/note.txt"
}

# start_model SCRIPT FILE: starts the model, and writes the variables to FILE, NAME=value, that let programs find it.
start_model() {
	"$PEERS_BIN/play" "$1" >"$2" 2>"$2.said" &
	model=$!
	for ((i = 0; i < 100; i++)); do
		if [[ $(grep -c '^export' "$2") == 4 ]]; then
			sed -i 's/^export //' "$2"
			return 0
		fi
		kill -0 "$model" 2>/dev/null || break
		sleep 0.1
	done
	echo "peers: the model did not start:" >&2
	cat "$2.said" >&2
	return 1
}

# stop_model FILE: ends the model. Fails, and says why, when it was not asked what its script says.
stop_model() {
	local status=0
	[[ -n $model ]] || return 0
	kill -TERM "$model" 2>/dev/null || true
	wait "$model" || status=$?
	model=
	((status == 0)) || sed 's/^/peers: /' "$1.said" >&2
	return $status
}
