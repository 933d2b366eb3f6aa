# shellcheck shell=bash
# ./keywell load: the load generator, against a running service; and what measures its parts.

cmd_load() {
  [ $# -ge 1 ] || misuse "load needs a command: ramp, tables, show or drive-null; './keywell help load' explains"
  case $1 in
    ramp | tables | show | drive-null) ;;
    *) misuse "load: unknown command '$1'; './keywell help load' lists them" ;;
  esac
  use_java
  build_if_needed loadgen
  tell_revision
  if [ "$1" = tables ]; then
    load_tables "$@"
    return
  fi
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

# The tables are measured without a service: on the user's HSM, or on SoftHSM with a token that goes
# with the run, as does the database. Both are in the data directory, because a database's speed is
# that of its disk.
load_tables() {
  use_home
  SCRATCH=$(mktemp -d "$KEYWELL_HOME/tables.XXXXXX")
  if [ -z "${KEYWELL_HSM_MODULE:-}" ]; then
    export KEYWELL_HSM_BOOTSTRAP=if-missing
  fi
  use_hsm "$SCRATCH/softhsm"
  run_to_its_end "$JAVA" "-Djava.io.tmpdir=$SCRATCH" -jar "$LOADGEN_JAR" "$@"
}
