#!/usr/bin/env bash
# The image's entry point: becomes the service.
#
# The service takes a PIN only from a file that nobody else can read. Secrets are mounted with the
# host's owner and mode, so PIN files that are open to others are copied to private ones first; in
# docker-compose.yml, /tmp is memory and goes with the container.
set -euo pipefail
umask 077

# keep_private VARIABLE: lets it name a private copy of the file that it names.
keep_private() {
  local variable=$1 file=${!1:-}
  [ -n "$file" ] && [ -r "$file" ] || return 0
  case $(stat -L -c %a "$file") in
    *00) return 0 ;;
  esac
  local copy
  copy=$(mktemp "${TMPDIR:-/tmp}/keywell-pin.XXXXXX")
  cat "$file" >"$copy"
  export "$variable=$copy"
}

keep_private KEYWELL_HSM_PINFILE
keep_private KEYWELL_HSM_SOPINFILE
exec java -XX:MaxRAMPercentage=75 -jar /opt/keywell/keywell-service.jar "$@"
