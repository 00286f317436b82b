#!/usr/bin/env bash
# Installs what server.mjs needs, as package-lock.json says. make bench does so where npm is; without it the comparison
# leaves the TypeScript SDK out and says so.
set -euo pipefail
cd "$(dirname "$0")"

command -v npm >/dev/null || exit 0
[[ -d node_modules ]] || bash ../../scripts/retry.sh npm ci --no-audit --no-fund --ignore-scripts --silent
