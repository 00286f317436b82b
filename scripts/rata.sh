#!/usr/bin/env bash
# The whole way of an app with rata, as its developer goes it: new, two resources, generated code that is fresh, its tests,
# its migrations on SQLite and PostgreSQL, what an agent sees before and after a grant, a call, and the package that a user
# installs, in an empty root, asked by the official MCP Inspector.
#
# Usage: scripts/postgres.sh scripts/rata.sh
#
# Needs what scripts/bundle.sh needs, and the modules of the examples in the module cache.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
	echo "rata: $*" >&2
	exit 1
}
passed() { echo "rata: $*"; }

# says PATTERN COMMAND…: the command's output, of both kinds, has a line that fits.
says() {
	local pattern=$1
	shift
	"$@" >"$work/said" 2>&1 || fail "$*: $(cat "$work/said")"
	grep -Eq -- "$pattern" "$work/said" || fail "$* does not say '$pattern': $(cat "$work/said")"
}

# refuses PATTERN COMMAND…: the command fails, and its output has a line that fits.
refuses() {
	local pattern=$1
	shift
	! "$@" >"$work/said" 2>&1 || fail "$* did not fail: $(cat "$work/said")"
	grep -Eq -- "$pattern" "$work/said" || fail "$* does not say '$pattern': $(cat "$work/said")"
}

# The caches stay those of the machine: the figure below is for warm ones.
GOPATH=$(go env GOPATH) GOCACHE=$(go env GOCACHE)
export CGO_ENABLED=0 GOPATH GOCACHE HOME=$work/home PATH=$work/bin:$PATH
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME DATABASE_URL
mkdir -p "$work/bin" "$HOME"
go build -o "$work/bin/rata" ./rata
cd "$work"

began=$(date +%s%N)
says "shop is ready" rata new shop
cd shop
says "notes_store" rata mcp inspect
passed "rata new to the first answer of the app's MCP server: $((($(date +%s%N) - began) / 1000000)) ms"

says "created resources/products/service.go" rata make:resource product name:string price:decimal stock:int
says "created resources/suppliers/service.go" rata make:resource supplier name:string:unique email:email founded:date?
refuses "exists|there is" rata make:resource product name:string
rata generate --check ./...
go vet ./...
go test ./... >"$work/said" 2>&1 || fail "the tests of the app: $(cat "$work/said")"
passed "two resources: generated code is fresh, vet and the generated tests pass"

for database in "sqlite:$work/shop.db" "$ELYRA_TEST_POSTGRES"; do
	export DATABASE_URL=$database
	says "pending" rata migrate:status
	says "00003_create_suppliers|3 migrations" rata migrate
	! rata migrate:status | grep pending || fail "a migration is pending after rata migrate"
	says "00003|1 migration" rata migrate:rollback
	says "pending" rata migrate:status
	says "00003|1 migration" rata migrate
done
export DATABASE_URL="sqlite:$work/shop.db"
passed "migrations up, down and up again on SQLite and PostgreSQL"

says 'products_store +its ability "products.create" is not granted' rata mcp inspect
refuses "products_store" rata mcp call products_store '{"input":{"name":"Lamp","price":"89.00","stock":3}}'
# What make:resource says to add, added.
sed -i 's/^\([[:space:]]*\)MCP(elyra.NewMCP()\./&\n\1\tAllowAbilities("products.view", "products.create", "products.update")./' main.go
says "^products_store +\(products.create\)" rata mcp inspect
says '"price": "89.00"' rata mcp call products_store '{"input":{"name":"Lamp","price":"89.00","stock":3}}'
refuses "input.price" rata mcp call products_store '{"input":{"name":"Lamp","price":"89.001","stock":3}}'
says '"Lamp"' rata mcp read app://products_index
passed "no tool before the grant, a tool after it, and what it wrote is read"

unset DATABASE_URL
refuses "maintainer" rata bundle --deb
git config --global user.name "The shop" && git config --global user.email shop@example.com
bash "$checkout/scripts/bundle.sh" "$PWD"
