# shellcheck shell=bash
# Messages, the data directory, and what the launcher started and must stop again.

# Exit codes: 1, the job failed; 2, the launcher was misused or is misconfigured.
say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
note() { printf 'keywell: %s\n' "$*" >&2; }

fail() { note "$*"; exit 1; }
misuse() { note "$*"; exit 2; }

is_count() { [[ $1 =~ ^[0-9]{1,9}$ ]]; }
is_port() { is_count "$1" && [ "$1" -ge 1 ] && [ "$1" -le 65535 ]; }

# require_file WHOSE FILE: to be read.
require_file() { [[ -f $2 && -r $2 ]] || misuse "$1: cannot read a file $2"; }

is_root() { [ "$(id -u)" -eq 0 ]; }

# take_arguments COMMAND MOST OPTIONS ARGUMENT...: sets OPERANDS to what is no option, which may be so many ("any":
# no limit). --OPTION VALUE or --OPTION=VALUE sets the caller's variable of that name, or adds to it if it is an
# array; -OPTION among them takes no value and sets "yes". "*" among the OPTIONS leaves all others among the operands.
take_arguments() {
  local command=$1 most=$2 options=" $3 " name variable
  shift 3
  OPERANDS=()
  while [ $# -gt 0 ]; do
    name=${1#--} name=${name%%=*} variable=${name//-/_}
    case $1:$options in
      --?*:*" -$name "*)
        [ "$1" = "--$name" ] || misuse "$command: --$name takes no value"
        printf -v "$variable" yes
        ;;
      --?*:*" $name "*)
        if [ "$1" = "--$name" ]; then
          [ $# -ge 2 ] || misuse "$command: $1 needs a value"
          set -- "$1=$2" "${@:3}"
        fi
        [ -n "${1#*=}" ] || misuse "$command: --$name needs a value"
        case $(declare -p "$variable") in
          "declare -a"*) eval "$variable+=(\"\${1#*=}\")" ;;
          *) printf -v "$variable" %s "${1#*=}" ;;
        esac
        ;;
      --*:*" * "*) OPERANDS+=("$1") ;;
      --*) misuse "$command: unknown option '$1'" ;;
      *) OPERANDS+=("$1") ;;
    esac
    shift
  done
  [ "$most" = any ] || [ ${#OPERANDS[@]} -le "$most" ] || misuse "$command: unexpected argument '${OPERANDS[most]}'"
}

# --- the data directory ------------------------------------------------------------------------

# Absolute, because the service need not run in the caller's directory.
KEYWELL_HOME=${KEYWELL_HOME:-$ROOT/.keywell}
[[ $KEYWELL_HOME = /* ]] || KEYWELL_HOME=$PWD/$KEYWELL_HOME
export KEYWELL_HOME
# Clients of this launcher show the token that its service asks for.
[[ -n ${KEYWELL_TOKEN_FILE:-} || -z ${KEYWELL_SECURITY_LOCALTOKENFILE:-} ]] ||
  export KEYWELL_TOKEN_FILE=$KEYWELL_SECURITY_LOCALTOKENFILE

# What is in a data directory of Keywell's: the mark, or what earlier versions left without one.
is_own_home() {
  local name
  for name in keywell.home keywell.lock postgres.password softhsm/softhsm2.conf ca/root.pem; do
    [ ! -e "$KEYWELL_HOME/$name" ] || return 0
  done
  # Nothing, or what a first command made that came no further.
  [ -z "$(find "$KEYWELL_HOME" -mindepth 1 -maxdepth 1 ! -name logs ! -name packages 2>/dev/null | head -n 1)" ]
}

# Keys' PINs, the database and the HSM's tokens are in there: it belongs to one user alone. A directory
# that others use would be locked for them.
use_home() {
  if [ ! -d "$KEYWELL_HOME" ]; then
    (umask 077 && mkdir -p "$KEYWELL_HOME") 2>/dev/null ||
      misuse "cannot make the data directory $KEYWELL_HOME; set KEYWELL_HOME to one of yours"
  fi
  [ -O "$KEYWELL_HOME" ] ||
    misuse "the data directory $KEYWELL_HOME belongs to another user; set KEYWELL_HOME to one of yours"
  is_own_home ||
    misuse "the data directory $KEYWELL_HOME is neither empty nor Keywell's own; set KEYWELL_HOME to another"
  chmod 700 "$KEYWELL_HOME"
  (umask 077 && mkdir -p "$KEYWELL_HOME/logs" && : >"$KEYWELL_HOME/keywell.home")
}

# A service has the data directory to itself. Looked at before anything is built, filled or written,
# and the message names what runs. (What starts at this very moment, the service itself finds out.)
require_free_home() {
  local pid='' at=''
  { read -r pid; read -r at; } 2>/dev/null <"$KEYWELL_HOME/keywell.lock" || true
  [ -n "$pid" ] && holds_lock "$pid" || return 0
  misuse "process $pid${at:+ ($at)} uses the data directory $KEYWELL_HOME already; stop it, or set KEYWELL_HOME to another"
}

# Whether a process is the one that the lock file names: after a crash its number may be another's.
holds_lock() {
  local pid=$1 file
  is_count "$pid" && kill -0 "$pid" 2>/dev/null || return 1
  if [ -d "/proc/$pid/fd" ]; then
    for file in "/proc/$pid/fd"/*; do
      [ ! "$file" -ef "$KEYWELL_HOME/keywell.lock" ] || return 0
    done
    return 1
  fi
  [[ $(ps -o command= -p "$pid" 2>/dev/null) = *keywell* ]]
}

# A directory for this run's passing files; goes with the launcher.
SCRATCH=
make_scratch_directory() {
  [ -n "$SCRATCH" ] || SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/keywell.XXXXXX")
}

# --- processes of ours -------------------------------------------------------------------------

SERVICE_PID=
HELPER_PID=

# A service that is stopped finishes what it has accepted; this is how long that may take.
STOP_SECONDS=120

# Ends only what this launcher started; the helper first, which may still need the service.
clean_up() {
  local code=$?
  trap - EXIT
  # Once more, and nothing would stop what is left.
  trap '' INT TERM HUP
  [ -z "$HELPER_PID" ] || end_process "$HELPER_PID" 90 "its work"
  stop_service || true
  [ -z "$SCRATCH" ] || rm -rf "$SCRATCH"
  exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Asks the service to end in order; forces it only if it does not come to an end.
stop_service() {
  local pid=$SERVICE_PID
  [ -n "$pid" ] || return 0
  SERVICE_PID=
  end_process "$pid" "$STOP_SECONDS" "the requests that it has accepted"
}

# end_process PID SECONDS WORK: asks a child of this launcher to end, and kills it if it has not done
# so after that time.
end_process() {
  local pid=$1 seconds=$2 work=$3 waited=0
  kill -TERM "$pid" 2>/dev/null || true
  while kill -0 "$pid" 2>/dev/null; do
    if [ "$waited" -eq 50 ]; then
      note "process $pid finishes $work"
    elif [ "$waited" -ge $((seconds * 10)) ]; then
      note "process $pid did not end within $seconds s; it is killed"
      kill -KILL "$pid" 2>/dev/null || true
      break
    fi
    sleep 0.1
    waited=$((waited + 1))
  done
  wait "$pid" 2>/dev/null || true
}

# run_stoppably COMMAND...: like running it in the foreground, but a signal to this launcher reaches
# the command, too, and Ctrl-C reaches this launcher alone, which then ends all in order.
run_stoppably() {
  "$@" <&0 &
  HELPER_PID=$!
  wait_for_helper
}

# The helper's exit code is the status.
wait_for_helper() {
  local code=0
  wait "$HELPER_PID" || code=$?
  HELPER_PID=
  return "$code"
}

# run_quietly LABEL LOG COMMAND...: the command's output goes to LOG; on screen are the time that passes,
# and the module that Maven is at.
run_quietly() {
  local label=$1 log=$2 began=$SECONDS told=0 passed
  shift 2
  "$@" >"$log" 2>&1 </dev/null &
  HELPER_PID=$!
  say "$label ..."
  while kill -0 "$HELPER_PID" 2>/dev/null; do
    sleep 0.2
    passed=$((SECONDS - began))
    if [ -t 1 ]; then
      printf '\r\033[K  %d s  %s' "$passed" "$(maven_module "$log")"
    elif [ $((passed - told)) -ge 15 ]; then
      told=$passed
      printf '  %d s%s\n' "$passed" "$(maven_module "$log" | sed 's/^/  /')"
    fi
  done
  [ ! -t 1 ] || printf '\r\033[K'
  wait_for_helper
}

# quietly LABEL LOG WHY COMMAND...: as run_quietly; if the command fails, the launcher ends with the log's end and WHY.
quietly() { run_quietly "$1" "$2" "${@:4}" || fail_with_log "$2" "$3"; }

# "Keywell signing (9 of 13)", or nothing if the log is not Maven's.
maven_module() {
  sed -n 's/^\[INFO\] Building \(.*[^ ]\) [0-9][^ ]* *\[\([0-9]*\)\/\([0-9]*\)\]$/\1 (\2 of \3)/p' "$1" | tail -n 1
}

# fail_with_log LOG WHY: shows the log's end first.
fail_with_log() {
  printf -- '--- the end of %s\n%s\n---\n' "$1" "$(tail -n 30 "$1" 2>/dev/null)" >&2
  fail "$2"
}

# wait_for SECONDS PID COMMAND...: waits until the command succeeds; status 1 if it does not within these seconds, or
# the process has ended.
wait_for() {
  local until=$((SECONDS + $1))
  until "${@:3}"; do
    [ "$SECONDS" -lt "$until" ] && kill -0 "$2" 2>/dev/null || return 1
    sleep 0.2
  done
}

# The first port from the given one on where nobody listens, nor at the one after it: that is where
# the service has its health and metrics.
free_port() {
  local port
  for ((port = $1; port < $1 + 100; port++)); do
    listens_at "$port" || listens_at $((port + 1)) || { say "$port" && return; }
  done
  fail "no two ports in a row are free from $1 on; set SERVER_PORT"
}

listens_at() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Java takes file names in the locale's encoding; without one it cannot open a file named "è".
[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8
