#!/usr/bin/env bash
# The agent logs in to an MCP server behind oidc-provider, another implementation of OAuth: registration, login, refresh by
# one and by several processes, step-up, denial, pasting, a client metadata document and logout. A script that follows
# redirects stands in for the browser; it is found as xdg-open, so this runs on Linux.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/oauth-version.sh
. test/peers/report.sh

modules=$PWD/.cache/peers/oidc-provider-$OIDC_PROVIDER/node_modules
document=https://elyra.example/oauth/client.json
work=$(mktemp -d)
server=
finish() {
	exec 3>&- || true # The server stops when its input ends.
	[[ -z $server ]] || wait "$server" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

peer=$work/peer
if [[ -x ${PEERS_BIN:-}/oauthpeer ]]; then
	peer=$PEERS_BIN/oauthpeer
else
	(cd agent && CGO_ENABLED=0 go build -o "$peer" ./internal/oauth/peer)
fi
"$peer" document "$document" >"$work/document.json"
mkfifo "$work/input"
node test/peers/oauth/server.mjs "$modules" "$work/document.json" <"$work/input" >"$work/url" 2>"$work/log" &
server=$!
exec 3>"$work/input"
for ((i = 0; i < 100; i++)); do
	[[ -s $work/url ]] && break
	sleep 0.1
done
url=$(cat "$work/url")

passed=0
label=start
fail() {
	report "oidc-provider $OIDC_PROVIDER" 2026-07-28 "$passed" 1 "$label"
	printf 'peers: oauth: %s: %s\n' "$label" "$1" >&2
	tail -n 40 "$work/log" "$work/out" "$work/err" >&2
	exit 1
}
trap 'fail "line $LINENO failed"' ERR
[[ -n $url ]] || fail "the server did not start"

# agent STATUS ARGUMENTS…: one process of the agent, which must end with that status.
home=$work/home
bare=(env -i PATH="$PWD/test/peers/oauth:$PATH" HOME="$work" BROWSER_LOG="$work/browser")
agent() {
	local want=$1 got=0
	shift
	"${bare[@]}" timeout --kill-after=5 60 "$peer" -home "$home" -url "$url" "$@" >"$work/out" 2>"$work/err" || got=$?
	[[ $got == "$want" ]] || fail "exit status $got, want $want: $*"
}

# said FILE TEXT: the last process printed that.
said() {
	grep -qF -- "$2" "$work/$1" || fail "it does not say: $2"
	passed=$((passed + 1))
}

# control QUERY: sets how the server behaves.
control() {
	node -e 'fetch(process.argv[1]).then(r => r.text()).then(t => console.log(t))' "${url%/mcp}/control?${1:-}" >"$work/counted"
}

# counts NAME NUMBER: the server has counted that many.
counts() {
	control
	local got
	got=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1]))[process.argv[2]]' "$work/counted" "$1")
	[[ $got == "$2" ]] || fail "$1: $got, want $2"
	passed=$((passed + 1))
}

label="without a login"
agent 3 call read
said err 'server "notes" needs a login (nobody has logged in yet): run: elyra mcp login notes'

label=denial
control deny=1
agent 4 login
said err "the login was not granted: access_denied (the user said no)"
agent 3 call read
control deny=0

label="login and a call"
agent 0 login
agent 0 call read
said out "read for ada"
agent 0 status
said out "in=true refreshes=true scopes=notes:read"
[[ $(stat -c %a "$home/extension-credentials.json") == 600 ]] || fail "the credentials file is open to others"
counts browsers 1

label="a process of its own uses the kept token"
agent 0 call read
counts browsers 1
counts refreshes 0

label="step-up without anybody to ask"
agent 3 call write
said err "(scopes: notes:read notes:write"
label="step-up with a login of another process"
agent 0 login
agent 0 call write
said out "write for ada"
counts registrations 2 # the one that was denied, and the one of all later logins

label="refresh after the end"
control life=3
agent 0 login
sleep 3.2
agent 0 call read
said out "read for ada"
counts refreshes 1
counts failedGrants 0

label="six processes refresh at once"
sleep 3.2
processes=()
for ((i = 0; i < 6; i++)); do
	"${bare[@]}" timeout --kill-after=5 60 "$peer" -home "$home" -url "$url" call read >"$work/out.$i" 2>"$work/err.$i" &
	processes+=($!)
done
for process in "${processes[@]}"; do
	wait "$process" || { cat "$work"/err.* >&2; fail "one of them failed"; }
done
counts failedGrants 0
passed=$((passed + 6))

label="the refreshed scopes are those of the login"
agent 0 call write
said out "write for ada"
control life=3600

label="a call starts the login, and steps up"
home=$work/second
agent 0 -offer call write
said out "write for ada"
agent 0 status
said out "notes:read,notes:write"

label="pasting, with a browser that cannot reach this machine"
home=$work/third
: >"$work/browser"
: >"$work/out"
mkfifo "$work/paste"
"${bare[@]}" timeout --kill-after=5 60 "$peer" -home "$home" -url "$url" -no-browser login <"$work/paste" >"$work/out" 2>"$work/err" &
process=$!
exec 4>"$work/paste"
for ((i = 0; i < 100; i++)); do
	[[ -s $work/out ]] && break
	sleep 0.1
done
"${bare[@]}" BROWSER_AWAY=1 test/peers/oauth/xdg-open "$(head -n 1 "$work/out")" || fail "the browser did not arrive"
cat "$work/browser" >&4
exec 4>&-
wait "$process" || fail "the login failed"
agent 0 call read
said out "read for ada"

label="a client metadata document instead of a registration"
home=$work/fourth
control
before=$(cat "$work/counted")
agent 0 -document "$document" login
agent 0 call read
said out "read for ada"
counts registrations "$(node -p 'JSON.parse(process.argv[1]).registrations' "$before")"

label=logout
agent 0 logout
counts revocations 2
agent 0 status
said out "in=false"
agent 3 call read
said err "needs a login"

label="no secret in a log"
if grep -rqE 'eyJ|Bearer [A-Za-z0-9_-]{20}|(refresh_token|code_verifier)=[A-Za-z0-9]' "$work/log" "$work/err"; then
	fail "there is one"
fi
passed=$((passed + 1))

report "oidc-provider $OIDC_PROVIDER" 2026-07-28 "$passed" 0
