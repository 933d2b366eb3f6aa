#!/usr/bin/env bash
# Tries the files of this directory on one machine: etcd, three PostgreSQL under Patroni, HAProxy over two
# instances of Keywell with TLS and client certificates from the caller to the service. While requests
# come, what a scenario names happens to the primary (or to its standby); afterwards is counted what became
# of each request.
#
# Usage: ops/ha/try.sh [--keep] [SCENARIO...]
#
#   --keep      leaves the directory with all logs and reports
#   SCENARIO    some of these (default: all, less than two minutes each)
#     kill        all processes of the primary's node are killed; 40 s later the node is started again
#     crash       PostgreSQL is killed on the primary's node, Patroni is not
#     stop        the primary's Patroni ends in order, and with it PostgreSQL; started again 40 s later
#     freeze      all processes of the primary's node stand still (SIGSTOP) for 40 s
#     switchover  Patroni is asked to move the primary
#     standby     all processes of the synchronous standby's node stand still for 40 s
#     alone       those of both standbys' nodes: nothing may be acknowledged meanwhile
#
# Debian's packages that are missing are unpacked below KEYWELL_HOME/packages; the system is not changed.
# Everything is in a directory of its own and on 127.0.0.1, ports KEYWELL_HA_PORT (8850) to 14 above it. It
# runs as any user; PostgreSQL, which refuses root, then runs in a user namespace.
set -euo pipefail

# shellcheck source=ops/ha/cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"

# Requests per second, and for how many seconds: before it happens, while it lasts, afterwards.
readonly RATE=20 BEFORE=10 AWAY=40 AFTER=30

# --- the cluster ---------------------------------------------------------------------------------

set_up_database() {
  local n
  step "etcd and three nodes ($POSTGRES)"
  sed "s|/etc/patroni/|$SCRATCH/|" "$HERE/patroni.yml" >"$SCRATCH/patroni.yml"
  start etcd run_etcd
  await 20 "etcd" curl -fs -m 1 "http://127.0.0.1:$BASE/health"
  for n in 1 2 3; do
    mkdir -m 700 "$SCRATCH/node$n"
    start "node$n" run_node "$n"
  done
  await 90 "complete cluster" complete
  create_database "$(node_that /primary)"
}

# --- scenarios -----------------------------------------------------------------------------------

run_load() {
  local requests=$(((BEFORE + AWAY + AFTER) * RATE))
  printf 'from_request,to_request,delay_ms,requests_per_second\n1,%s,%s,%s\n' \
    "$requests" $((1000 / RATE)) "$RATE" >"$SCRATCH/load.csv"
  exec "$JAVA" -Xmx512m -jar "$LOADGEN_JAR" ramp --url "https://localhost:$FRONT" \
    --tls-ca "$SCRATCH/secrets/ca.crt" --tls-cert "$SCRATCH/secrets/client.crt" \
    --tls-key "$SCRATCH/secrets/client.key" --root "$SCRATCH/home-a/ca/root.pem" --anyway \
    --key-spec EC-P256 --deadline 10000 --csv "$SCRATCH/load.csv" --out "$1"
}

# The nodes to which it happens.
nodes_of() {
  local primary n
  primary=$(node_that /primary) || return 1
  case $1 in
    standby) node_that /sync ;;
    alone) for n in 1 2 3; do [ "$n" = "$primary" ] || printf '%s ' "$n"; done ;;
    *) printf '%s\n' "$primary" ;;
  esac
}

# begin SCENARIO NODE...
begin() {
  case $1 in
    kill)
      signal_nodes STOP "$2"
      signal_nodes KILL "$2"
      lose "node$2"
      ;;
    crash) kill -KILL "$(postmaster "$2")" ;;
    stop) kill -TERM "${PIDS[node$2]}" ;;
    freeze | standby | alone) signal_nodes STOP "${@:2}" ;;
    switchover) curl -s -m 40 -u "patroni:$PASSWORD" -d "{\"leader\":\"node$2\"}" \
      "http://$(rest_address "$2")/switchover" >>"$SCRATCH/patroni.log" || note "no answer to the switchover" ;;
  esac
}

