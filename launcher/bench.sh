# shellcheck shell=bash
# ./keywell bench: the key pool against the traditional system, in one run on this machine.
# ./keywell tables: the thesis's tables, measured with the service's own parts.

cmd_bench() {
  local requests='' callers=1 scrape=no spec=''
  while [ $# -gt 0 ]; do
    case $1 in
      --scrape) scrape=yes; shift ;;
      --key-spec) [ $# -ge 2 ] || misuse "--key-spec needs a name"; spec=$2; shift 2 ;;
      --key-spec=*) spec=${1#--key-spec=}; shift ;;
      --requests) [ $# -ge 2 ] || misuse "--requests needs a number"; requests=$2; shift 2 ;;
      --requests=*) requests=${1#--requests=}; shift ;;
      --callers) [ $# -ge 2 ] || misuse "--callers needs a number"; callers=$2; shift 2 ;;
      --callers=*) callers=${1#--callers=}; shift ;;
      *) misuse "bench: unknown argument '$1'" ;;
    esac
  done
  if [ "$scrape" = no ] && [ -n "$spec" ]; then
    misuse "bench: --key-spec goes with --scrape only"
  fi
  if [ -z "$requests" ]; then
    [ "$scrape" = yes ] && requests=300 || requests=500
  fi
  if ! is_count "$requests" || [ "$requests" -lt 100 ]; then
    misuse "--requests is a number from 100 on"
  fi
  if ! is_count "$callers" || [ "$callers" -lt 1 ]; then
    misuse "--callers is a number from 1 on"
  fi
  require_free_home
  if [ "$scrape" = yes ]; then
    bench_scrape "$requests" "$callers" "${spec:-RSA-2048}"
    return
  fi
  # A key takes a tenth of a second or so: a twentieth of the requests gives a steady mean.
  local warm_up=200 few=$((requests * callers / 20))

  step "1. Set up (all data goes to $KEYWELL_HOME)"
  [ -z "${KEYWELL_HSM_PROFILE:-}" ] || say "HSM times are SIMULATED: $KEYWELL_HSM_PROFILE (KEYWELL_HSM_PROFILE)"
  prepare_service
  make_scratch_directory
  service_command fill $((requests + warm_up))
  "${SERVICE_COMMAND[@]}"

  step "2. Pooled: $requests requests, $callers caller(s), keys made ahead of time"
  bench_mode pooled "$requests" "$warm_up" "$callers"
  step "3. On the fly: $few requests, $callers caller(s), a key made for each"
  bench_mode on-the-fly "$few" 2 "$callers"

  step "4. The ratio"
  paste -d ' ' "$SCRATCH/pooled" "$SCRATCH/on-the-fly" | awk '{
    printf "              requests/s   mean ms   made ahead\n"
    printf "  pooled      %10.1f %9.2f   %d of %d\n", $1, $2, $4, $3
    printf "  on the fly  %10.1f %9.2f   %d of %d\n", $5, $6, $8, $7
    printf "  throughput %.1f times as high, mean latency %.1f times as low\n", $1 / $5, $6 / $2
  }'
}

# bench_mode MODE REQUESTS WARM_UP CALLERS: figures go to $SCRATCH/MODE.
bench_mode() {
  local mode=$1 requests=$2 warm_up=$3 callers=$4
  export KEYWELL_POOL_MODE=$mode
  start_service "bench-$mode"
  run_client wait-for-keys 1 --pid "$SERVICE_PID" || explain_failure "bench"
  KEYWELL_URL=$KEYWELL_URL "$JAVA" -jar "$CLIENT_JAR" bench --porcelain \
    --requests "$requests" --warm-up "$warm_up" --callers "$callers" >"$SCRATCH/$mode" ||
    explain_failure "bench"
  stop_service
  say "done: $(awk '{printf "%.1f requests/s, mean %.2f ms", $1, $2}' "$SCRATCH/$mode")"
}

# bench_scrape REQUESTS CALLERS KEY_SPEC: what reading the metrics every second costs.
bench_scrape() {
  local requests=$1 callers=$2 spec=$3 rounds=6 warm_up=300 variable
  local keys=$((2 * rounds * requests + warm_up))
  step "1. Set up (all data goes to $KEYWELL_HOME)"
  prepare_service
  make_scratch_directory
  service_command fill "$keys" --key-spec "$spec"
  "${SERVICE_COMMAND[@]}"

  # Nothing is generated meanwhile: that would meet one half of a round and not the other.
  variable=KEYWELL_POOL_SPECS_$(printf '%s' "$spec" | tr -d -- - | tr '[:lower:]' '[:upper:]')
  export "${variable}_MAXSTORED=0" "${variable}_LOADEDCAPACITY=1000" "${variable}_LOWWATER=500"
  start_service bench-scrape
  run_client wait-for-keys 1 --key-spec "$spec" --pid "$SERVICE_PID" || explain_failure "bench"

  step "2. $rounds rounds: $requests requests alone, and as many while the metrics are read"
  run_client bench --key-spec "$spec" --requests "$requests" --warm-up "$warm_up" \
    --callers "$callers" --rounds "$rounds" \
    --scrape "http://127.0.0.1:$((SERVER_PORT + 1))/actuator/prometheus" ||
    explain_failure "bench"
  stop_service
}

# The tables are measured without a service: on the user's HSM, or on SoftHSM with a token that goes
# with the run, as does the database. Both are in the data directory, because a database's speed is
# that of its disk.
cmd_tables() {
  use_java
  build_if_needed service
  tell_revision
  use_home
  SCRATCH=$(mktemp -d "$KEYWELL_HOME/tables.XXXXXX")
  if [ -z "${KEYWELL_HSM_MODULE:-}" ]; then
    export KEYWELL_HSM_BOOTSTRAP=if-missing
  fi
  use_hsm "$SCRATCH/softhsm"
  run_stoppably "$JAVA" "-Djava.io.tmpdir=$SCRATCH" -jar "$BENCH_JAR" tables "$@"
}
