#!/usr/bin/env bash
# Type-checks the dashboards' sources, and checks that the committed JSON is what they give.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/grafana"
./build.sh
node target/generate.js check
printf 'The dashboards type-check, and are what their sources give\n'
