# Sourced by the scripts beside it: a running app without a window, in the home and with the environment that `bare` names.

app=

# start_app BARE…: starts the app and waits until it serves; its log is $work/app.log.
start_app() {
	"$@" "$PEERS_BIN/crm" --headless >"$work/app.log" 2>&1 &
	app=$!
	for ((i = 0; i < 100; i++)); do
		grep -qs "serving without a window" "$work/app.log" && return 0
		kill -0 "$app" 2>/dev/null || break
		sleep 0.1
	done
	echo "peers: the app did not start:" >&2
	cat "$work/app.log" >&2
	return 1
}

stop_app() {
	[[ -z $app ]] || { kill "$app" && wait "$app"; } 2>/dev/null || true
	app=
}
