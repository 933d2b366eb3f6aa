# shellcheck shell=bash
# The parts of the cluster that try.sh and try-acts.sh start, each with the file that an operator would copy
# and with addresses and names of this machine.

# shellcheck source=ops/trial.sh
. "$(dirname "${BASH_SOURCE[0]}")/../trial.sh"
# shellcheck source=launcher/authority.sh
. "$ROOT/launcher/authority.sh"

readonly HERE=$ROOT/ops/ha BASE=${KEYWELL_HA_PORT:-8850}
readonly FRONT=$((BASE + 10)) SERVICE=$ROOT/service/$BUILT/keywell-service-exec.jar

# --- what is needed ------------------------------------------------------------------------------

# The option that both scripts have.
keep=''

# prepare_cluster NAME PART...: what is needed, besides HAProxy and PostgreSQL; and a directory with secrets.
prepare_cluster() {
  local name=$1
  PATH=$PATH:$PACKAGES_DIR/usr/sbin:/usr/sbin
  need_parts postgresql haproxy curl openssl "${@:2}"
  POSTGRES=$(dirname "$(find_part postgresql)")
  use_java
  build_if_needed service
  forget_settings
  require_free_ports
  SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/keywell-$name.XXXXXX")
  trap clean_up_cluster EXIT
  PASSWORD=$(random_pin)
  "$ROOT/launcher/make-compose-secrets.sh" "$SCRATCH/secrets" >/dev/null
  cd "$SCRATCH/secrets" || exit
  KEYWELL_PASSWORD=$(cat database-password)
  # The instances' certificate has their own names, too.
  certificate ca server.key keywell serverAuth \
    "DNS:localhost,DNS:keywell-a.localhost,DNS:keywell-b.localhost,IP:127.0.0.1" >server.crt
  for name in monitor server client; do
    cat "$name.crt" "$name.key" >"$name.pem"
  done
  CALLER=(--cacert "$PWD/ca.crt" --cert "$PWD/client.crt" --key "$PWD/client.key")
  # PostgreSQL takes a key only from a file that is its own alone.
  cp server.crt server.key "$SCRATCH"
  chmod 600 "$SCRATCH/server.key"
  cd "$SCRATCH" || exit
}

require_free_ports() {
  local port
  for ((port = BASE; port < BASE + 15; port++)); do
    ! listens_at "$port" || fail "port $port is in use; set KEYWELL_HA_PORT to the first of 15 that are free"
  done
}

# --- processes -----------------------------------------------------------------------------------

declare -A PIDS=()

# start NAME COMMAND...: in the background, with a process group and a log of its own.
start() {
  set -m
  "${@:2}" >>"$SCRATCH/$1.log" 2>&1 </dev/null &
  PIDS[$1]=$!
  set +m
}

# PostgreSQL refuses root. In a user namespace it is nobody, and still owns what root owns.
become_database_user() { if is_root; then exec unshare --user -- "$@"; else exec "$@"; fi; }

# postmaster NODE: its process, if it runs. The file outlasts a server that was killed.
postmaster() {
  local pid
  pid=$(head -n 1 "$SCRATCH/node$1/data/postmaster.pid" 2>/dev/null) || return 1
  [ "/proc/$pid/cwd" -ef "$SCRATCH/node$1/data" ] && printf '%s\n' "$pid"
}

# The processes of a node: Patroni, and PostgreSQL with all its children.
node_processes() {
  local server
  [ -z "${PIDS[node$1]:-}" ] || printf '%s\n' "${PIDS[node$1]}"
  if server=$(postmaster "$1"); then
    printf '%s\n' "$server"
    ps -o pid= --ppid "$server" || true
  fi
}

# signal_nodes SIGNAL NODE...
signal_nodes() {
  local n
  for n in "${@:2}"; do
    node_processes "$n"
  done | xargs -r kill "-$1" 2>/dev/null || true
}

# lose NAME: after it was killed. (Without the wait, bash tells of it.)
lose() {
  wait "${PIDS[$1]}" 2>/dev/null || true
  unset "PIDS[$1]"
}

