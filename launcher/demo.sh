# shellcheck shell=bash
# ./keywell demo: the whole way from a fresh machine to a verified signature.

# Enough to see the pool work, few enough to wait for.
readonly DEMO_KEYS=20

cmd_demo() {
  [ $# -le 1 ] || misuse "demo takes at most one file: ./keywell demo [FILE]"
  local file=${1:-$ROOT/LICENSE}
  if [ ! -f "$file" ] || [ ! -r "$file" ]; then
    misuse "demo: cannot read a file $file"
  fi
  local began=$SECONDS

  step "1. Set up (all data goes to $KEYWELL_HOME)"
  prepare_service
  need_parts openssl
  say "Java       $JAVA_HOME"
  say "HSM        $KEYWELL_HSM_MODULE"
  say "Database   $(describe_database)"

  step "2. Start the service and make the first keys"
  start_demo_service
  run_client wait-for-keys "$DEMO_KEYS" --pid "$SERVICE_PID" || explain_demo_failure

  step "3. Sign $file through POST /sign"
  make_scratch_directory
  (umask 077 && mkdir -p "$KEYWELL_HOME/demo")
  run_client sign --force --pool --summary "$SCRATCH/summary" --out "$KEYWELL_HOME/demo" \
    -- "$file" || explain_demo_failure

  step "4. Verify with openssl, which knows nothing of Keywell"
  verify_signed_file "$SCRATCH/summary"

  step "5. Stop the service"
  stop_service
  say "Stopped; unused keys stay in the pool for the next start."
  say
  say "The demo took $((SECONDS - began)) s. Next: ./keywell up, and in a second terminal"
  say "./keywell sign FILE; ./keywell help tells more."
}

describe_database() {
  case ${KEYWELL_DATABASE_URL:-embedded} in
    embedded) say "embedded PostgreSQL in $KEYWELL_HOME/postgres" ;;
    # What follows a question mark may be a password.
    *) say "${KEYWELL_DATABASE_URL%%\?*}" ;;
  esac
}

start_demo_service() {
  if [ -n "${SERVER_PORT:-}" ]; then
    is_port "$SERVER_PORT" || misuse "SERVER_PORT: '$SERVER_PORT' is no port"
  else
    SERVER_PORT=$(free_port 8420)
  fi
  export SERVER_PORT
  # The demo signs through its own service, wherever the user's KEYWELL_URL leads.
  export KEYWELL_URL=http://127.0.0.1:$SERVER_PORT
  DEMO_LOG=$KEYWELL_HOME/logs/demo.log
  service_command serve
  # Job control gives the service a process group of its own: Ctrl-C then reaches this launcher
  # alone, which stops the service in order.
  set -m
  (umask 077 && exec "${SERVICE_COMMAND[@]}") >"$DEMO_LOG" 2>&1 </dev/null &
  SERVICE_PID=$!
  set +m
  say "Service    $KEYWELL_URL (its log: $DEMO_LOG)"
}

# A service that refuses to start says why in its last line (and ends with 2); any other end needs
# more of its log.
explain_demo_failure() {
  local code=0
  if ! kill -0 "$SERVICE_PID" 2>/dev/null; then
    wait "$SERVICE_PID" || code=$?
    SERVICE_PID=
    if [ "$code" -eq 2 ]; then
      fail "the service did not start: $(grep -v '^[[:space:]]*$' "$DEMO_LOG" | tail -n 1)"
    fi
  fi
  show_log_end "$DEMO_LOG"
  fail "the demo failed; the service's whole log is $DEMO_LOG"
}
