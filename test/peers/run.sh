#!/usr/bin/env bash
# Lets other people's implementations of MCP work with ours, without a network, and prints what they
# checked. Fails when a check does, or when a peer or a tool is missing.
#
# Usage: test/peers/run.sh [PEER…]     (no argument: all of them)
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/need.sh

need node node
need timeout coreutils
bash test/peers/install.sh
bash test/peers/oauth-install.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PEERS_BIN=$work/bin PEERS_REPORT=$work/report CGO_ENABLED=0
mkdir "$PEERS_BIN"
: >"$PEERS_REPORT"
go build -o "$PEERS_BIN/" ./examples/crm ./test/cmd/bridge ./test/cmd/fixture ./test/cmd/probe ./test/cmd/agentservers ./agent/cmd/elyra \
	./agent/internal/model/modeltest/play
go build -o "$PEERS_BIN/oauthpeer" ./agent/internal/oauth/peer
go test -c -o "$PEERS_BIN/gosdk.test" ./test/gosdk

# The peers run where only the loopback interface exists, if this system lets us.
inside='ip link set lo up && exec "$@"'
network="the peers had the loopback interface alone"
if unshare -n bash -c "$inside" - true 2>/dev/null; then
	offline=(unshare -n bash -c "$inside" -)
elif unshare -rn bash -c "$inside" - true 2>/dev/null; then
	offline=(unshare -rn bash -c "$inside" -)
else
	offline=(env)
	network="NOT ISOLATED: the peers could reach the network, because 'unshare -n' does not work here"
	echo "peers: warning: $network" >&2
fi

failed=()
all="gosdk typescript inspector inspector-old mcpdo servers conformance conformance-client oauth agent-servers agent-crm agent-typescript agent-inspector"
for peer in ${*:-$all}; do
	rows=$(wc -l <"$PEERS_REPORT")
	if ! GOPROXY=off "${offline[@]}" bash "test/peers/$peer.sh"; then
		failed+=("$peer")
	elif [[ $(wc -l <"$PEERS_REPORT") == "$rows" ]]; then
		echo "peers: $peer reports nothing" >&2
		failed+=("$peer")
	fi
done

printf '\n%-42s %-28s %7s %7s\n' peer era passed failed
while IFS=$'\t' read -r name era passed broken note; do
	printf '%-42s %-28s %7s %7s  %s\n' "$name" "$era" "$passed" "$broken" "$note"
	[[ $broken == 0 ]] || failed+=("$name")
done <"$PEERS_REPORT"
printf '\nnetwork: %s\n' "$network"
if ((${#failed[@]} > 0)); then
	echo "peers: failed: $(printf '%s\n' "${failed[@]}" | sort -u | paste -sd ',')" >&2
	exit 1
fi
