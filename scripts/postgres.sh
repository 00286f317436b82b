#!/usr/bin/env bash
# Runs a command beside a PostgreSQL server of its own: new, on loopback, in a temporary folder that
# is deleted in the end. The command finds its address in ELYRA_TEST_POSTGRES, and in ELYRA_TEST_POSTGRES_CTL
# what to call, with "restart" and options of pg_ctl behind it, to have it go and come back.
#
# Usage: scripts/postgres.sh go test -tags postgres ./database/postgres/
#
# Needs Debian's package postgresql. Root installs it when it is absent; the server never runs as root.
set -euo pipefail

binaries() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }

if [[ -z $(binaries) ]]; then
	if ((EUID != 0)); then
		echo "postgres: install the package postgresql" >&2
		exit 1
	fi
	# The package would start a server of the machine's own.
	mkdir -p /etc/postgresql-common
	echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql >/dev/null
fi
bin=$(binaries)

as=()
folder=$(mktemp -d)
if ((EUID == 0)); then
	as=(runuser -u postgres --)
	chown postgres "$folder"
fi

port=$((20000 + RANDOM % 12000)) # below the ports that a client gets, one of which might be in the way of a restart
cleanup() {
	"${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1 || true
	rm -rf "$folder"
}
trap cleanup EXIT

cd /
"${as[@]}" "$bin/initdb" -D "$folder/data" -U elyra --auth=trust --no-sync -E UTF8 --locale=C >/dev/null
"${as[@]}" "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" -o "-h 127.0.0.1 -p $port -k $folder -c fsync=off" start >/dev/null
cd - >/dev/null

ELYRA_TEST_POSTGRES="postgres://elyra@127.0.0.1:$port/postgres?sslmode=disable" \
	ELYRA_TEST_POSTGRES_CTL="${as[*]} $bin/pg_ctl -D $folder/data -l $folder/log -w" "$@"
