#!/usr/bin/env bash
# Runs a command that downloads something, once more after a pause if it fails: a registry's hiccup
# must not look like a failure of the project. Only for downloads, never for tests.
set -euo pipefail

"$@" && exit 0
echo "retry: '$*' failed; trying once more in 10 seconds" >&2
sleep 10
exec "$@"
