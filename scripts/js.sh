#!/usr/bin/env bash
# Builds and tests the page runtime, checks that the copy inside the Go program is what it builds, and
# compiles what rata generate --ts writes, strictly.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/need.sh

need npm node
cd js/runtime
bash ../../scripts/retry.sh npm ci --no-audit --no-fund --silent
npm run --silent check
npm run --silent check-generated
npm test --silent
