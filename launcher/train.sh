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
service=

# Beside the cache: who may write the one has room for the other.
work=$(mktemp -d "${cache%/*}/training.XXXXXX")

stop_all() {
  if [ -n "$service" ]; then
    # Its PostgreSQL ends with it if it is asked to; a second signal would not wait for that.
    kill -TERM "$service" 2>/dev/null || true
    wait "$service" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap stop_all EXIT
trap 'exit 143' TERM INT HUP

fail() {
  printf 'train: %s\n' "$*" >&2
  exit 1
}

mkdir -p "$work/home" "$work/tokens"
printf '%s\n' "directories.tokendir = $work/tokens" 'objectstore.backend = file' 'log.level = ERROR' \
  >"$work/softhsm2.conf"
for pin in pin so-pin; do
  od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$work/$pin"
done

listens_at() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
port=18520
while listens_at "$port" || listens_at $((port + 1)); do
  port=$((port + 2))
  [ "$port" -lt 18620 ] || fail "no two ports in a row are free from 18520 on"
done

# EC keys take no time to make; a few of RSA have its code known as well.
cd "$work"
KEYWELL_HOME=$work/home SERVER_PORT=$port \
  SOFTHSM2_CONF=$work/softhsm2.conf KEYWELL_HSM_MODULE=$module KEYWELL_HSM_BOOTSTRAP=if-missing \
  KEYWELL_HSM_PINFILE=$work/pin KEYWELL_HSM_SOPINFILE=$work/so-pin \
  KEYWELL_POOL_SPECS_RSA2048_MAXSTORED=$((2 * RSA_REQUESTS)) \
  KEYWELL_POOL_SPECS_ECP256_MAXSTORED=$((REQUESTS + 500)) \
  "$java" "$@" "-XX:AOTCacheOutput=$cache" -jar "$service_jar" serve 2>&1 &
service=$!

await() {
  local what=$1 tries=0
  shift
  until "$@"; do
    kill -0 "$service" 2>/dev/null || fail "the service ended"
    tries=$((tries + 1))
    [ "$tries" -lt $((READY_SECONDS * 5)) ] || fail "$what did not come within $READY_SECONDS s"
    sleep 0.2
  done
}

# sign KIND NUMBER: one request after the other; how the caller starts is nothing to learn from.
sign() {
  "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$loadgen_jar" ramp \
    --url "http://127.0.0.1:$port" --key-spec "$1" --warm-up "$2" --csv "$work/ramp.csv" \
    --verify none --anyway --out "$work/report-$1"
}

await "the service" listens_at "$port"
printf '%s\n' from_request,to_request,delay_ms,requests_per_second 1,10,100,10 >"$work/ramp.csv"
sign RSA-2048 "$RSA_REQUESTS"
sign EC-P256 "$REQUESTS"

code=0
kill -TERM "$service"
wait "$service" || code=$?
service=
[ "$code" -eq 143 ] || fail "the service ended with code $code"
[ -s "$cache" ] || fail "the JVM wrote no cache"