# Ends what was started, first what depends on the rest; then what is left of a node that did not end in
# order.
end_cluster() {
  local name
  signal_nodes CONT 1 2 3
  for name in load a b haproxy balancer node1 node2 node3 etcd; do
    [ -z "${PIDS[$name]:-}" ] || end_process "${PIDS[$name]}" 30 "its work"
    unset "PIDS[$name]"
  done
  signal_nodes KILL 1 2 3
}

# The trap of a script; what it keeps, and why, its variable keep says.
clean_up_cluster() {
  local code=$?
  trap - EXIT
  trap '' INT TERM HUP
  end_cluster
  if [ -n "$keep" ] || [ "$code" -ne 0 ]; then
    say "kept: $SCRATCH"
  else
    rm -rf "$SCRATCH"
  fi
  exit "$code"
}

# await SECONDS WHAT COMMAND...
await() { wait_for "$1" $$ "${@:3}" >/dev/null 2>&1 || fail "no $2; the logs are in $SCRATCH"; }

# --- PostgreSQL ----------------------------------------------------------------------------------

run_etcd() {
  exec etcd --enable-v2 --name etcd1 --data-dir "$SCRATCH/etcd" --logger zap --log-level warn \
    --listen-client-urls "http://127.0.0.1:$BASE" --advertise-client-urls "http://127.0.0.1:$BASE" \
    --listen-peer-urls "http://127.0.0.1:$((BASE + 1))" \
    --initial-advertise-peer-urls "http://127.0.0.1:$((BASE + 1))" \
    --initial-cluster "etcd1=http://127.0.0.1:$((BASE + 1))"
}

rest_address() { printf '127.0.0.1:%s\n' $((BASE + 1 + $1)); }
database_port() { printf '%s\n' $((BASE + 4 + $1)); }

run_node() {
  local n=$1
  set -a
  # shellcheck source=ops/ha/patroni.env
  . "$HERE/patroni.env"
  set +a
  export PATRONI_NAME="node$n" PATRONI_ETCD_HOSTS="127.0.0.1:$BASE"
  PATRONI_RESTAPI_LISTEN=$(rest_address "$n")
  PATRONI_POSTGRESQL_LISTEN=127.0.0.1:$(database_port "$n")
  export PATRONI_RESTAPI_CONNECT_ADDRESS="$PATRONI_RESTAPI_LISTEN"
  export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$PATRONI_POSTGRESQL_LISTEN"
  export PATRONI_POSTGRESQL_DATA_DIR="$SCRATCH/node$n/data" PATRONI_POSTGRESQL_BIN_DIR="$POSTGRES"
  export PATRONI_POSTGRESQL_PGPASS="$SCRATCH/node$n/pgpass" PATRONI_RESTAPI_PASSWORD="$PASSWORD"
  export PATRONI_SUPERUSER_PASSWORD="$PASSWORD" PATRONI_REPLICATION_PASSWORD="$PASSWORD"
  export PYTHONPATH="$PACKAGES_DIR/usr/lib/python3/dist-packages"
  cd "$SCRATCH/node$n" || exit
  become_database_user /usr/bin/python3 "$(command -v patroni)" "$SCRATCH/patroni.yml"
}

# asks NODE PATH: whether that node's Patroni says yes.
asks() { curl -fs -m 1 -o /dev/null "http://$(rest_address "$1")$2"; }

# node_that PATH: the first node that says yes.
node_that() {
  local n
  for n in 1 2 3; do
    ! asks "$n" "$1" || { say "$n" && return; }
  done
  return 1
}

complete() {
  node_that /primary && node_that /sync && asks 1 /health && asks 2 /health && asks 3 /health
}

# sql NODE USER PASSWORD DATABASE: runs what it reads.
sql() {
  PGPASSWORD=$3 PGCONNECT_TIMEOUT=3 "$POSTGRES/psql" -XAtq -v ON_ERROR_STOP=1 \
    "host=127.0.0.1 port=$(database_port "$1") user=$2 dbname=$4 sslmode=verify-full sslrootcert=$SCRATCH/secrets/ca.crt"
}

# create_database NODE: Keywell's own.
create_database() {
  sql "$1" postgres "$PASSWORD" postgres <<END
CREATE ROLE keywell LOGIN PASSWORD '$KEYWELL_PASSWORD';
CREATE DATABASE keywell OWNER keywell;
END
}

