#!/usr/bin/env bash
# doors.sh: starts ./keywell up with every combination of --kmip, --xks and --jms, and runs each command that it
# prints; then once more beside an operator's application.yaml, whose settings have to stay. Ports other than the
# broker's (61616), and the data directories, are the script's own; about a quarter of a minute for each start.
set -euo pipefail

# shellcheck source=ops/trial.sh
. "$(dirname "${BASH_SOURCE[0]}")/trial.sh"

# Query (operations), KMIP 1.2.
readonly QUERY=42007801000000704200770100000038420069010000002042006A0200000004000000010000000042006B0200000004000000020000000042000D0200000004000000010000000042000F010000002842005C05000000040000001800000000420079010000001042007405000000040000000100000000
readonly SUCCESS=42007f050000000400000000

# open_doors DOORS: a service in a data directory of its own; what it prints is in LOG.
open_doors() {
  local options=()
  step "./keywell up${1:+ --${1// / --}}"
  export KEYWELL_HOME="$SCRATCH/${1// /+}-home" KEYWELL_KMIP_PORT KEYWELL_XKS_PORT
  SERVER_PORT=$(free_port 8600)
  KEYWELL_KMIP_PORT=$(free_port 8650)
  KEYWELL_XKS_PORT=$(free_port 8700)
  LOG=$SCRATCH/up.log
  : >"$LOG" # what the one before has printed
  # shellcheck disable=SC2206 # words
  options=(${1:+--${1// / --}})
  "$ROOT/keywell" up --port "$SERVER_PORT" "${options[@]}" >"$LOG" 2>&1 </dev/null &
  SERVICE_PID=$!
  wait_for 300 "$SERVICE_PID" grep -q '^Health: ' "$LOG" || fail_with_log "$LOG" "the service did not start"
  sleep 1 # what is printed last
}

# runs BEGINNING WORD ANSWER: the printed command behind that beginning, with that word in it, by its answer.
runs() {
  local command answer
  command=$(sed -n "s|^$1||p" "$LOG" | grep -F -- "$2" || true)
  [ -n "$command" ] || fail_with_log "$LOG" "no $2 is printed behind '$1'"
  answer=$(eval "$command" 2>&1 </dev/null) || true
  [[ $answer = *"$3"* ]] || { note "$answer"; fail_with_log "$LOG" "no $3 by: $command"; }
  say "ok: $2"
}

# One with a certificate of the data directory is a caller.
asks_over_kmip() {
  local certs=$KEYWELL_HOME/certs answer
  # shellcheck disable=SC2001,SC2059 # bytes
  answer=$({ printf "$(sed 's/../\\x&/g' <<<"$QUERY")"; sleep 3; } |
    timeout 20 openssl s_client -quiet -no_ign_eof -verify_quiet -connect "127.0.0.1:$KEYWELL_KMIP_PORT" -CAfile "$certs/ca.crt" -verify_return_error \
      -cert "$certs/kmip.crt" -key "$certs/kmip.key" 2>/dev/null | od -An -v -tx1 | tr -d ' \n') || true
  [[ $answer = *$SUCCESS* ]] || fail_with_log "$LOG" "no answer over KMIP: '$answer'"
  say "ok: KMIP"
}

use_home
use_java
need_parts openssl curl softhsm
build_if_needed service
prepare_aot_cache
make_scratch_directory
forget_settings
cd "$SCRATCH" || fail "cannot use the directory $SCRATCH"
for doors in "" kmip xks jms "kmip xks" "kmip jms" "xks jms" "kmip xks jms"; do
  open_doors "$doors"
  runs 'Try: ' /sign certificateChain
  case $doors in *kmip*) asks_over_kmip ;; esac
  case $doors in
    *xks*)
      runs 'XKS: make a key, from another terminal: ' create-key trial
      runs 'Try, then: ' /encrypt ciphertext
      ;;
  esac
  case $doors in *jms*) runs 'Try: ' SignOverJms '"signature"' ;; esac
  stop_service
done

# An operator's settings, by a file.
mkdir -p "$SCRATCH/config"
cat >"$SCRATCH/callers.yaml" <<'END'
callers:
  - {name: mine, certificate: {subject: "CN=kmip"}, roles: [manage]}
END
chmod 600 "$SCRATCH/callers.yaml"
cat >"$SCRATCH/config/application.yaml" <<END
keywell:
  security: {callers-file: $SCRATCH/callers.yaml}
END
open_doors "kmip jms"
grep -qF "the callers are those of $SCRATCH/callers.yaml" "$LOG" || fail_with_log "$LOG" "the operator's callers file is not used"
grep -q '^JMS: nobody can send yet' "$LOG" || fail_with_log "$LOG" "the trial's caller is not missed"
asks_over_kmip
stop_service
step "Each command that is printed works"
