#!/usr/bin/env bash
# Puts the pinned authorization server below .cache/peers, once.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/peers/oauth-version.sh
. scripts/need.sh

need npm node
folder=.cache/peers/oidc-provider-$OIDC_PROVIDER
[[ -d $folder/node_modules ]] && exit 0
echo "peers: installing oidc-provider@$OIDC_PROVIDER"
mkdir -p .cache/peers
new=$(mktemp -d .cache/peers/new.XXXXXX)
trap 'rm -rf "$new"' EXIT
echo '{"private":true}' >"$new/package.json"
bash scripts/retry.sh npm install --prefix "$new" --no-package-lock --no-audit --no-fund --ignore-scripts --silent "oidc-provider@$OIDC_PROVIDER"
rm -rf "$folder"
mv "$new" "$folder"