# --- Keywell and HAProxy -------------------------------------------------------------------------

# run_haproxy FILE PORT: becomes it.
run_haproxy() {
  export KEYWELL_FRONT="127.0.0.1:$2" KEYWELL_HEALTH_NAME=localhost
  export KEYWELL_A="127.0.0.1:$((BASE + 11))" KEYWELL_A_HEALTH="$((BASE + 12))"
  export KEYWELL_B="127.0.0.1:$((BASE + 13))" KEYWELL_B_HEALTH="$((BASE + 14))"
  export KEYWELL_A_NAME=keywell-a.localhost KEYWELL_B_NAME=keywell-b.localhost
  export KEYWELL_TLS_CA="$SCRATCH/secrets/ca.crt" KEYWELL_MONITOR_PEM="$SCRATCH/secrets/monitor.pem"
  export KEYWELL_FRONT_PEM="$SCRATCH/secrets/server.pem" KEYWELL_FRONT_CA="$SCRATCH/secrets/ca.crt"
  export KEYWELL_CALLER_PEM="$SCRATCH/secrets/client.pem"
  exec haproxy -db -f "$HERE/$1"
}

# instance_port a|b: the next one is its management's.
instance_port() { case $1 in a) say $((BASE + 11)) ;; b) say $((BASE + 13)) ;; esac; }

# run_keywell INSTANCE COMMAND: becomes it. The instances share SoftHSM's token and have homes of their own.
run_keywell() {
  local instance=$1 command=$2 port name url
  port=$(instance_port "$instance")
  set -a
  # What use_hsm has set stays.
  # shellcheck source=/dev/null
  . <(grep -v '^KEYWELL_HSM_' "$HERE/keywell.env")
  set +a
  for name in KEYWELL_SECURITY_CALLERSFILE $(compgen -v SPRING_SSL_); do
    export "$name=${!name/\/etc\/keywell/$SCRATCH/secrets}"
  done
  url=${KEYWELL_DATABASE_URL/\/etc\/keywell\/database-ca.crt/$SCRATCH/secrets/ca.crt}
  for name in 1 2 3; do
    url=${url/10.0.0.$name:5432/127.0.0.1:$(database_port "$name")}
  done
  export KEYWELL_DATABASE_URL="$url" KEYWELL_DATABASE_PASSWORDFILE="$SCRATCH/secrets/database-password"
  export KEYWELL_INSTANCE="keywell-$instance" KEYWELL_HOME="$SCRATCH/home-$instance"
  export SERVER_ADDRESS=127.0.0.1 SERVER_PORT="$port"
  export MANAGEMENT_SERVER_ADDRESS=127.0.0.1 MANAGEMENT_SERVER_PORT="$((port + 1))"
  [ "$command" = bootstrap ] || export KEYWELL_HSM_BOOTSTRAP=never
  # A kind whose keys are made quickly: what is tried here is the database.
  export KEYWELL_POOL_SPECS_ECP256_MAXSTORED=4000 KEYWELL_POOL_SPECS_ECP256_LOADEDCAPACITY=200
  export KEYWELL_POOL_SPECS_ECP256_LOWWATER=100
  cd "$SCRATCH" || exit
  exec "$JAVA" -Xmx384m -XX:+ExitOnOutOfMemoryError -jar "$SERVICE" "$command"
}

# ready PORT: whether the service there says so, to one who shows a certificate.
ready() { curl -fs -m 2 -o /dev/null "${CALLER[@]}" "https://localhost:$1/readyz"; }

# start_instance a|b
start_instance() {
  start "$1" run_keywell "$1" serve
  await 60 "instance $1" ready "$(instance_port "$1")"
}

start_instances() {
  use_hsm "$SCRATCH/softhsm"
  (run_keywell a bootstrap) >"$SCRATCH/bootstrap.log" 2>&1 ||
    fail_with_log "$SCRATCH/bootstrap.log" "the bootstrap failed"
  start_instance a
  start_instance b
  start haproxy run_haproxy haproxy.cfg "$FRONT"
  await 20 "service behind HAProxy" ready "$FRONT"
}
