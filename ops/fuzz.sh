#!/usr/bin/env bash
# fuzz.sh [SECONDS]: lets Schemathesis make up requests from the service's own OpenAPI document, with
# and without the credentials that it asks for, SECONDS each (default 300). Every status that comes has
# to be a documented one, and none a defect (500). Everything is on the loopback interface and in a
# directory of its own, which goes away again.
set -euo pipefail

# shellcheck source=ops/trial.sh
. "$(dirname "${BASH_SOURCE[0]}")/trial.sh"

readonly SCHEMATHESIS=4.32.5

need_schemathesis() {
  local directory=$KEYWELL_HOME/packages/schemathesis
  FUZZER=$directory/bin/schemathesis
  need_parts python3-venv
  make_once "$directory" "Installing schemathesis $SCHEMATHESIS" "schemathesis cannot be installed: PyPI is needed" \
    install_schemathesis <(say "$SCHEMATHESIS")
}

install_schemathesis() {
  python3 -m venv "$1" && "$1/bin/pip" install --disable-pip-version-check "schemathesis==$SCHEMATHESIS"
}

# fuzz WHAT OPTIONS...: a busy service's refusals (503) are documented answers, not defects.
fuzz() {
  step "Made-up requests $1, for $SECONDS_EACH s"
  "$FUZZER" fuzz "$SCRATCH/openapi.json" --url "$KEYWELL_URL" --max-time "$SECONDS_EACH" \
    --continue-on-failure --max-failures 20 --suppress-health-check all --workers 1 \
    --checks status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance \
    "${@:2}" || fail "the service answered otherwise than its document says ($1)"
}

# Of the service's own count, whatever the fuzzer made of it.
require_no_defects() {
  local defects
  defects=$(curl -sS -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:$MANAGEMENT_SERVER_PORT/actuator/prometheus" |
    sed -n 's/^keywell_problems_total{.*type="internal".*} //p')
  [ "$defects" = 0.0 ] || fail "the service answered 500 ${defects:-?} times; its log: $SERVICE_LOG"
  say "No request was answered with 500."
}

SECONDS_EACH=${1:-300}
is_count "$SECONDS_EACH" || misuse "fuzz.sh: '$SECONDS_EACH' is no number of seconds"
use_home
need_schemathesis
prepare_trial curl
# A small pool, which runs empty: the answers of a busy service are tried as well.
export KEYWELL_POOL_SPECS_RSA2048_MAXSTORED=10 KEYWELL_POOL_SPECS_RSA2048_LOADEDCAPACITY=10
export KEYWELL_POOL_SPECS_RSA2048_LOWWATER=5 KEYWELL_POOL_SPECS_RSA2048_BATCHSIZE=5
export KEYWELL_POOL_SPECS_ECP256_MAXSTORED=500
start_with_token fuzz
run_client wait-for-keys 10 --pid "$SERVICE_PID" >/dev/null || explain_failure "the fuzzing"
fuzz "with credentials" -H "Authorization: Bearer $TOKEN"
fuzz "without credentials"
require_no_defects
stop_service
