# shellcheck shell=bash
# ./keywell load: the load generator, against a running service or services of its own; and the
# capacity plan, without any.

cmd_load() {
  case ${1:-} in
    ramp | show | plan | drive-null) become_load_generator "$@" ;;
    compare | overload) experiment "$@" ;;
    tables) shift; cmd_tables "$@" ;;
    '') misuse "load needs a command: ramp, compare, overload, show, plan or drive-null; './keywell help load' explains" ;;
    *) misuse "load: unknown command '$1'; './keywell help load' lists them" ;;
  esac
}

# explain_load [COMMAND]: what load does; or all options of one of its commands, from the program that
# knows them.
explain_load() {
  case $1 in
    '' | -*) help_load ;;
    tables) help_tables ;;
    ramp | compare | overload | show | plan | drive-null)
      use_java
      build_if_needed loadgen
      exec "$JAVA" -jar "$LOADGEN_JAR" "$1" --help
      ;;
    *) misuse "load: unknown command '$1'; './keywell help load' lists them" ;;
  esac
}

become_load_generator() {
  prepare_load_generator
  # Ctrl-C reaches it directly, and it still writes its report.
  KEYWELL_URL=${KEYWELL_URL:-http://127.0.0.1:${SERVER_PORT:-8420}} \
    exec "$JAVA" -jar "$LOADGEN_JAR" "$@"
}

prepare_load_generator() {
  use_java
  build_if_needed loadgen
  tell_revision
}

# Reports name the revision that they were made with, where this is a checkout.
tell_revision() {
  local revision
  revision=$(git -C "$ROOT" rev-parse HEAD 2>/dev/null) || return 0
  export KEYWELL_REVISION=$revision KEYWELL_REVISION_DIRTY=false
  [ -z "$(git -C "$ROOT" status --porcelain 2>/dev/null)" ] || KEYWELL_REVISION_DIRTY=true
}

# --- experiments with services of their own ----------------------------------------------------

# experiment compare|overload OPTIONS...: the load generator knows what its options mean; it is
# called with all of them for each stage, and its plan says what has to be prepared.
experiment() {
  local what=$1 options=()
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --profile) [ $# -ge 2 ] || misuse "--profile needs a name or a file"; use_profile "$2"; shift 2 ;;
      --profile=*) use_profile "${1#--profile=}"; shift ;;
      --url | --url=*) misuse "load $what starts a service of its own, so it takes no --url; load ramp does" ;;
      --stage | --stage=* | --time | --time=*) misuse "load $what: unknown option '$1'" ;;
      *) options+=("$1"); shift ;;
    esac
  done
  require_free_home
  prepare_load_generator
  EXPERIMENT=("$JAVA" -jar "$LOADGEN_JAR" "$what" --time "$(date +%Y%m%d-%H%M%S)"
    ${options[@]+"${options[@]}"})
  make_scratch_directory
  # A mistake in the options ends here, before anything is set up.
  "${EXPERIMENT[@]}" --stage plan >"$SCRATCH/plan" || exit $?
  read_plan

  step "1. Set up (all data goes to $KEYWELL_HOME)"
  prepare_service
  step "2. Keys: $PLAN_KEYS of the kind $PLAN_KEY_SPEC, stored at the HSM's own speed"
  service_command fill "$PLAN_KEYS" --key-spec "$PLAN_KEY_SPEC"
  run_stoppably env -u KEYWELL_HSM_PROFILE "${SERVICE_COMMAND[@]}"
  export "${PLAN_SETTINGS[@]}"
  case $what in
    compare) compare_systems ;;
    overload) overload_service ;;
  esac
}

# What the load generator wants: PLAN_KEYS, PLAN_KEY_SPEC, PLAN_SETTINGS, STOP_SECONDS.
# shellcheck disable=SC2034 # stop_service uses STOP_SECONDS
read_plan() {
  local word value
  PLAN_SETTINGS=()
  while read -r word value; do
    case $word in
      keys) PLAN_KEYS=$value ;;
      key-spec) PLAN_KEY_SPEC=$value ;;
      stop-seconds) STOP_SECONDS=$value ;;
      set) PLAN_SETTINGS+=("$value") ;;
      *) fail "the load generator's plan has an unknown line: $word $value" ;;
    esac
  done <"$SCRATCH/plan"
}

compare_systems() {
  step "3. The traditional system: a key made for each request"
  export KEYWELL_POOL_MODE=on-the-fly
  start_service compare-on-the-fly
  await_keys 0
  stage on-the-fly
  stop_service
  step "4. The key pool: $PLAN_KEYS keys are loaded into the HSM first"
  export KEYWELL_POOL_MODE=pooled
  start_service compare-pooled
  await_keys "$PLAN_KEYS"
  stage pooled
  stop_service
  step "5. Both side by side"
  stage report
}

overload_service() {
  step "3. The key pool: $PLAN_KEYS keys are loaded into the HSM first"
  export KEYWELL_POOL_MODE=pooled
  start_service overload
  await_keys "$PLAN_KEYS"
  step "4. Rates above what the service can do"
  stage run
  stop_service
}

# A key that is being loaded would hold the HSM up during the run: all are loaded before it. A slow
# device may take a good part of a second for each.
await_keys() {
  client_command wait-for-keys "$1" --loaded --key-spec "$PLAN_KEY_SPEC" --pid "$SERVICE_PID" \
    --timeout $((300 + $1))
  run_stoppably "${CLIENT_COMMAND[@]}" || explain_failure "the experiment"
}

# stage NAME: has the load generator do this part of the experiment. Where a requirement is not met,
# its exit code becomes this launcher's.
stage() {
  local code=0
  run_stoppably "${EXPERIMENT[@]}" --stage "$1" || code=$?
  [ "$code" -ne 0 ] || return 0
  if [ -n "$SERVICE_PID" ] && ! kill -0 "$SERVICE_PID" 2>/dev/null; then
    explain_failure "the experiment"
  fi
  exit "$code"
}