# end SCENARIO NODE...
end() {
  case $1 in
    kill | stop) start "node$2" run_node "$2" ;;
    freeze | standby | alone) signal_nodes CONT "${@:2}" ;;
  esac
}

# Of the answers in a report's samples.csv: column 3 is when a request was due, 5 when it was answered, both
# in microseconds, 6 how, 18 its id.
longest_gap() {
  awk -F, '$6 == "signed" { print $5 }' "$1" | sort -n |
    awk 'NR > 1 && $1 - last > gap { gap = $1 - last } { last = $1 } END { printf "%.1f", gap / 1e6 }'
}

unsigned_at_the_end() {
  awk -F, -v from=$(((BEFORE + AWAY + AFTER - 10) * 1000000)) \
    'NR > 1 && $3 > from && $6 != "signed" { n++ } END { print n + 0 }' "$1"
}

outcomes() {
  awk -F, 'NR > 1 { n[$6]++ } END { for (kind in n) printf "%s %d  ", kind, n[kind] }' "$1"
}

# Acknowledged and not on record; keys on record as used that are in the pool; requests without an end.
ask_records() {
  awk -F, '$6 == "signed" { print $18 }' "$1" >"$SCRATCH/acknowledged"
  sql "$(node_that /primary)" keywell "$KEYWELL_PASSWORD" keywell <<END | paste -sd ' '
CREATE TEMPORARY TABLE acknowledged (id uuid);
\\copy acknowledged FROM '$SCRATCH/acknowledged'
SELECT count(*) FROM acknowledged LEFT JOIN sign_request ON request_id = id
WHERE status IS DISTINCT FROM 'signed';
SELECT count(*) FROM pool_key JOIN sign_request ON key_id = pool_key.id;
SELECT count(*) FROM sign_request WHERE status = 'received';
END
}

row() { printf '%-10s  %7s  %4s  %4s  %6s  %-6s  %s\n' "$@"; }

scenario() {
  local name=$1 nodes=() report missing used open itself=yes line
  report=$SCRATCH/$((${#RESULTS[@]} + 1))-$name
  local samples=$report/samples.csv
  step "Scenario $name"
  await 120 "complete cluster" complete
  sleep 10 # the generator fills the pool
  start load run_load "$report"
  await 60 "load" grep -q "requests in" "$SCRATCH/load.log"
  sleep "$BEFORE"
  line=$(nodes_of "$name")
  read -r -a nodes <<<"$line"
  say "$name: node ${nodes[*]}"
  begin "$name" "${nodes[@]}"
  sleep "$AWAY"
  end "$name" "${nodes[@]}"
  # A run with failures ends with 1; the report tells them.
  lose load
  mv "$SCRATCH/load.log" "$report.log"
  await 120 "complete cluster after $name" complete
  read -r missing used open <<<"$(ask_records "$samples")"
  [ "$(unsigned_at_the_end "$samples")" -eq 0 ] || itself=no
  [ "$missing,$used,$itself" = 0,0,yes ] || FAILED=yes
  line=$(row "$name" "$missing" "$used" "$open" "$(longest_gap "$samples")" "$itself" "$(outcomes "$samples")")
  say "$line"
  RESULTS+=("$line")
}

readonly SCENARIOS="kill crash stop freeze switchover standby alone"
RESULTS=() FAILED=''
take_arguments "$HERE/try.sh" any -keep "$@"
for name in "${OPERANDS[@]}"; do
  [[ " $SCENARIOS " = *" $name "* ]] || misuse "unknown scenario '$name'; see the head of $HERE/try.sh"
done
[ ${#OPERANDS[@]} -gt 0 ] || read -r -a OPERANDS <<<"$SCENARIOS"

prepare_cluster ha etcd patroni
build_if_needed loadgen
set_up_database
step "Two instances of Keywell and HAProxy"
start_instances
for name in "${OPERANDS[@]}"; do
  scenario "$name"
done
step "Results (missing: acknowledged, not on record; used: on record as used, and in the pool)"
row scenario missing used open "gap, s" itself requests
printf '%s\n' "${RESULTS[@]}"
[ -z "$FAILED" ] || fail "not as it should be"
