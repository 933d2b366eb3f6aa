#!/usr/bin/env bash
# Tests of the launcher itself: everything that needs neither a build nor a running service. Each function test_…
# is a check, in the order of this file; what one leaves in the work directory, later ones may use.
# shellcheck disable=SC2016 # code in single quotes is for in_launcher to expand
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
WORK=$(mktemp -d "${TMPDIR:-/tmp}/keywell-test.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
PASSED=0
FAILED=0

unset KEYWELL_HSM_MODULE KEYWELL_HSM_PROFILE KEYWELL_HSM_PIN KEYWELL_HSM_PINFILE KEYWELL_HSM_SOPINFILE SERVER_PORT
export WORK KEYWELL_HOME="$WORK/the home"

# check NAME COMMAND...: passes if the command succeeds.
check() {
  local name=$1 code
  shift
  # Not as a condition: that would switch off set -e within.
  set +e
  (set -e; "$@") >"$WORK/out" 2>&1
  code=$?
  set -e
  if [ "$code" -eq 0 ]; then
    PASSED=$((PASSED + 1))
  else
    FAILED=$((FAILED + 1))
    printf 'FAILED: %s\n' "$name"
    sed 's/^/    /' "$WORK/out"
  fi
}

# Succeeds if the command fails. (A mere "!" would not count under set -e.)
rejects() { if "$@"; then return 1; fi; }

# keywell CODE ARGUMENTS...: what it says is kept; it has to end with that code.
keywell() {
  local code=0
  timeout 60 "$ROOT/keywell" "${@:2}" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null || code=$?
  echo "exit code $code"
  cat "$WORK/stdout" "$WORK/stderr"
  [ "$code" -eq "$1" ]
}

# told GREP-OPTIONS... PATTERN: on stdout.
told() { grep -q "$@" "$WORK/stdout"; }

# in_launcher COMMANDS: runs shell code with the launcher's functions at hand.
in_launcher() {
  ROOT=$ROOT bash -euo pipefail -c '
    for part in common packages java aot hsm enrol verify service load model secrets lanes; do . "$ROOT/launcher/$part.sh"; done
    '"$1"
}

# has_mode MODE FILE...
has_mode() {
  local file
  for file in "${@:2}"; do
    [ "$(stat -c %a "$file" 2>/dev/null || stat -f %Lp "$file")" = "$1" ] || return 1
  done
}

# wait_until PROGRAM ARGUMENTS...
wait_until() { timeout 20 bash -c 'until "$@"; do sleep 0.1; done' "$0" "$@" 2>/dev/null; }

# program FILE LINE...: a shell script.
program() {
  mkdir -p "${1%/*}"
  printf '%s\n' '#!/bin/sh' "${@:2}" >"$1"
  chmod +x "$1"
}

# fake_jdk DIRECTORY VERSION [LINE]: whose Java does what the line says.
fake_jdk() {
  program "$1/bin/java" "${3:-}"
  program "$1/bin/javac"
  printf 'IMPLEMENTOR="Test"\nJAVA_VERSION="%s"\n' "$2" >"$1/release"
}

# --- usage -------------------------------------------------------------------------------------

COMMANDS="demo up fill sign extend status log bench tables load test check certs bootstrap hsm rotate-wrapping-key xks database-roles migrate archive erase renew-ca ca-request ca-import server-request server-certificate"

# is_misuse ARGUMENTS...: exit code 2, one line on stderr, nothing on stdout, nothing made.
is_misuse() {
  keywell 2 "$@"
  [[ $(wc -l <"$WORK/stderr") -eq 1 && ! -s $WORK/stdout && ! -e $KEYWELL_HOME ]]
}

helps() {
  keywell 0 "$@"
  told 'Usage: ./keywell'
  [ ! -e "$KEYWELL_HOME" ]
}

# load_explains CALL ARGUMENTS...: that program, and perhaps its command, is asked for its help, and nothing is made.
# In a copy of the launcher, with a Java that tells what it is called with.
load_explains() {
  local copy=$WORK/copy jdk=$WORK/jdk-that-tells program=${1%% *}
  if [ ! -d "$copy" ]; then
    mkdir -p "$copy"/{cli,loadgen,plan}/target/run "$copy/target"
    cp -R "$ROOT/keywell" "$ROOT/launcher" "$copy"
    touch "$copy"/{loadgen/target/run/keywell-loadgen-exec,plan/target/run/keywell-plan-exec,cli/target/run/keywell-cli}.jar \
      "$copy"/target/.built-{loadgen,plan}
    fake_jdk "$jdk" 25 'echo "$@"'
  fi
  JAVA_HOME=$jdk ROOT=$copy keywell 0 "${@:2}"
  told -x -- "-jar $copy/$program/target/run/keywell-$program-exec.jar${1#"$program"} --help"
  [ ! -e "$KEYWELL_HOME" ]
}

# misuses COMMAND ARGUMENTS...: a check for each; "-" stands for none.
misuses() {
  local arguments words
  for arguments in "${@:2}"; do
    words=()
    [ "$arguments" = - ] || eval "words=($arguments)"
    check "misuse: $1 $arguments" is_misuse "$1" ${words[@]+"${words[@]}"}
  done
}

check_usage() {
  local command call docs="'$ROOT/docs'" x="'$WORK/x'" file="'$WORK/east.request'" f=0123456789abcdef
  f=$f$f$f$f
  check "help" helps help
  check "--help" helps --help
  for command in $COMMANDS; do
    check "help $command" helps help "$command"
    check "$command --help" helps "$command" --help
  done
  for command in ramp compare overload tls speed storage messages show drive-null plan; do
    call="loadgen $command"
    check "load $command --help" load_explains "${call/#*plan/plan}" load "$command" --help
    check "help load $command" load_explains "${call/#*plan/plan}" help load "$command"
  done
  check "load tables --help" helps load tables --help
  check "load plan --peak-rate 5 -h" load_explains plan load plan --peak-rate 5 -h
  check "no command" is_misuse
  misuses launch -
  misuses help launch "load climb" ../help/up
  misuses up --accept-restored=yes --kmip=yes --xks=yes --jms=yes "--prot 8000" --port "--port abc" "--port 65536" --port=0 --profile --profile= \
    "--profile luna" --profile=/nonexistent.yaml "--profile $docs"
  misuses certs "--hosts x" "$x $x" "$x --host 'a b'" "$x --host 'a,DNS:b'" "$x --client Front" \
    "$x --client ca" "$x --client ../x" "$x --client a:admin" "$x --client a --client a:read" \
    "$docs --revoke admin" "''"
  misuses fill - many -5 "5 --fast" "5 --key-spec" "5 --key-spec RSA-2048 now"
  misuses check now
  misuses sign - "'$ROOT/LICENSE' --root /nonexistent"
  misuses extend - "'$ROOT/LICENSE' --root /nonexistent"
  misuses log - verfy --from reapply "reapply --from /nonexistent" "reapply --from $docs" "reapply --apply=yes" "reapply now"
  misuses demo /nonexistent / "a b"
  misuses load - climb
  for command in compare overload; do
    misuses load "$command --profile" "$command --profile=luna-sa-9000" \
      "$command --profile ./nonexistent.yaml" "$command --url http://127.0.0.1:8420"
  done
  misuses bootstrap now
  misuses migrate now
  misuses archive - "--before 2026-01" "--to $docs" "--before 2026-01 --to $docs now"
  misuses erase - "a b"
  misuses database-roles now "--owner" "--owner=" "--role a" "--apply now" "--apply=yes"
  misuses xks - make create-key "create-key a b" "create-key --use none a" restrict "restrict a" "restrict --usage= a" disable \
    check "check --device a b" "enable a b" destroy "list a" \
    erase "erase --before 2026-01-01 a" "erase a b" "erase --before="
  misuses rotate-wrapping-key now "--now=yes" --device --device= "--status --now" "--status --device a" "--later"
  misuses renew-ca - 2 "--generation" "--generation 1" "--generation 100" "--generation two" "--root" \
    "--generation 2 --root=yes" "--generation 2 --root --device east" "--generation 2 now"
  misuses ca-request - "--device east" "issuing.csr --device" "--force issuing.csr" "--new-key" "--new-key=yes issuing.csr"
  misuses ca-import /nonexistent "--new-key $file"
  : >"$WORK/east.request"
  misuses server-request - "--host a" server.csr "--host= server.csr" "--host a b.csr c.csr" "--days 3 --host a server.csr"
  misuses server-certificate - "--host a" "--host a $file" "--host a /nonexistent server.pem" \
    "$file server.pem" "--host= $file server.pem" "--host a $file server.pem now" "--wildcards=yes --host a $file server.pem"
  misuses hsm - enroll transport "transport a b" "transport --label x a" "transport $file" \
    "transport --device= a" enrol "enrol --fingerprint $f $file" "enrol --label= --fingerprint $f $file" \
    "enrol --label x" "enrol --label x $file" "enrol --label x $file --fingerprint" \
    "enrol --label x --fingerprint ${f%?} $file" "enrol --label x --fingerprint ${f%?}g $file" \
    "enrol --label x --fingerprint $f $file $file" "enrol --label x --fingerprint $f /nonexistent" \
    "enrol --label x --fingerprint $f '$WORK'" accept "accept $file" \
    "accept --label x --fingerprint $f $file" "accept --fingerprint $f /nonexistent"
  : >"$WORK/east.request.answer"
  misuses hsm "enrol --label x --fingerprint $f $file"
}

test_help_lists_every_command() {
  local command
  keywell 0 help
  for command in $COMMANDS; do told "^  $command "; done
}

test_help_up_names_every_profile() {
  local profile
  keywell 0 help up
  [ -n "$(in_launcher built_in_profiles)" ]
  for profile in $(in_launcher built_in_profiles); do told "[ (]${profile}[ ,]"; done
}

test_it_runs_from_anywhere_through_links() {
  mkdir -p "$WORK/a b/bin"
  ln -s "$ROOT/keywell" "$WORK/a b/first"
  ln -s "../first" "$WORK/a b/bin/second"
  cd "$WORK/a b"
  ./bin/second help
  cd /
  "$WORK/a b/first" help
  PATH=$WORK/a\ b/bin:$PATH second help
}

# --- the launcher's functions ------------------------------------------------------------------

check_functions() {
  local f=0123456789abcdef0123456789abcdef0123456789abcdef options='one="" two=() key_spec=""; take_arguments x'
  # launcher NAME COMMANDS
  launcher() { check "$1" in_launcher "$2"; }
  launcher "options and operands" "$options"' 2 "one two key-spec" a --one=1=1 --two "x y" --two=z --key-spec EC b
    [[ "$one ${two[0]} ${#two[@]} ${two[1]} $key_spec ${OPERANDS[*]}" = "1=1 x y 2 z EC a b" ]]'
  launcher "options of others" "$options"' any "one *" --one 2 --three -- --four=5 c
    [[ "$one ${OPERANDS[*]}" = "2 --three -- --four=5 c" ]]'
  launcher "no option" "for o in --two= --three --one; do ! ($options any 'one two' \$o) 2>/dev/null || exit 1; done"
  launcher "a fingerprint in groups" "is_fingerprint '0123-4567 89aB:CDEF$f'"
  launcher "ports" 'is_port 1 && is_port 65535 && ! is_port 0 && ! is_port 65536 && ! is_port x'
  launcher "a free port" 'port=$(free_port 20000); [ "$port" -ge 20000 ]'
  launcher "a helper's exit code" \
    'run_stoppably true; code=0; run_stoppably sh -c "exit 3" || code=$?; [ $code = 3 ]'
  KEYWELL_AOT=off launcher "a program with services of its own is built first" 'BUILD_JAR=jar JAVA=echo; use_java() { :; }
    build_if_needed() { say "build $1"; }; [[ $(become_with_services loadgen compare) = "build loadgen"*"-jar jar compare" ]]'
  launcher "waiting ends with the time" '! wait_for 1 $$ false'
  launcher "waiting ends with the process" 'sleep 0.2 & ! wait_for 60 $! false && [ "$SECONDS" -lt 20 ]'
  launcher "a profile by its name" \
    'use_profile luna-sa-1700-remote; [ "$(printenv KEYWELL_HSM_PROFILE)" = luna-sa-1700-remote ]'
  launcher "a profile by its file" ': >"$WORK/mine.yml"; use_profile "$WORK/mine.yml"
    [ "$(printenv KEYWELL_HSM_PROFILE)" = "$WORK/mine.yml" ]'
  KEYWELL_HSM_MODULE=/bin/sh launcher "an HSM of the user's is left alone" 'use_hsm
    [ -z "${SOFTHSM2_CONF:-}${KEYWELL_HSM_BOOTSTRAP:-}${KEYWELL_HSM_PINFILE:-}${KEYWELL_LOG_ORIGIN:-}" ]'
  KEYWELL_HOME=$WORK/tried launcher "a service to try out keeps a log" 'use_hsm; [ "$(printenv KEYWELL_LOG_ORIGIN)" = localhost/keywell ]'
  KEYWELL_HOME=$WORK/tried KEYWELL_LOG_ORIGIN='' launcher "none if the origin is empty" 'use_hsm; [ -z "$KEYWELL_LOG_ORIGIN" ]'
  KEYWELL_HOME=$WORK/tried KEYWELL_DATABASE_URL=jdbc:postgresql:x launcher "none in a database of the user's" \
    'use_hsm; [ -z "${KEYWELL_LOG_ORIGIN:-}" ]'
}

# As many tests as there are: a reader that stops early would end the lane.
test_a_lane_goes_on_after_its_slowest_tests() {
  local reports=$WORK/lane/target/surefire-reports
  mkdir -p "$reports"
  touch -t 202601010000 "$WORK/began"
  for i in $(seq 5000); do
    printf '  <testcase name="takes%s" classname="org.keywell.SomeTest" time="%s.5">\n' "$i" "$i"
  done >"$reports/TEST-org.keywell.SomeTest.xml"
  in_launcher "ROOT='$WORK/lane'; slowest_tests '$WORK/began'; echo goes on" >"$WORK/stdout"
  cat "$WORK/stdout"
  [ "$(grep -c ' s  SomeTest.takes' "$WORK/stdout")" -eq 10 ]
  told '5000.5 s  SomeTest.takes5000$'
  told -x 'goes on'
}

# Installing these packages starts servers. Programs that others need are installed, where that is allowed.
test_servers_are_unpacked_not_installed() {
  in_launcher '
    find_part() { false; }
    is_root() { true; }
    command() { true; }
    run_quietly() { shift 2; "$@"; }
    install_packages() { say "install $*"; }
    unpack_packages() { say "unpack $*"; }
    need_parts openssl promtool pdfsig prometheus pdftoppm amtool' >"$WORK/told" 2>/dev/null || true
  [ "$(cat "$WORK/told")" = "install openssl poppler-utils
unpack prometheus prometheus-alertmanager" ]
}

test_what_is_made_once_is_made_for_its_files() {
  printf 1 >"$WORK/pin"
  in_launcher 'use_home; fill() { echo made >>"$WORK/made"; [ ! -e "$WORK/fails" ]; }
    make() { make_once "$KEYWELL_HOME/kept" Making "not made" fill "$WORK/pin"; }
    make; make
    printf 2 >"$WORK/pin"; make
    printf 3 >"$WORK/pin"; : >"$WORK/fails"; code=0; (make) 2>"$WORK/stderr" || code=$?
    [ "$code" -eq 1 ]; grep -qx "keywell: not made" "$WORK/stderr"
    rm "$WORK/fails"; make; make'
  [ "$(wc -l <"$WORK/made")" -eq 4 ]
}

test_home_is_private() {
  in_launcher 'use_home'
  has_mode 700 "$KEYWELL_HOME"
}

test_a_home_of_others_is_left_as_it_is() {
  local home="$WORK/not ours"
  mkdir -p "$home"
  printf 'mine\n' >"$home/notes"
  chmod 755 "$home"
  KEYWELL_HOME=$home rejects in_launcher 'use_home' 2>"$WORK/stderr"
  grep -q "not ours is neither empty nor Keywell's own" "$WORK/stderr"
  has_mode 755 "$home"
  [ "$(ls -A "$home")" = notes ]
}

test_a_home_of_ours_stays_ours() {
  local name home
  # Marked, and what earlier versions left.
  for name in keywell.home keywell.lock postgres.password softhsm/softhsm2.conf; do
    home=$WORK/ours/${name%%/*}
    mkdir -p "$home" "$(dirname "$home/$name")"
    touch "$home/$name" "$home/of the user"
    KEYWELL_HOME=$home in_launcher 'use_home'
    has_mode 700 "$home"
  done
  mkdir -p "$WORK/ours/first/logs"
  KEYWELL_HOME=$WORK/ours/first in_launcher 'use_home; use_home'
}

test_a_home_in_use_is_named_first() {
  local home="$WORK/in use" command holder
  mkdir -p "$home/logs"
  printf 'the log of what runs\n' >"$home/logs/demo.log"
  # Stands for the service, whose lock file names it.
  bash -c 'exec 3>>"$1/keywell.lock"; printf "%s\n" $$ http://127.0.0.1:18420 >"$1/keywell.lock"
    exec sleep 60' keywell "$home" &
  holder=$!
  # shellcheck disable=SC2064 # the process that was started here
  trap "kill $holder" EXIT
  wait_until grep -q http "$home/keywell.lock"
  for command in up demo bench "load compare" "load overload" "load tls" "load speed" "load storage" \
    "load messages --fresh 10"; do
    # shellcheck disable=SC2086 # words
    KEYWELL_HOME=$home JAVA_HOME=/nonexistent keywell 2 $command
    [ ! -s "$WORK/stdout" ]
    grep -qF "process $holder (http://127.0.0.1:18420) uses the data directory $home already" "$WORK/stderr"
  done
  grep -qx 'the log of what runs' "$home/logs/demo.log"
}

test_a_lock_that_a_crash_left_is_free() {
  mkdir -p "$WORK/crashed"
  # A process that lives and has nothing to do with it.
  printf '%s\n' "$$" >"$WORK/crashed/keywell.lock"
  KEYWELL_HOME=$WORK/crashed in_launcher 'require_free_home'
  KEYWELL_HOME=$WORK/nowhere in_launcher 'require_free_home'
}

test_a_token_for_a_run_is_beside_the_one_that_is_kept() {
  local dir="$WORK/a run/softhsm" conf
  conf=$(in_launcher 'need_parts() { :; }; find_part() { echo /softhsm.so; }
    use_hsm "'"$dir"'"; printenv SOFTHSM2_CONF')
  [ "$conf" = "$dir/softhsm2.conf" ]
  grep -q "^directories.tokendir = $dir/tokens\$" "$conf"
  [[ -s $dir/pin && ! -e $KEYWELL_HOME/softhsm ]]
}

test_pins_are_private_random_and_kept() {
  local code='use_home; write_softhsm_configuration "$KEYWELL_HOME/softhsm"
    use_softhsm_pins "$KEYWELL_HOME/softhsm"; cat "$KEYWELL_HSM_PINFILE" "$KEYWELL_HSM_SOPINFILE"'
  local first second
  first=$(in_launcher "$code")
  second=$(in_launcher "$code")
  [[ $first = "$second" && ${#first} -eq 64 && ${first:0:32} != "${first:32}" ]]
  has_mode 600 "$KEYWELL_HOME"/softhsm/{,so-}pin
  has_mode 700 "$KEYWELL_HOME/softhsm/tokens"
  [ "$(find "$KEYWELL_HOME/softhsm" -name 'pin.*' | wc -l)" -eq 0 ]
}

test_a_lost_pin_is_not_replaced() {
  mkdir -p "$KEYWELL_HOME/softhsm/tokens/one"
  rm "$KEYWELL_HOME/softhsm/pin"
  rejects in_launcher 'use_softhsm_pins "$KEYWELL_HOME/softhsm"'
  [ ! -e "$KEYWELL_HOME/softhsm/pin" ]
}

test_jdks_are_told_apart() {
  local version
  for version in 25 25.0.1 25-ea 25+36 1.8.0_25 17.0.25 24 26.0.1 250; do
    fake_jdk "$WORK/jdk-$version" "$version"
    JAVA_HOME=$WORK/jdk-$version in_launcher '[ "$(find_jdk)" = "$JAVA_HOME" ]' && echo "$version"
  done >"$WORK/stdout"
  [ "$(paste -sd ' ' "$WORK/stdout")" = "25 25.0.1 25-ea 25+36" ]
  fake_jdk "$WORK/jre" 25
  rm "$WORK/jre/bin/javac"
  rejects in_launcher "is_right_jdk '$WORK/jre'"
}

test_quiet_commands_pass_on_their_exit_code() {
  in_launcher 'run_quietly "Testing" "$KEYWELL_HOME/logs/x" sh -c "echo told; exit 0"'
  grep -qx told "$KEYWELL_HOME/logs/x"
  in_launcher 'code=0; run_quietly "Testing" "$KEYWELL_HOME/logs/x" sh -c "exit 3" || code=$?; [ $code = 3 ]'
}

# A helper may have a report to write: it is asked to end, and the launcher waits for it.
test_a_signal_ends_the_helper_first() {
  local code=0 launcher
  in_launcher 'echo $$ >"$WORK/launcher"
    run_stoppably sh -c "trap \"sleep 0.3; echo written >$WORK/written; exit 0\" TERM
      echo >$WORK/up; while :; do sleep 0.1; done"' &
  launcher=$!
  wait_until test -e "$WORK/up"
  kill -TERM "$(cat "$WORK/launcher")"
  wait "$launcher" || code=$?
  [[ $code -eq 143 && $(cat "$WORK/written") = written ]]
}

# The user's own options come later and win.
test_a_service_without_memory_ends() {
  KEYWELL_AOT=off KEYWELL_JAVA_OPTS='-Xmx1g -XX:-ExitOnOutOfMemoryError' in_launcher 'service_program
    printf "%s " "${SERVICE_PROGRAM[@]}"' >"$WORK/stdout"
  told '^-XX:+ExitOnOutOfMemoryError -Xms64m -Xmx1g -XX:-ExitOnOutOfMemoryError -jar '
}

# --- the AOT cache -----------------------------------------------------------------------------

BUILT=$WORK/a\ built\ one/standalone/target/run

# in_built COMMANDS: as in_launcher, in a copy of the launcher beside a jar that is built. Its Java unpacks
# by making the folder, and its training run writes a cache or fails; both are counted.
in_built() {
  local copy=$WORK/a\ built\ one jdk=$WORK/jdk-that-unpacks
  if [ ! -d "$copy" ]; then
    mkdir -p "$BUILT" "$copy/target"
    cp -R "$ROOT/launcher" "$copy"
    printf 'one' >"$BUILT/keywell-standalone-exec.jar"
    program "$copy/launcher/train.sh" 'echo >>"$COUNT"; [ ! -e "$COUNT.fails" ] && echo learnt >"$5"'
    fake_jdk "$jdk" 25 'mkdir -p "$6" && cp "$3" "$6"'
  fi
  ROOT=$copy COUNT=$WORK/trained JAVA_HOME=$jdk in_launcher 'JAVA=$JAVA_HOME/bin/java
    find_part() { echo /softhsm.so; }
    build_if_needed() { :; }
    env() { shift; while [ "$1" != bash ]; do shift; done; "$@"; }
    export COUNT
    '"$1"
}

trained() { [ "$(wc -l <"$WORK/trained")" -eq "$1" ]; }

told_program() { in_built 'service_program; printf "%s\n" "${SERVICE_PROGRAM[@]}"' >"$WORK/stdout"; }

test_a_cache_is_made_once() {
  in_built 'prepare_aot_cache; prepare_aot_cache'
  trained 1
  KEYWELL_JAVA_OPTS='-Xmx1g' told_program
  cat "$WORK/stdout"
  told -xF -- "-XX:AOTCache=$BUILT/unpacked/keywell.aot"
  [ "$(tail -n 3 "$WORK/stdout" | paste -sd '|')" = "-Xmx1g|-jar|$BUILT/unpacked/keywell-standalone-exec.jar" ]
  # Programs of ours get the same, an argument a line.
  KEYWELL_JAVA_OPTS='' told_program
  in_built 'export_service_program; printenv KEYWELL_SERVICE_PROGRAM' | cmp - "$WORK/stdout"
}

# Its name, size and age are the same.
test_another_jar_is_not_run_with_the_cache_of_the_first() {
  local jar=$BUILT/keywell-standalone-exec.jar
  touch -r "$jar" "$WORK/age"
  printf 'two' >"$jar"
  touch -r "$WORK/age" "$jar"
  told_program
  told -xF -- "$jar"
  rejects told AOTCache
  in_built 'prepare_aot_cache'
  trained 2
  told_program
  told AOTCache
  printf 'JAVA_VERSION="25.0.9"\n' >"$WORK/jdk-that-unpacks/release"
  told_program
  rejects told AOTCache
}

test_a_training_run_that_fails_is_in_nobodys_way() {
  : >"$WORK/trained.fails"
  in_built 'prepare_aot_cache; echo goes on; prepare_aot_cache' >"$WORK/stdout" 2>"$WORK/stderr"
  told -x 'goes on'
  grep -q 'no AOT cache could be made' "$WORK/stderr"
  trained 3
  told_program
  rejects told AOTCache
  told 'unpacked/keywell-standalone-exec.jar$'
}

test_a_cache_can_be_done_without() {
  rm -rf "$BUILT/unpacked"
  KEYWELL_AOT=off in_built 'prepare_aot_cache'
  trained 3
  KEYWELL_AOT=off told_program
  [ "$(tail -n 1 "$WORK/stdout")" = "$BUILT/keywell-standalone-exec.jar" ]
  rejects in_built 'KEYWELL_AOT=yes prepare_aot_cache'
  # No SoftHSM is installed for it.
  in_built 'find_part() { return 1; }; prepare_aot_cache'
  trained 3
}

# --- verification by openssl -------------------------------------------------------------------

# make_certificate NAME ISSUER EXTENSIONS KEY-OPTIONS...: NAME.key and NAME.crt in the working directory.
make_certificate() {
  local name=$1 by=(-signkey "$1.key")
  [ "$2" = "$name" ] || by=(-CA "$2.crt" -CAkey "$2.key" -set_serial 0x1234)
  openssl genpkey "${@:4}" -out "$name.key" 2>/dev/null
  openssl req -new -key "$name.key" -subj "/CN=$name" |
    openssl x509 -req "${by[@]}" -days 2 -extfile <(printf '%b' "$3") -out "$name.crt"
}

make_hierarchy() {
  local ec=(-algorithm EC -pkeyopt ec_paramgen_curve:P-256)
  local ids='subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n'
  local ca="basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n$ids"
  local leaf="basicConstraints=critical,CA:FALSE\nkeyUsage=critical,nonRepudiation\n$ids"
  cd "$WORK"
  make_certificate root root "$ca" "${ec[@]}"
  make_certificate other other "$ca" "${ec[@]}"
  make_certificate issuing root "$ca" "${ec[@]}"
  make_certificate rsa issuing "$leaf" -algorithm RSA -pkeyopt rsa_keygen_bits:2048
  make_certificate ec issuing "$leaf" "${ec[@]}"
  cat rsa.crt issuing.crt root.crt >rsa.chain
  cat ec.crt issuing.crt root.crt >ec.chain
  printf 'I agree.\n' >"$WORK/my file=1.txt"
}

verifies_under() { in_launcher "verify_signed_file '$WORK/summary' '$WORK/$1.crt'"; }

# signature_verifies KEY ALGORITHM DIGEST OPENSSL-OPTIONS...: signs the file and writes the summary of it.
signature_verifies() {
  openssl dgst "-${3/SHA-/sha}" -sign "$WORK/$1.key" "${@:4}" -out "$WORK/file.sig" "$WORK/my file=1.txt"
  printf '%s\n' REQUEST_ID=x "FILE=$WORK/my file=1.txt" "DIGEST=$3" "SIGNATURE_ALGORITHM=$2" \
    "SIGNATURE_FILE=$WORK/file.sig" "CHAIN_FILE=$WORK/$1.chain" >"$WORK/summary"
  verifies_under root
}

check_signatures() {
  local digest pss=(-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest)
  check "a test CA" make_hierarchy
  for digest in SHA-256 SHA-384 SHA-512; do
    check "PKCS#1 v1.5 with $digest" signature_verifies rsa RSASSA-PKCS1-v1_5 "$digest"
    check "PSS with $digest" signature_verifies rsa RSASSA-PSS "$digest" "${pss[@]}"
    check "ECDSA with $digest" signature_verifies ec ECDSA "$digest"
  done
}

test_shown_commands_can_be_pasted() {
  verifies_under root >"$WORK/shown"
  grep '^\$ ' "$WORK/shown" | cut -c 3- >"$WORK/pasted.sh"
  [ "$(wc -l <"$WORK/pasted.sh")" -eq 2 ]
  bash -euo pipefail "$WORK/pasted.sh"
}

test_another_root_is_rejected() { rejects verifies_under other; }

# xmlsec1 itself may not be here: what it is given counts.
test_each_root_of_a_file_is_given_to_xmlsec() {
  cat "$WORK/other.crt" "$WORK/root.crt" >"$WORK/two.crt"
  printf 'FORM=XADES_ENVELOPED\nFILE=a.xml\nSIGNED_FILE=b.xml\nSIGNATURE_ALGORITHM=ECDSA\n' >"$WORK/xml"
  in_launcher 'find_part() { :; }
    xmlsec1() {
      while [ $# -gt 0 ]; do
        if [ "$1" = --trusted-pem ]; then openssl x509 -in "$2" -noout -fingerprint; fi
        shift
      done >"$WORK/trusted"
    }
    verify_signed_file "$WORK/xml" "$WORK/two.crt"'
  for name in other root; do openssl x509 -in "$WORK/$name.crt" -noout -fingerprint; done | diff - "$WORK/trusted"
}

test_a_changed_file_is_rejected() {
  printf 'I do not agree.\n' >"$WORK/my file=1.txt"
  rejects verifies_under root
}

# --- certificates for Compose and for development ----------------------------------------------

# verify_certificate CERTIFICATE AUTHORITY OPTIONS...
verify_certificate() { openssl verify -CAfile "$WORK/$2.crt" "${@:3}" "$WORK/$1.crt"; }

test_compose_secrets_are_complete_and_kept() {
  local secrets=$WORK/secrets before name
  "$ROOT/launcher/make-compose-secrets.sh" "$secrets"
  has_mode 700 "$secrets"
  while read -r name; do
    [ -s "$secrets/$name" ]
  done < <(sed -n 's|^    file: ./secrets/||p' "$ROOT/docker-compose.yml")
  verify_certificate secrets/server secrets/ca -x509_strict -purpose sslserver
  verify_certificate secrets/client secrets/ca -x509_strict -purpose sslclient
  verify_certificate secrets/monitor secrets/monitoring-ca -x509_strict -purpose sslclient
  # What may read metrics must not be able to sign.
  rejects verify_certificate secrets/monitor secrets/ca
  before=$(cat "$secrets"/*)
  "$ROOT/launcher/make-compose-secrets.sh" "$secrets"
  [ "$before" = "$(cat "$secrets"/*)" ]
}

CERTS=$WORK/dev\ certs

test_certificates() {
  local name
  keywell 0 certs "$CERTS" --host svc.example --host 192.0.2.7 --client front-end --client admin:operate,observe \
    --client keys:manage,export
  has_mode 700 "$CERTS"
  has_mode 600 "$CERTS"/{ca,server,front-end,admin}.key "$CERTS/front-end.p12"
  verify_certificate "dev certs/server" "dev certs/ca" -x509_strict -purpose sslserver -verify_hostname svc.example
  for name in 127.0.0.1 ::1 192.0.2.7; do verify_certificate "dev certs/server" "dev certs/ca" -verify_ip "$name"; done
  for name in front-end admin; do
    verify_certificate "dev certs/$name" "dev certs/ca" -x509_strict -crl_check -CRLfile "$CERTS/ca.crl" -purpose sslclient
  done
  rejects verify_certificate "dev certs/admin" "dev certs/ca" -purpose sslserver
  openssl pkcs12 -in "$CERTS/admin.p12" -passin pass:keywell -nokeys -clcerts |
    openssl x509 -noout -subject | grep -q 'CN = admin'
  grep -A4 'name: front-end' "$CERTS/callers.yaml" | grep -q 'roles: \[sign\]'
  grep -A4 'name: admin' "$CERTS/callers.yaml" | grep -q 'roles: \[operate, observe\]'
  grep -A4 'name: keys' "$CERTS/callers.yaml" | grep -q 'roles: \[manage, export\]'
  told 'DEVELOPMENT'
  told "cert '$CERTS/front-end.crt'"
}

# What is written for shells is what shells read, whatever the directory is called.
test_settings_for_tls() {
  set -a
  # shellcheck source=/dev/null
  . "$CERTS/keywell.env"
  # shellcheck source=/dev/null
  . "$CERTS/admin.env"
  [[ -s ${SPRING_SSL_BUNDLE_PEM_KEYWELL_TRUSTSTORE_CERTIFICATE#file:} && -s $KEYWELL_SECURITY_CALLERSFILE ]]
  [[ -s $KEYWELL_SECURITY_REVOCATION_CRLFILE && $SERVER_SSL_CLIENTAUTH = need ]]
  openssl verify -CAfile "$KEYWELL_TLS_CA" "$KEYWELL_TLS_CERT"
  openssl pkey -in "$KEYWELL_TLS_KEY" -noout
}

# What the launcher makes for each combination of doors, twice: the files stay as they are, settings name none of them.
test_doors_for_a_trial() {
  local doors door i home
  for doors in kmip xks jms "kmip xks" "kmip jms" "xks jms" "kmip xks jms"; do
    home="$WORK/doors/${doors// /+}"
    for i in 1 2; do
      KEYWELL_HOME=$home DOORS=$doors in_launcher '. "$ROOT/launcher/authority.sh"; . "$ROOT/launcher/certs.sh"
        . "$ROOT/launcher/xks.sh"; . "$ROOT/launcher/jms.sh"
        for door in $DOORS; do use_$door; done
        printenv | grep -E "^(KEYWELL|SERVER|SPRING)_" | sort
        find "$KEYWELL_HOME" -type f ! -path "*/logs/*" -exec cksum {} + | sort' >"$WORK/doors.$i"
    done
    cmp "$WORK/doors.1" "$WORK/doors.2"
    grep -qx "KEYWELL_DOORS=$doors" "$WORK/doors.1"
    [ "$(grep -c '_ENABLED=true$' "$WORK/doors.1")" -eq "$(wc -w <<<"$doors")" ]
    rejects grep -E '^(SERVER|SPRING|KEYWELL_(SECURITY|KMIP_B|XKS_[BC]|JMS_(B|EMB|P|U|V)))' "$WORK/doors.1"
    case $doors in *kmip* | *xks*) [ -s "$home/certs/server.key" ] ;; *) [ ! -e "$home/certs" ] ;; esac
    case $doors in *xks*) grep -Eqx '[A-Z2-7]{26} [A-Za-z0-9/+=]{44}' "$home/xks/credentials" && has_mode 600 "$home/xks/credentials" ;; esac
    case $doors in
      *jms*)
        for door in "$home"/*/callers.yaml; do
          has_mode 600 "$door"
          [ "$(grep -c 'broker-user: trial' "$door")" -eq 1 ]
        done
        [ -e "$home/jms/callers.yaml" ]
        ;;
    esac
  done
}

test_a_client_is_revoked_once() {
  keywell 0 certs "$CERTS" --revoke front-end
  rejects verify_certificate "dev certs/front-end" "dev certs/ca" -crl_check -CRLfile "$CERTS/ca.crl"
  verify_certificate "dev certs/admin" "dev certs/ca" -crl_check -CRLfile "$CERTS/ca.crl"
  keywell 1 certs "$CERTS" --revoke front-end
}

test_certs_does_not_overwrite() {
  local before
  before=$(cat "$CERTS"/*.{key,crt,crl,yaml,env})
  keywell 2 certs "$CERTS"
  keywell 2 certs "$CERTS" --revoke nobody
  [ "$before" = "$(cat "$CERTS"/*.{key,crt,crl,yaml,env})" ]
}

# Each kind of secret is planted in a report, and found; what is allowed is not.
test_secrets_in_reports_are_found() {
  local report=$WORK/m/target/surefire-reports/a.xml secret
  mkdir -p "${report%/*}"
  touch -t 202001010000 "$WORK/began"
  echo 0123456789abcdef >"$WORK/m/target/pins"
  echo "<testcase name=\"Astrid\"> MIIBmzCCAU$(printf 'a%.0s' {1..200})" >"$report"
  in_launcher 'check_secrets "$WORK/began" "$WORK/m"'
  for secret in 'for Astrid' PNOSE-197001011234 eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ0ZXN0In0.c2lnbmF0dXJlc2lnbmF0dXJl \
    0123456789abcdef "blob $(printf 'a%.0s' {1..200})" 'MIIEvQIBADANBgkqhkiG-----BEGIN PRIVATE KEY-----'; do
    echo "$secret" >"$report"
    rejects in_launcher 'check_secrets "$WORK/began" "$WORK/m"'
  done
}

# --- containers --------------------------------------------------------------------------------

# With a docker whose Compose has that version and accepts every file.
test_the_version_of_docker_compose() {
  local minimum version
  minimum=$(sed -n 's/^readonly MINIMUM=//p' "$ROOT/launcher/check-compose.sh")
  grep -qF "Compose $minimum " "$ROOT/docker-compose.yml"
  grep -qF "Compose $minimum " "$ROOT/docs/operations/containers.md"
  PATH=$WORK/compose:$PATH
  for version in 1.29.2 v2.6.0 2.5.1+azure-1 2.6.1 v2.29.7-desktop.1 5.5.0; do
    program "$WORK/compose/docker" '[ "$1" = compose ] || exit 1' "[ \"\$2 \$3\" != 'version --short' ] || echo $version"
    case $version in
      1.* | v2.6.0 | 2.5.*)
        rejects "$ROOT/launcher/check-compose.sh" 2>"$WORK/stdout"
        told -F "needs Docker Compose $minimum or later; this is $version"
        ;;
      *) "$ROOT/launcher/check-compose.sh" ;;
    esac
  done
}

# The rest runs in the image only, with the tools of Linux. A PIN file that others can read must reach the service
# as a private one, a private one as it is.
test_pins_in_a_container_on_linux() {
  local pin so_pin device_pin rest
  program "$WORK/container/java" \
    'echo "$KEYWELL_HSM_PINFILE" "$KEYWELL_HSM_SOPINFILE" "$KEYWELL_HSM_DEVICES_1_PINFILE" "$@"'
  printf 1234 >"$WORK/open-pin"
  printf 5678 >"$WORK/own-pin"
  chmod 444 "$WORK/open-pin"
  chmod 400 "$WORK/own-pin"
  PATH=$WORK/container:$PATH TMPDIR=$WORK KEYWELL_HSM_PINFILE=$WORK/open-pin \
    KEYWELL_HSM_SOPINFILE=$WORK/own-pin KEYWELL_HSM_DEVICES_1_PINFILE=$WORK/open-pin \
    "$ROOT/launcher/container-start.sh" serve >"$WORK/stdout"
  read -r pin so_pin device_pin rest <"$WORK/stdout"
  has_mode 600 "$pin" "$device_pin"
  [[ $(cat "$pin") = 1234 && $(cat "$device_pin") = 1234 && $so_pin = "$WORK/own-pin" && ${rest##* } = serve ]]
}

# health_at PORT [CERTIFICATE AUTHORITY]: the health check, plain or over TLS.
health_at() (
  if [ $# -gt 1 ]; then
    export KEYWELL_TLS_CERT=$WORK/secrets/$2.crt KEYWELL_TLS_KEY=$WORK/secrets/$2.key
    export KEYWELL_TLS_CA=$WORK/secrets/$3.crt
  fi
  MANAGEMENT_SERVER_PORT=$1 bash "$ROOT/launcher/container-health.sh"
)

# openssl, which serves files as whole answers, stands for the management port: it knows callers by
# the certificates of the monitoring authority.
test_health_of_a_container_is_told_over_tls_on_linux() {
  local port answer=$WORK/www/actuator/health/readiness
  port=$(in_launcher 'free_port 21000')
  rejects health_at "$port"
  rejects health_at "$port" monitor ca
  mkdir -p "${answer%/*}"
  printf 'HTTP/1.1 200 \r\n\r\n{"status":"UP"}' >"$answer"
  (cd "$WORK/www" && exec openssl s_server -quiet -HTTP -accept "127.0.0.1:$port" \
    -cert "$WORK/secrets/server.crt" -key "$WORK/secrets/server.key" \
    -CAfile "$WORK/secrets/monitoring-ca.crt" -Verify 1 -verify_return_error) &
  # shellcheck disable=SC2064 # the process that was started here
  trap "kill $!" EXIT
  wait_until bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"
  health_at "$port" monitor ca
  rejects health_at "$port" client ca
  rejects health_at "$port" monitor monitoring-ca
  rejects health_at "$port"
  printf 'HTTP/1.1 503 \r\n\r\n{"status":"OUT_OF_SERVICE"}' >"$answer"
  rejects health_at "$port" monitor ca
}

check_usage
check_functions
check_signatures
# shellcheck disable=SC2013 # each line is a word
for name in $(sed -n 's/^test_\([a-z_]*\)() .*/\1/p' "${BASH_SOURCE[0]}"); do
  case $name:$(uname) in
    *_on_linux:Linux) ;;
    *_on_linux:*) continue ;;
  esac
  check "${name//_/ }" "test_$name"
done

printf '%d launcher checks passed, %d failed\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ]
