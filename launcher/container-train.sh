#!/usr/bin/env bash
# A training run, in the image's build: the service starts as docker-compose.yml starts it, signs for
# a caller with a certificate, and stops in order. The JVM writes down which classes it loaded and
# linked and which methods were busy: the AOT cache, with which the next start has less to do.
#
# Usage: container-train.sh FILE      (the cache; needs PostgreSQL's programs and the callers beside it)
#
# It also tries the image: a service that cannot start, or not sign, ends the build.
set -euo pipefail
umask 077

cache=$1
# Not the usual ports: a build may share the host's network.
port=18420
database_port=15432
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
secrets=$work/secrets
postgres=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort -V | tail -n 1)
service=

stop_all() {
  [ -z "$service" ] || kill -KILL "$service" 2>/dev/null || true
  "$postgres/pg_ctl" -D "$work/database" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap stop_all EXIT

fail() {
  cat "$work/service.log" >&2 || true
  printf 'container-train: %s\n' "$*" >&2
  exit 1
}

bash "$here/make-compose-secrets.sh" "$secrets" >/dev/null
"$postgres/initdb" -D "$work/database" -U keywell --auth=scram-sha-256 \
  --pwfile="$secrets/database-password" --encoding=UTF8 --no-locale --no-sync >/dev/null
"$postgres/pg_ctl" -D "$work/database" -l "$work/database.log" -w start >/dev/null \
  -o "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c port=$database_port"

# A token of its own: nothing of it may come into the image.
sed "s|^directories.tokendir = .*|directories.tokendir = $work/tokens|" "$SOFTHSM2_CONF" >"$work/softhsm2.conf"

bundle=SPRING_SSL_BUNDLE_PEM
env \
  JAVA_TOOL_OPTIONS="-XX:AOTCacheOutput=$cache" \
  KEYWELL_HOME="$work/home" \
  SOFTHSM2_CONF="$work/softhsm2.conf" \
  KEYWELL_HSM_BOOTSTRAP=if-missing \
  KEYWELL_HSM_PINFILE="$secrets/hsm-pin" \
  KEYWELL_HSM_SOPINFILE="$secrets/hsm-so-pin" \
  KEYWELL_DATABASE_URL=jdbc:postgresql://127.0.0.1:$database_port/postgres \
  KEYWELL_DATABASE_USERNAME=keywell \
  KEYWELL_DATABASE_PASSWORDFILE="$secrets/database-password" \
  SERVER_PORT=$port SERVER_SSL_BUNDLE=keywell SERVER_SSL_CLIENTAUTH=need \
  MANAGEMENT_SERVER_PORT=$((port + 1)) \
  MANAGEMENT_SERVER_SSL_BUNDLE=management MANAGEMENT_SERVER_SSL_CLIENTAUTH=need \
  "${bundle}_KEYWELL_KEYSTORE_CERTIFICATE=file:$secrets/server.crt" \
  "${bundle}_KEYWELL_KEYSTORE_PRIVATEKEY=file:$secrets/server.key" \
  "${bundle}_KEYWELL_TRUSTSTORE_CERTIFICATE=file:$secrets/ca.crt" \
  "${bundle}_MANAGEMENT_KEYSTORE_CERTIFICATE=file:$secrets/server.crt" \
  "${bundle}_MANAGEMENT_KEYSTORE_PRIVATEKEY=file:$secrets/server.key" \
  "${bundle}_MANAGEMENT_TRUSTSTORE_CERTIFICATE=file:$secrets/monitoring-ca.crt" \
  KEYWELL_SECURITY_CALLERSFILE="$secrets/callers.yaml" \
  bash /opt/keywell/container-start.sh serve >"$work/service.log" 2>&1 &
service=$!

# call PROGRAM COMMAND [ARGUMENT...]: a caller; how it starts is nothing to learn from.
call() {
  local program=$1 command=$2
  shift 2
  java -jar "$here/keywell-$program-exec.jar" "$command" --url https://127.0.0.1:$port \
    --tls-ca "$secrets/ca.crt" --tls-cert "$secrets/client.crt" --tls-key "$secrets/client.key" "$@"
}

call cli wait-for-keys 10 --pid "$service" --timeout 900 || fail "the service did not start"
# Slow enough that there is a key for each.
printf '%s\n' from_request,to_request,delay_ms,requests_per_second 1,100,200,5 >"$work/ramp.csv"
call loadgen ramp --csv "$work/ramp.csv" --anyway --require dropped=0 --out "$work/report" || fail "the service did not sign"
MANAGEMENT_SERVER_PORT=$((port + 1)) KEYWELL_TLS_CA=$secrets/ca.crt KEYWELL_TLS_CERT=$secrets/monitor.crt \
  KEYWELL_TLS_KEY=$secrets/monitor.key bash /opt/keywell/container-health.sh ||
  fail "the service does not say that it is ready"

code=0
kill -TERM "$service"
wait "$service" || code=$?
service=
[ "$code" -eq 143 ] || fail "the service ended with code $code"
[ -s "$cache" ] || fail "the JVM wrote no cache"
chmod 444 "$cache"
