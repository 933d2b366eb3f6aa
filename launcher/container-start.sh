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

# Those of all devices, and of each that has its own.
for variable in $(compgen -e KEYWELL_HSM_); do
  case $variable in
    *PINFILE) keep_private "$variable" ;;
  esac
done

# SoftHSM does not make its directory, and unlike a new volume of Docker's, a mounted directory or a
# volume of Kubernetes' does not begin with what the image has in its place.
case ${KEYWELL_HSM_MODULE:-} in
  *softhsm2*)
    tokens=$(sed -n 's/^directories\.tokendir *= *//p' "$SOFTHSM2_CONF")
    [ -z "$tokens" ] || mkdir -p "$tokens"
    ;;
esac

# Half of the container's memory: SoftHSM keeps its keys beside the heap, and grows with each key.
# A service without memory ends, and is restarted, instead of holding its port and serving nobody.
options=(-XX:MaxRAMPercentage=50 -XX:+ExitOnOutOfMemoryError)
cache=/opt/keywell/keywell.aot
if [ -r "$cache" ]; then
  # auto: a cache that does not fit (another JVM, other jars, some options) is left aside.
  options+=("-XX:AOTCache=$cache" -XX:AOTMode=auto)
fi
exec java "${options[@]}" -jar /opt/keywell/keywell-service.jar "$@"
