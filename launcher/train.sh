#!/usr/bin/env bash
# A training run of the service: it starts, signs, and stops in order. The JVM writes down which classes
# it loaded and linked and which methods were busy: the AOT cache, with which later starts have less to
# do. Token and database are made for the run, and go with it.
#
# Usage: train.sh JAVA SERVICE-JAR LOADGEN-JAR PKCS11-MODULE CACHE [JVM-OPTION...]
#
# The image has a run of its own, container-train.sh: with TLS, and without this database.
set -euo pipefail
umask 077

java=$1 service_jar=$2 loadgen_jar=$3 module=$4 cache=$5
shift 5
# Enough for the profile of a signature's path: after 20,000 the next start was no faster.
readonly REQUESTS=500 RSA_REQUESTS=20
readonly READY_SECONDS=120

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
readonly ROOT
# Beside the cache: who may write the one has room for the other.
KEYWELL_HOME=$(mktemp -d "${cache%/*}/training.XXXXXX")
# shellcheck source=launcher/common.sh
. "$ROOT/launcher/common.sh"
# shellcheck source=launcher/hsm.sh
. "$ROOT/launcher/hsm.sh"
SCRATCH=$KEYWELL_HOME

write_softhsm_configuration "$SCRATCH/softhsm"
use_softhsm_pins "$SCRATCH/softhsm"
port=$(free_port 18520)

# EC keys take no time to make; a few of RSA have its code known as well.
cd "$SCRATCH"
SERVER_PORT=$port SOFTHSM2_CONF=$SCRATCH/softhsm/softhsm2.conf KEYWELL_HSM_MODULE=$module \
  KEYWELL_HSM_BOOTSTRAP=if-missing \
  KEYWELL_POOL_SPECS_RSA2048_MAXSTORED=$((2 * RSA_REQUESTS)) \
  KEYWELL_POOL_SPECS_ECP256_MAXSTORED=$((REQUESTS + 500)) \
  "$java" "$@" "-XX:AOTCacheOutput=$cache" -jar "$service_jar" serve 2>&1 &
SERVICE_PID=$!

# sign KIND NUMBER: one request after the other; how the caller starts is nothing to learn from.
sign() {
  "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$loadgen_jar" ramp \
    --url "http://127.0.0.1:$port" --key-spec "$1" --warm-up "$2" --csv "$SCRATCH/ramp.csv" \
    --verify none --anyway --out "$SCRATCH/report-$1"
}

wait_for "$READY_SECONDS" "$SERVICE_PID" listens_at "$port" || fail "no service within $READY_SECONDS s"
printf '%s\n' from_request,to_request,delay_ms,requests_per_second 1,10,100,10 >"$SCRATCH/ramp.csv"
sign RSA-2048 "$RSA_REQUESTS"
sign EC-P256 "$REQUESTS"

code=0
kill -TERM "$SERVICE_PID"
wait "$SERVICE_PID" || code=$?
SERVICE_PID=
[ "$code" -eq 143 ] || fail "the service ended with code $code"
[ -s "$cache" ] || fail "the JVM wrote no cache"
