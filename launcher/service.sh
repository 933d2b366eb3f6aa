# shellcheck shell=bash
# What services are told before they start, and a service in the background, for commands that need
# one for a while.

# Names of the device profiles that come with Keywell.
built_in_profiles() {
  local file
  for file in "$ROOT"/keypool/src/main/resources/org/keywell/keypool/hsm/timed/*.yaml; do
    basename "$file" .yaml
  done
}

# use_profile NAME|FILE: services started from here on imitate that device's times. What is in the
# file, the service itself checks.
use_profile() {
  local known
  known=$(built_in_profiles | paste -sd ' ' -)
  case $1 in
    */* | *.yaml | *.yml) require_file --profile "$1" ;;
    *) [[ " $known " = *" $1 "* ]] || misuse "--profile: unknown device '$1'; known: $known, or a .yaml file" ;;
  esac
  export KEYWELL_HSM_PROFILE=$1
}

# start_service NAME: starts the service on a free port; its log goes to logs/NAME.log. Sets
# SERVICE_PID and SERVICE_LOG, and leads clients of this launcher to it.
start_service() {
  [ -n "${SERVER_PORT:-}" ] || SERVER_PORT=$(free_port 8420)
  is_port "$SERVER_PORT" || misuse "SERVER_PORT: '$SERVER_PORT' is no port"
  export SERVER_PORT
  # Clients go to this service, wherever the user's KEYWELL_URL leads.
  export KEYWELL_URL=http://127.0.0.1:$SERVER_PORT
  SERVICE_LOG=$KEYWELL_HOME/logs/$1.log
  service_program
  # Job control gives the service a process group of its own: Ctrl-C then reaches this launcher
  # alone, which stops the service in order.
  set -m
  (umask 077 && exec "$JAVA" "${SERVICE_PROGRAM[@]}" serve) >"$SERVICE_LOG" 2>&1 </dev/null &
  SERVICE_PID=$!
  set +m
  say "Service    $KEYWELL_URL (its log: $SERVICE_LOG)"
}

# A service that refuses to start says why in its last line (and ends with 2); any other end needs
# more of its log.
explain_failure() {
  local what=$1 code=0
  if ! kill -0 "$SERVICE_PID" 2>/dev/null; then
    wait "$SERVICE_PID" || code=$?
    SERVICE_PID=
    if [ "$code" -eq 2 ]; then
      fail "the service did not start: $(grep -v '^[[:space:]]*$' "$SERVICE_LOG" | tail -n 1)"
    fi
  fi
  fail_with_log "$SERVICE_LOG" "$what failed; the service's whole log is $SERVICE_LOG"
}
