# shellcheck shell=bash
# ./keywell bench: how near the service comes to what HSM and processor can do, part by part in one run.
# ./keywell tables: the thesis's tables, measured with the service's own parts.

# The suite keeps a pool of its own, and beside it the token that wrapped its keys. How busy the machine
# is, is read before anything is built; a service that runs here would be measured with it.
cmd_bench() {
  require_free_home
  read_load_average
  step "1. Set up (all data goes to $KEYWELL_HOME)"
  use_home
  use_java
  # The limit is measured by a C program, the service by ApacheBench, which costs it little.
  need_parts gcc libc6-dev ab
  use_hsm "$KEYWELL_HOME/bench-pool/softhsm"
  become_with_services bench bench "$@"
}

read_load_average() {
  local minute
  ! { read -r minute _ </proc/loadavg; } 2>/dev/null || export KEYWELL_LOADAVERAGE=$minute
}

# The tables are measured without a service: on the user's HSM, or on SoftHSM with a token that goes
# with the run, as does the database. Both are in the data directory, because a database's speed is
# that of its disk.
cmd_tables() {
  use_java
  build_if_needed bench
  tell_revision
  use_home
  SCRATCH=$(mktemp -d "$KEYWELL_HOME/tables.XXXXXX")
  [ -n "${KEYWELL_HSM_MODULE:-}" ] || export KEYWELL_HSM_BOOTSTRAP=if-missing
  use_hsm "$SCRATCH/softhsm"
  run_stoppably "$JAVA" "-Djava.io.tmpdir=$SCRATCH" -jar "$BUILD_JAR" tables "$@"
}
