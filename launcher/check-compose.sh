#!/usr/bin/env bash
# Has Docker Compose check docker-compose.yml, where there is one; no engine is needed for that.
# (What the file promises, such as loopback ports only, is held by a Java test on every machine.)
set -euo pipefail
file=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/docker-compose.yml

if docker compose version >/dev/null 2>&1; then
  docker compose -f "$file" config --quiet
elif docker-compose version >/dev/null 2>&1; then
  docker-compose -f "$file" config --quiet
else
  printf 'Docker Compose is not here; only ComposeFileTest looks at docker-compose.yml\n'
  exit 0
fi
printf 'Docker Compose accepts docker-compose.yml\n'
