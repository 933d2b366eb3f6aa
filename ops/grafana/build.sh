#!/usr/bin/env bash
# Type-checks and compiles the dashboards' sources into target/. Needs Node.js 18 or newer, with npm;
# the packages that package-lock.json names are installed beside this file, once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if ! cmp -s package-lock.json node_modules/.installed-lock; then
  npm ci --engine-strict --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
  cp package-lock.json node_modules/.installed-lock
fi

# Compiled since anything changed? Then there is nothing to do.
if [ ! -f target/.built ] ||
  [ -n "$(find src tsconfig.json package-lock.json -newer target/.built)" ]; then
  rm -rf target
  mkdir target
  # As old as the beginning: a file that is edited meanwhile counts as newer.
  touch target/.began
  node node_modules/typescript/bin/tsc --project .
  mv target/.began target/.built
fi
