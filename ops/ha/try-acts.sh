#!/usr/bin/env bash
# Tries how acts in two calls find the instance that holds their key, on one machine: two instances of Keywell
# on one PostgreSQL, behind haproxy.cfg (TLS passed through, an instance found by its own name) and behind
# haproxy-acts.cfg (TLS ended, found by the act's id). Each call is a connection of its own.
#
# Usage: ops/ha/try-acts.sh [--keep]      (--keep leaves the directory with all logs)
#
# A minute. Debian's packages that are missing are unpacked below KEYWELL_HOME/packages; the system is not changed.
# Everything is in a directory of its own and on 127.0.0.1, ports KEYWELL_HA_PORT (8850) to 14 above
# it. It runs as any user; PostgreSQL, which refuses root, then runs in a user namespace.
set -euo pipefail

# shellcheck source=ops/ha/cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"

readonly ACTS=20 ENDING=$((BASE + 2))
readonly DIGEST=LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=

# --- two instances and two balancers ----------------------------------------------------------------

# As the only one of the nodes that the instances know.
set_up_database() {
  local data=$SCRATCH/node1/data
  mkdir -p "$data"
  chmod 700 "$SCRATCH/node1" "$data"
  printf '%s' "$PASSWORD" >"$SCRATCH/password"
  (become_database_user "$POSTGRES/initdb" -D "$data" -U postgres -A scram-sha-256 -E UTF8 \
    --no-locale --pwfile="$SCRATCH/password") >"$SCRATCH/initdb.log" 2>&1 ||
    fail_with_log "$SCRATCH/initdb.log" "PostgreSQL makes no database"
  start node1 become_database_user "$POSTGRES/postgres" -D "$data" -k "$SCRATCH" -c listen_addresses=127.0.0.1 \
    -c port="$(database_port 1)" -c ssl=on -c ssl_cert_file="$SCRATCH/server.crt" \
    -c ssl_key_file="$SCRATCH/server.key"
  await 30 "PostgreSQL" sql 1 postgres "$PASSWORD" postgres </dev/null
  create_database 1
}

# --- calls -----------------------------------------------------------------------------------------

# call METHOD HOST PORT PATH [BODY]: on a connection of its own. Sets STATUS and ANSWER; STATUS is 000 where none
# came.
call() {
  local out=$SCRATCH/answer
  : >"$out"
  STATUS=$(curl -sS -m 20 -o "$out" -w '%{http_code}' -X "$1" --resolve "$2:$3:127.0.0.1" \
    "${CALLER[@]}" -H 'Content-Type: application/json' \
    ${5:+-d "$5"} "https://$2:$3$4" 2>>"$SCRATCH/curl.log") || true
  ANSWER=$(cat "$out")
}

# member NAME: of ANSWER, a text.
member() { printf '%s\n' "$ANSWER" | sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"; }

# open_act PORT [ID]: sets ACT and HOLDER.
open_act() {
  call POST localhost "$1" /acts "{${2:+\"actId\":\"$2\",}\"digestAlgorithm\":\"SHA-256\",\"digestCount\":1,
    \"keySpec\":\"EC-P256\",\"signer\":{\"commonName\":\"Astrid Exempel\"}}"
  case $STATUS in
    20[01]) ;;
    *) fail "no act opened: $STATUS $ANSWER" ;;
  esac
  ACT=$(member actId) HOLDER=$(member instance)
}

# sign_act HOST PORT
sign_act() { call POST "$1" "$2" "/acts/$ACT/sign" "{\"digests\":[\"$DIGEST\"]}"; }

# tell NAME GOT WANTED
tell() {
  local verdict=yes
  # shellcheck disable=SC2053 # a pattern
  [[ $2 == $3 ]] || verdict=NO FAILED=yes
  printf '%-72s %-12s %s\n' "$1" "$2" "$verdict"
}

# --- trials ----------------------------------------------------------------------------------------

# count_signed PORT [NAMED]: how many of ACTS acts are signed, by a name that all share or by their holder's.
count_signed() {
  local n signed=0 elsewhere=0 host
  for ((n = 0; n < ACTS; n++)); do
    open_act "$1"
    host=localhost
    [ -z "${2:-}" ] || host=$HOLDER.localhost
    sign_act "$host" "$1"
    case $STATUS in
      200) signed=$((signed + 1)) ;;
      421) elsewhere=$((elsewhere + 1)) ;;
    esac
  done
  COUNTS="$signed, $elsewhere"
}

try_routes() {
  count_signed "$FRONT"
  tell "TLS passed through, a name that both share: signed, elsewhere" "$COUNTS" "*, [1-9]*"
  count_signed "$FRONT" named
  tell "TLS passed through, the holder's own name: signed, elsewhere" "$COUNTS" "$ACTS, 0"
  count_signed "$ENDING"
  tell "TLS ended, by the act's id: signed, elsewhere" "$COUNTS" "$ACTS, 0"
}

# A repetition of the opening may be answered by the other instance, from the records.
try_repetitions() {
  local n signed=0
  for ((n = 0; n < ACTS; n++)); do
    open_act "$ENDING"
    open_act "$ENDING" "$ACT"
    open_act "$ENDING" "$ACT"
    sign_act localhost "$ENDING"
    [ "$STATUS" != 200 ] || signed=$((signed + 1))
  done
  tell "TLS ended, each opened three times: signed" "$signed" "$ACTS"
}

# An act of the instance that is lost: the other one answers for it, behind both balancers.
try_loss() {
  until open_act "$ENDING" && [ "$HOLDER" = keywell-a ]; do :; done
  kill -KILL "${PIDS[a]}"
  lose a
  sign_act localhost "$ENDING"
  tell "TLS ended, the holder is gone, at once: the other one tells" "$STATUS $(member heldBy)" "421 keywell-a"
  sign_act keywell-a.localhost "$FRONT"
  tell "TLS passed through, the same" "$STATUS $(member heldBy)" "421 keywell-a"
  sleep 2 # both HAProxies know
  sign_act localhost "$ENDING"
  tell "TLS ended, the holder is known to be gone" "$STATUS $(member heldBy)" "421 keywell-a"
  sign_act keywell-a.localhost "$FRONT"
  tell "TLS passed through, the same" "$STATUS $(member heldBy)" "421 keywell-a"
  start_instance a
  sign_act localhost "$ENDING"
  tell "after its restart: the act has ended" "$STATUS $(member type)" "500 urn:keywell:problem:interrupted"
}

FAILED=''
take_arguments "$HERE/try-acts.sh" 0 -keep "$@"
prepare_cluster acts
step "PostgreSQL, two instances of Keywell and two HAProxies"
set_up_database
start_instances
start balancer run_haproxy haproxy-acts.cfg "$ENDING"
await 20 "service behind HAProxy that ends TLS" ready "$ENDING"
sleep 2 # both instances are known to be up, and have made keys
step "Acts of two calls"
try_routes
try_repetitions
try_loss
[ -z "$FAILED" ] || fail "not as it should be"
