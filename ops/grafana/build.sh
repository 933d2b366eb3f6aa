#!/usr/bin/env bash
# Type-checks and compiles the dashboards' sources into target/. Needs Node.js 18 or newer, with npm;
# the packages that package-lock.json names are installed beside this file, once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

fail() { printf 'keywell: %s\n' "$*" >&2; exit 1; }

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  fail "Node.js 18 or newer, with npm, is needed to check the dashboards; install it and try again"
fi
version=$(node --version)
major=${version#v}
[ "${major%%.*}" -ge 18 ] || fail "Node.js 18 or newer is needed to check the dashboards, not $version"

if ! cmp -s package-lock.json node_modules/.installed-lock; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null ||
    fail "npm could not install the packages of $PWD/package-lock.json"
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
