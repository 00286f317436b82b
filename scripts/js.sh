#!/usr/bin/env bash
# Builds and tests the page runtime, and checks that the copy inside the Go program is what it builds.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/need.sh

need npm node
cd js/runtime
bash ../../scripts/retry.sh npm ci --no-audit --no-fund --silent
npm run --silent check
npm test --silent
