#!/usr/bin/env bash
# Has Docker Compose check docker-compose.yml, where there is one; no engine is needed for that.
# (What the file promises, such as loopback ports only, is held by a Java test on every machine.)
set -euo pipefail
file=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/docker-compose.yml

# Earlier ones accept the limits of processes (deploy.resources.limits.pids), and do not set them.
readonly MINIMUM=2.6.1

if docker compose version >/dev/null 2>&1; then
  compose=(docker compose)
elif docker-compose version >/dev/null 2>&1; then
  compose=(docker-compose)
else
  printf 'Docker Compose is not here; only ComposeFileTest looks at docker-compose.yml\n'
  exit 0
fi

version=$("${compose[@]}" version --short)
numbers=${version#v}
numbers=${numbers%%[-+]*}
if [ "$(printf '%s\n' "$MINIMUM" "$numbers" | sort -V | head -n 1)" != "$MINIMUM" ]; then
  printf 'docker-compose.yml needs Docker Compose %s or later; this is %s\n' "$MINIMUM" "$version" >&2
  exit 1
fi
"${compose[@]}" -f "$file" config --quiet
printf 'Docker Compose %s accepts docker-compose.yml\n' "$version"
