#!/usr/bin/env bash
# fuzz.sh [SECONDS]: lets Schemathesis make up requests from the service's own OpenAPI document, with
# and without the credentials that it asks for, SECONDS each (default 300). Every status that comes has
# to be a documented one, and none a defect (500). Everything is on the loopback interface and in a
# directory of its own, which goes away again.
set -euo pipefail

script_directory() { (cd "$(dirname "$1")" && pwd -P); }
ROOT=$(script_directory "${BASH_SOURCE[0]}")
ROOT=${ROOT%/*}
readonly ROOT
for part in common packages java aot hsm service; do
  # shellcheck source=/dev/null # the launcher's parts, which are checked by themselves
  . "$ROOT/launcher/$part.sh"
done

readonly SCHEMATHESIS=4.32.5

# A directory of Python's own in the data directory, kept for the next time.
need_schemathesis() {
  local python=$KEYWELL_HOME/packages/schemathesis-$SCHEMATHESIS
  FUZZER=$python/bin/schemathesis
  if [ ! -x "$FUZZER" ]; then
    say "Installing schemathesis $SCHEMATHESIS"
    rm -rf "$python"
    if ! python3 -m venv "$python" || ! "$python/bin/pip" install -q --disable-pip-version-check \
      "schemathesis==$SCHEMATHESIS"; then
      fail "schemathesis cannot be installed: python3 with venv, and PyPI, are needed"
    fi
  fi
}

forget_settings() {
  local name
  for name in $(compgen -e KEYWELL_) $(compgen -e SPRING_) $(compgen -e SERVER_) \
    $(compgen -e MANAGEMENT_) SOFTHSM2_CONF; do
    [ "$name" = KEYWELL_HOME ] || unset "$name"
  done
}

# A small pool, which runs empty: the answers of a busy service are tried as well.
configure_service() {
  export KEYWELL_POOL_SPECS_RSA2048_MAXSTORED=10 KEYWELL_POOL_SPECS_RSA2048_LOADEDCAPACITY=10
  export KEYWELL_POOL_SPECS_RSA2048_LOWWATER=5 KEYWELL_POOL_SPECS_RSA2048_BATCHSIZE=5
  export KEYWELL_POOL_SPECS_ECP256_MAXSTORED=500
  export KEYWELL_SECURITY_LOCALTOKENFILE=$KEYWELL_HOME/local.token
  export KEYWELL_TOKEN_FILE=$KEYWELL_SECURITY_LOCALTOKENFILE
  export SPRING_CONFIG_LOCATION=classpath:/
  MANAGEMENT_SERVER_PORT=$(free_port 8560)
  export MANAGEMENT_SERVER_PORT MANAGEMENT_SERVER_ADDRESS=127.0.0.1
  SERVER_PORT=$(free_port $((MANAGEMENT_SERVER_PORT + 1)))
  export SERVER_PORT
}

# fuzz WHAT OPTIONS...: a busy service's refusals (503) are documented answers, not defects.
fuzz() {
  local what=$1
  shift
  step "Made-up requests $what, for $SECONDS_EACH s"
  "$FUZZER" fuzz "$SCRATCH/openapi.json" --url "$KEYWELL_URL" --max-time "$SECONDS_EACH" \
    --continue-on-failure --max-failures 20 --suppress-health-check all --workers 1 \
    --checks status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance \
    "$@" || fail "the service answered otherwise than its document says ($what)"
}

# The service makes it at its start.
await_token() {
  local waited=0
  until [ -s "$KEYWELL_TOKEN_FILE" ]; do
    if ! kill -0 "$SERVICE_PID" 2>/dev/null || [ "$waited" -ge 600 ]; then
      explain_failure "the start"
    fi
    sleep 0.1
    waited=$((waited + 1))
  done
}

# Of the service's own count, whatever the fuzzer made of it.
require_no_defects() {
  local defects
  defects=$(curl -sS -H "$token" "http://127.0.0.1:$MANAGEMENT_SERVER_PORT/actuator/prometheus" |
    sed -n 's/^keywell_problems_total{.*type="internal".*} //p')
  [ "$defects" = 0.0 ] || fail "the service answered 500 ${defects:-?} times; its log: $SERVICE_LOG"
  say "No request was answered with 500."
}

SECONDS_EACH=${1:-300}
is_count "$SECONDS_EACH" || misuse "fuzz.sh: '$SECONDS_EACH' is no number of seconds"
use_home
use_java
need_parts softhsm
need_schemathesis
build_if_needed service
build_if_needed loadgen
make_scratch_directory
forget_settings
export KEYWELL_HOME=$SCRATCH/home
use_home
use_hsm
configure_service
cd "$SCRATCH"
start_service fuzz
await_token
run_client wait-for-keys 10 --pid "$SERVICE_PID" >/dev/null || explain_failure "the fuzzing"
token="Authorization: Bearer $(cat "$KEYWELL_SECURITY_LOCALTOKENFILE")"
curl -fsS -H "$token" "$KEYWELL_URL/v3/api-docs" >openapi.json
fuzz "with credentials" -H "$token"
fuzz "without credentials"
require_no_defects
stop_service
