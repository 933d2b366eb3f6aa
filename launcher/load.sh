# shellcheck shell=bash
# ./keywell load: the load generator, against a running service; and the capacity plan, without one.

cmd_load() {
  [ $# -ge 1 ] || misuse "load needs a command: ramp, show, plan or drive-null; './keywell help load' explains"
  case $1 in
    ramp | show | plan | drive-null) ;;
    *) misuse "load: unknown command '$1'; './keywell help load' lists them" ;;
  esac
  use_java
  build_if_needed loadgen
  tell_revision
  # Becomes the load generator: Ctrl-C reaches it directly, and it still writes its report.
  KEYWELL_URL=${KEYWELL_URL:-http://127.0.0.1:${SERVER_PORT:-8420}} \
    exec "$JAVA" -jar "$LOADGEN_JAR" "$@"
}

# Reports name the revision that they were made with, where this is a checkout.
tell_revision() {
  local revision
  revision=$(git -C "$ROOT" rev-parse HEAD 2>/dev/null) || return 0
  export KEYWELL_REVISION=$revision KEYWELL_REVISION_DIRTY=false
  [ -z "$(git -C "$ROOT" status --porcelain 2>/dev/null)" ] || KEYWELL_REVISION_DIRTY=true
}
