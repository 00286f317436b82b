#!/usr/bin/env bash
# Plays a conversation at a real terminal (tmux) of three sizes and compares what it shows, scrollback and all, with
# testdata/tmux.*.txt. Needs tmux and Go; fails without them.
#
# Usage: agent/internal/tui/tmux.sh [-update]      (-update rewrites the files)
set -euo pipefail
cd "$(dirname "$0")"

update=${1:-}
command -v tmux >/dev/null || {
	echo "tmux.sh: tmux is missing: install the package tmux" >&2
	exit 1
}

work=$(mktemp -d)
socket=$work/tmux
export LC_ALL=C.UTF-8
t() { tmux -S "$socket" -f /dev/null "$@"; }
cleanup() {
	t kill-server 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
go build -o "$work/replay" ./testdata/replay

# wait_for TEXT: until the pane shows it.
wait_for() {
	for _ in $(seq 300); do
		t capture-pane -p -S - -t demo | grep -qF -- "$1" && return 0
		sleep 0.1
	done
	echo "tmux.sh: '$1' was not shown:" >&2
	t capture-pane -p -S - -t demo >&2
	exit 1
}

# idle: until nothing goes on any more.
idle() {
	for _ in $(seq 300); do
		t capture-pane -p -t demo | grep -qF -- '❯ ask anything' && return 0
		sleep 0.1
	done
	echo "tmux.sh: the work has not ended" >&2
	exit 1
}

# shot TITLE: what there is to see, with times made equal.
shot() {
	printf '=== %s\n' "$1"
	t capture-pane -p -S - -t demo | sed -E 's/ for [0-9.]+s/ for Ns/; s/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/⠋/; s/ [0-9]+s · esc/ · esc/' |
		sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

failed=0
for size in 20x10 80x24 160x50; do
	width=${size%x*} height=${size#*x}
	t new-session -d -s demo -x "$width" -y "$height" "env -u COLORTERM -u NO_COLOR TERM=tmux-256color '$work/replay'; sleep 1000"
	got=$work/$size.txt
	{
		wait_for 'elyra 0.0'
		wait_for '❯'
		shot 'start'
		t send-keys -t demo -l 'fix the parser'
		t send-keys -t demo Enter
		wait_for '$0.02'
		idle
		shot 'a conversation'
		t send-keys -t demo -l 'ask'
		t send-keys -t demo Enter
		wait_for '4. No'
		sleep 0.6 # A question takes no keys before it could be read.
		t send-keys -t demo Down
		wait_for '▸ 2.'
		shot 'a question'
		t send-keys -t demo Enter
		wait_for 'You chose 2.'
		wait_for '$0.04'
		idle
		t send-keys -t demo -l '/he'
		wait_for '▸ /help'
		t send-keys -t demo Escape
		sleep 0.3 # Escape and a key at once are alt and the key.
		t send-keys -t demo C-c
		wait_for 'ctrl+c again'
		if ((height > 10)); then # On a smaller one, rows of the live region scroll away while it becomes narrower.
			t resize-window -t demo -x $((width * 2)) -y "$height"
			sleep 0.5
			t resize-window -t demo -x "$width" -y "$height"
			sleep 0.5
		fi
		shot 'after changes of the width'
		t send-keys -t demo C-d
	} >"$got"
	t kill-session -t demo
	if [[ $update == -update ]]; then
		cp "$got" "testdata/tmux.$size.txt"
	elif ! diff -u "testdata/tmux.$size.txt" "$got"; then
		failed=1
	fi
done
((failed == 0)) || {
	echo "tmux.sh: what the terminal shows has changed; look at it, then run $0 -update" >&2
	exit 1
}
echo "tmux.sh: 3 passed, 0 failed"
