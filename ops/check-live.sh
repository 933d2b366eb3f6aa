#!/usr/bin/env bash
# Runs every query of the dashboards and of the rules on a real Prometheus, which watches a real service
# under load: none may fail, and each has to give a number. Everything is in a directory of its own, on
# the loopback interface, and goes away again. About a minute; needs the parts that ./keywell test sets
# up.
#
# Usage: check-live.sh [--tested]
#   --tested: the service is what "./mvnw verify" has built, rather than a build of the launcher's
set -euo pipefail

if [ "${1:-}" = --tested ]; then
  # shellcheck disable=SC2034 # where the launcher looks for jars
  KEYWELL_BUILT=target
fi
# shellcheck source=ops/trial.sh
. "$(dirname "${BASH_SOURCE[0]}")/trial.sh"
# shellcheck source=launcher/authority.sh
. "$ROOT/launcher/authority.sh"
# shellcheck source=launcher/certs.sh
. "$ROOT/launcher/certs.sh"
# shellcheck source=launcher/xks.sh
. "$ROOT/launcher/xks.sh"

# Prometheus' intervals here. A busy machine may need more than one second for a first scrape.
readonly SCRAPE_SECONDS=2

# The committed configuration, but for the intervals and the target.
start_prometheus() {
  local dir=$SCRATCH/prometheus
  PROMETHEUS_PORT=$(free_port $((KEYWELL_XKS_PORT + 1)))
  mkdir "$dir"
  cp -R "$ROOT/ops/prometheus/rules" "$ROOT/ops/prometheus/targets" "$dir"
  sed -E "s/^( *(scrape_interval|scrape_timeout|evaluation_interval):).*/\1 ${SCRAPE_SECONDS}s/" \
    "$ROOT/ops/prometheus/prometheus.yml" >"$dir/prometheus.yml"
  printf -- '- targets: [127.0.0.1:%s]\n' "$MANAGEMENT_SERVER_PORT" >"$dir/targets/keywell.yml"
  printf '[]\n' >"$dir/targets/alertmanager.yml"
  prometheus --config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/data" \
    --web.listen-address="127.0.0.1:$PROMETHEUS_PORT" >"$SCRATCH/prometheus.log" 2>&1 </dev/null &
  HELPER_PID=$!
  wait_for 30 "$HELPER_PID" listens_at "$PROMETHEUS_PORT" ||
    fail_with_log "$SCRATCH/prometheus.log" "Prometheus does not run"
}

# Fewer requests than there are keys, then more than keys can be made for.
apply_load() {
  cat >"$SCRATCH/load.csv" <<END
from_request,to_request,delay_ms,requests_per_second
1,20,250,4
21,320,25,40
END
  "$JAVA" -jar "$LOADGEN_JAR" ramp --url "$KEYWELL_URL" --csv "$SCRATCH/load.csv" \
    --deadline 2000 --verify none --anyway --out "$SCRATCH/load" >"$SCRATCH/load.log" 2>&1 ||
    fail_with_log "$SCRATCH/load.log" "the load could not be applied"
}

# A client of KMIP 1.4 asks for the versions, on a new connection.
ask_over_kmip() {
  local certs=$KEYWELL_HOME/certs
  {
    printf '\x42\0\x78\1\0\0\0\x60\x42\0\x77\1\0\0\0\x38\x42\0\x69\1\0\0\0\x20'
    printf '\x42\0\x6a\2\0\0\0\4\0\0\0\1\0\0\0\0\x42\0\x6b\2\0\0\0\4\0\0\0\4\0\0\0\0'
    printf '\x42\0\x0d\2\0\0\0\4\0\0\0\1\0\0\0\0\x42\0\x0f\1\0\0\0\x18'
    printf '\x42\0\x5c\5\0\0\0\4\0\0\0\x1e\0\0\0\0\x42\0\x79\1\0\0\0\0'
    sleep 1
  } | openssl s_client -quiet -no_ign_eof -connect "127.0.0.1:$KEYWELL_KMIP_PORT" -CAfile "$certs/ca.crt" \
    -cert "$certs/kmip.crt" -key "$certs/kmip.key" >"$SCRATCH/kmip.log" 2>&1 ||
    fail_with_log "$SCRATCH/kmip.log" "KMIP does not answer"
}

# A client of the external key store asks for its health.
ask_over_xks() {
  curl -fsS -m 10 --cacert "$KEYWELL_HOME/certs/ca.crt" --aws-sigv4 aws:amz:us-east-1:kms-xks-proxy \
    --user "$(tr ' ' : <"$KEYWELL_HOME/xks/credentials")" -H 'Content-Type: application/json' \
    -d '{"requestMetadata":{"kmsRequestId":"1","kmsOperation":"KmsHealthCheck"}}' \
    "https://localhost:$KEYWELL_XKS_PORT/kms/xks/v1/health" >"$SCRATCH/xks.log" 2>&1 ||
    fail_with_log "$SCRATCH/xks.log" "the external key store does not answer"
}

"$ROOT/ops/grafana/build.sh"
prepare_trial prometheus openssl
build_if_needed loadgen
# A pool that one burst empties, and a queue that then fills up.
export KEYWELL_POOL_SPECS_RSA2048_MAXSTORED=25 KEYWELL_POOL_SPECS_RSA2048_LOADEDCAPACITY=10
export KEYWELL_POOL_SPECS_RSA2048_LOWWATER=5 KEYWELL_POOL_SPECS_RSA2048_BATCHSIZE=5
export KEYWELL_POOL_SPECS_ECP256_MAXSTORED=10 KEYWELL_SIGN_QUEUELIMIT=4
KEYWELL_KMIP_PORT=$(free_port $((SERVER_PORT + 1)))
KEYWELL_XKS_PORT=$(free_port $((KEYWELL_KMIP_PORT + 1)))
export KEYWELL_KMIP_PORT KEYWELL_KMIP_POOL_RSA2048_MAXSTORED=3 KEYWELL_XKS_PORT
use_kmip
use_xks >/dev/null
# No broker is at this port: what tells of that is there all the same.
(umask 077 && echo none >"$SCRATCH/jms-password")
export KEYWELL_JMS_ENABLED=true KEYWELL_JMS_BROKERS=127.0.0.1:1 KEYWELL_JMS_USERNAME=keywell
export KEYWELL_JMS_PASSWORDFILE=$SCRATCH/jms-password KEYWELL_JMS_VALIDATEDUSER=true
export KEYWELL_TSA_ENABLED=true
export KEYWELL_CA_CRL_URI=http://crl.example.org/ KEYWELL_CA_OCSP_URI=http://ocsp.example.org/
start_service live
start_prometheus
began=$SECONDS
run_client wait-for-keys 20 --pid "$SERVICE_PID" >/dev/null || explain_failure "the check"
ask_over_kmip
ask_over_xks
apply_load
ask_over_kmip
ask_over_xks
sleep $((2 * SCRAPE_SECONDS))
node "$ROOT/ops/grafana/target/check-live.js" "http://127.0.0.1:$PROMETHEUS_PORT" "$SCRAPE_SECONDS" \
  $((SECONDS - began))
stop_service
