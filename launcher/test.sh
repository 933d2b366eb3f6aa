#!/usr/bin/env bash
# Tests of the launcher itself: everything that needs neither a build nor a running service.
# shellcheck disable=SC2016 # code in single quotes is for in_launcher to expand
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
WORK=$(mktemp -d "${TMPDIR:-/tmp}/keywell-test.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
PASSED=0
FAILED=0

unset KEYWELL_HSM_MODULE KEYWELL_HSM_PROFILE KEYWELL_HSM_PIN KEYWELL_HSM_PINFILE KEYWELL_HSM_SOPINFILE SERVER_PORT
export KEYWELL_HOME="$WORK/the home"

# check NAME COMMAND...: passes if the command succeeds.
check() {
  local name=$1
  shift
  # Not as a condition: that would switch off set -e within.
  set +e
  (set -e; "$@") >"$WORK/out" 2>&1
  local code=$?
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
rejects() {
  if "$@"; then
    return 1
  fi
}

# is_misuse ARGUMENTS...: exit code 2, one line on stderr, nothing on stdout, nothing made.
is_misuse() {
  local code=0 made=no
  "$ROOT/keywell" "$@" >"$WORK/stdout" 2>"$WORK/stderr" </dev/null || code=$?
  [ ! -e "$KEYWELL_HOME" ] || made=yes
  printf 'exit code %s, stderr: ' "$code"
  cat "$WORK/stderr"
  [ "$code" -eq 2 ]
  [ "$(wc -l <"$WORK/stderr")" -eq 1 ]
  [ ! -s "$WORK/stdout" ]
  [ "$made" = no ]
}

helps() {
  "$ROOT/keywell" "$@" >"$WORK/stdout" </dev/null
  grep -q 'Usage: ./keywell' "$WORK/stdout"
  [ ! -e "$KEYWELL_HOME" ]
}

# load_explains COMMAND ARGUMENTS...: the program that knows the command is asked for its help, and
# nothing is made. In a copy of the launcher, with a Java that tells what it is called with.
load_explains() {
  local command=$1 copy=$WORK/copy jdk=$WORK/jdk-that-tells call
  shift
  if [ ! -d "$copy" ]; then
    mkdir -p "$copy"/{cli,loadgen,plan}/target/run "$copy/target"
    cp -R "$ROOT/keywell" "$ROOT/launcher" "$copy"
    touch "$copy/loadgen/target/run/keywell-loadgen-exec.jar" "$copy/plan/target/run/keywell-plan-exec.jar" \
      "$copy/cli/target/run/keywell-cli.jar" "$copy"/target/.built-{loadgen,plan}
    fake_jdk "$jdk" 25
    printf '#!/bin/sh\necho "$@"\n' >"$jdk/bin/java"
  fi
  JAVA_HOME=$jdk "$copy/keywell" "$@" >"$WORK/stdout" </dev/null
  cat "$WORK/stdout"
  case $command in
    plan) call="$copy/plan/target/run/keywell-plan-exec.jar" ;;
    *) call="$copy/loadgen/target/run/keywell-loadgen-exec.jar $command" ;;
  esac
  grep -qx -- "-jar $call --help" "$WORK/stdout"
  [ ! -e "$KEYWELL_HOME" ]
}

# --- usage -------------------------------------------------------------------------------------

COMMANDS="demo up fill sign status bench tables load test check certs bootstrap hsm ca-request ca-import"

overview_names_every_command() {
  local command
  "$ROOT/keywell" help >"$WORK/stdout"
  for command in $COMMANDS; do
    grep -q "^  $command " "$WORK/stdout"
  done
}

help_names_every_profile() {
  local profile
  "$ROOT/keywell" help up >"$WORK/stdout"
  [ -n "$(in_launcher built_in_profiles)" ]
  for profile in $(in_launcher built_in_profiles); do
    grep -q "[ (]${profile}[ ,]" "$WORK/stdout"
  done
}

runs_from_anywhere() {
  mkdir -p "$WORK/a b/bin"
  ln -s "$ROOT/keywell" "$WORK/a b/first"
  ln -s "../first" "$WORK/a b/bin/second"
  cd "$WORK/a b"
  ./bin/second help >/dev/null
  cd /
  "$WORK/a b/first" help >/dev/null
  PATH=$WORK/a\ b/bin:$PATH
  second help >/dev/null
}

# misuses COMMAND ARGUMENTS...: a check for each; "-" stands for none.
misuses() {
  local command=$1 arguments words
  shift
  for arguments in "$@"; do
    words=()
    [ "$arguments" = - ] || eval "words=($arguments)"
    check "misuse: $command $arguments" is_misuse "$command" ${words[@]+"${words[@]}"}
  done
}

test_usage() {
  local command docs="'$ROOT/docs'" x="'$WORK/x'"
  check "help" helps help
  check "--help" helps --help
  check "help lists every command" overview_names_every_command
  for command in $COMMANDS; do
    check "help $command" helps help "$command"
    check "$command --help" helps "$command" --help
  done
  for command in ramp compare overload show plan drive-null; do
    check "load $command --help" load_explains "$command" load "$command" --help
    check "help load $command" load_explains "$command" help load "$command"
  done
  check "load tables --help" helps load tables --help
  check "load plan --peak-rate 5 -h" load_explains plan load plan --peak-rate 5 -h
  check "help up names every profile" help_names_every_profile
  check "runs from anywhere, through links" runs_from_anywhere
  check "a lane goes on after its slowest tests" the_slowest_tests_end_a_lane
  check "no command" is_misuse
  misuses launch -
  misuses help launch "load climb" ../help/up
  misuses up "--prot 8000" --port "--port abc" "--port 65536" --port=0 --profile --profile= \
    "--profile luna" --profile=/nonexistent.yaml "--profile $docs"
  misuses certs "--hosts x" "$x $x" "$x --host 'a b'" "$x --host 'a,DNS:b'" "$x --client Front" \
    "$x --client ca" "$x --client ../x" "$x --client a:admin" "$x --client a --client a:read" \
    "$docs --revoke admin"
  misuses fill - many -5 "5 --fast" "5 --key-spec" "5 --key-spec RSA-2048 now"
  misuses check now
  misuses sign - "'$ROOT/LICENSE' --root /nonexistent"
  misuses demo /nonexistent / "a b"
  misuses load - climb
  for command in compare overload; do
    misuses load "$command --profile" "$command --profile=luna-sa-9000" \
      "$command --profile ./nonexistent.yaml" "$command --url http://127.0.0.1:8420"
  done
  misuses bootstrap now
  misuses ca-request - "--device east" "issuing.csr --device" "--force issuing.csr"
  misuses ca-import /nonexistent
  test_hsm_usage
}

test_hsm_usage() {
  local f=0123456789abcdef file="'$WORK/east.request'"
  f=$f$f$f$f
  : >"$WORK/east.request"
  misuses hsm - enroll transport "transport a b" "transport --label x a" "transport $file" \
    "transport --device= a" enrol "enrol --fingerprint $f $file" "enrol --label= --fingerprint $f $file" \
    "enrol --label x" "enrol --label x $file" "enrol --label x $file --fingerprint" \
    "enrol --label x --fingerprint ${f%?} $file" "enrol --label x --fingerprint ${f%?}g $file" \
    "enrol --label x --fingerprint $f $file $file" "enrol --label x --fingerprint $f /nonexistent" \
    "enrol --label x --fingerprint $f '$WORK'" accept "accept $file" \
    "accept --label x --fingerprint $f $file" "accept --fingerprint $f /nonexistent"
  : >"$WORK/east.request.answer"
  misuses hsm "enrol --label x --fingerprint $f $file"
  check "fingerprints are taken in groups" in_launcher "is_fingerprint '${f:0:4}-${f:4:4} ${f:8:4}:${f:12}'"
}

# --- the launcher's functions ------------------------------------------------------------------

# in_launcher COMMANDS: runs shell code with the launcher's functions at hand.
in_launcher() {
  ROOT=$ROOT bash -euo pipefail -c '
    script_directory() { (cd "$(dirname "$1")" && pwd -P); }
    for part in common packages java aot hsm enrol verify service linters lanes; do . "$ROOT/launcher/$part.sh"; done
    '"$1"
}

# As many tests as there are: whoever stops reading early would end the lane.
the_slowest_tests_end_a_lane() {
  local reports=$WORK/lane/target/surefire-reports
  mkdir -p "$reports"
  touch -t 202601010000 "$WORK/began"
  for i in $(seq 5000); do
    printf '  <testcase name="takes%s" classname="org.keywell.SomeTest" time="%s.5">\n' "$i" "$i"
  done >"$reports/TEST-org.keywell.SomeTest.xml"
  in_launcher "ROOT='$WORK/lane'; slowest_tests '$WORK/began'; echo goes on" >"$WORK/stdout"
  cat "$WORK/stdout"
  [ "$(grep -c ' s  SomeTest.takes' "$WORK/stdout")" -eq 10 ]
  grep -q '5000.5 s  SomeTest.takes5000$' "$WORK/stdout"
  grep -qx 'goes on' "$WORK/stdout"
}

mode_of() { stat -c %a "$1" 2>/dev/null || stat -f %Lp "$1"; }

home_is_private() {
  in_launcher 'use_home'
  [ "$(mode_of "$KEYWELL_HOME")" = 700 ]
}

a_home_of_others_is_left_as_it_is() {
  local home="$WORK/not ours"
  mkdir -p "$home"
  printf 'mine\n' >"$home/notes"
  chmod 755 "$home"
  KEYWELL_HOME=$home rejects in_launcher 'use_home' 2>"$WORK/stderr"
  grep -q "not ours is neither empty nor Keywell's own" "$WORK/stderr"
  [ "$(mode_of "$home")" = 755 ]
  [ "$(ls -A "$home")" = notes ]
}

a_home_of_ours_stays_ours() {
  local name home
  # Marked, and what earlier versions left.
  for name in keywell.home keywell.lock postgres.password softhsm/softhsm2.conf; do
    home=$WORK/ours/${name%%/*}
    mkdir -p "$home" "$(dirname "$home/$name")"
    : >"$home/$name"
    : >"$home/of the user"
    KEYWELL_HOME=$home in_launcher 'use_home'
    [ "$(mode_of "$home")" = 700 ]
  done
  mkdir -p "$WORK/ours/first/logs"
  KEYWELL_HOME=$WORK/ours/first in_launcher 'use_home; use_home'
}

a_home_in_use_is_named_first() {
  local home="$WORK/in use" command holder
  mkdir -p "$home/logs"
  printf 'the log of what runs\n' >"$home/logs/demo.log"
  # Stands for the service, whose lock file names it.
  bash -c 'exec 3>>"$1/keywell.lock"; echo $$ >"$1/keywell.lock"
    echo http://127.0.0.1:18420 >>"$1/keywell.lock"; exec sleep 60' keywell "$home" &
  holder=$!
  # shellcheck disable=SC2064 # the process that was started here
  trap "kill $holder" EXIT
  wait_until grep -q http "$home/keywell.lock"
  for command in up demo bench "load compare" "load overload"; do
    local code=0
    # shellcheck disable=SC2086 # words
    KEYWELL_HOME=$home JAVA_HOME=/nonexistent timeout 20 "$ROOT/keywell" $command \
      >"$WORK/stdout" 2>"$WORK/stderr" </dev/null || code=$?
    cat "$WORK/stdout" "$WORK/stderr"
    [ "$code" -eq 2 ]
    [ ! -s "$WORK/stdout" ]
    grep -qF "process $holder (http://127.0.0.1:18420) uses the data directory $home already" "$WORK/stderr"
  done
  grep -qx 'the log of what runs' "$home/logs/demo.log"
}

a_lock_that_a_crash_left_is_free() {
  mkdir -p "$WORK/crashed"
  # A process that lives and has nothing to do with it.
  printf '%s\n' "$$" >"$WORK/crashed/keywell.lock"
  KEYWELL_HOME=$WORK/crashed in_launcher 'require_free_home'
  KEYWELL_HOME=$WORK/nowhere in_launcher 'require_free_home'
}

a_token_for_a_run_is_beside_the_one_that_is_kept() {
  local dir="$WORK/a run/softhsm" conf
  conf=$(in_launcher 'need_parts() { :; }; find_part() { echo /softhsm.so; }
    use_hsm "'"$dir"'"; printenv SOFTHSM2_CONF')
  [ "$conf" = "$dir/softhsm2.conf" ]
  grep -q "^directories.tokendir = $dir/tokens\$" "$conf"
  [ -s "$dir/pin" ]
  [ ! -e "$KEYWELL_HOME/softhsm" ]
}

pins_are_private_random_and_kept() {
  local code='use_home; write_softhsm_configuration "$KEYWELL_HOME/softhsm"
    use_softhsm_pins "$KEYWELL_HOME/softhsm"; cat "$KEYWELL_HSM_PINFILE" "$KEYWELL_HSM_SOPINFILE"'
  local first second
  first=$(in_launcher "$code")
  second=$(in_launcher "$code")
  [ "$first" = "$second" ]
  [ "${#first}" -eq 64 ]
  [ "${first:0:32}" != "${first:32}" ]
  [ "$(mode_of "$KEYWELL_HOME/softhsm/pin")" = 600 ]
  [ "$(mode_of "$KEYWELL_HOME/softhsm/so-pin")" = 600 ]
  [ "$(mode_of "$KEYWELL_HOME/softhsm/tokens")" = 700 ]
  [ "$(find "$KEYWELL_HOME/softhsm" -name 'pin.*' | wc -l)" -eq 0 ]
}

a_lost_pin_is_not_replaced() {
  mkdir -p "$KEYWELL_HOME/softhsm/tokens/one"
  rm "$KEYWELL_HOME/softhsm/pin"
  rejects in_launcher 'use_softhsm_pins "$KEYWELL_HOME/softhsm"'
  [ ! -e "$KEYWELL_HOME/softhsm/pin" ]
}

an_hsm_of_the_users_is_left_alone() {
  KEYWELL_HSM_MODULE=/bin/sh in_launcher 'use_hsm
    [ -z "${SOFTHSM2_CONF:-}" ] && [ -z "${KEYWELL_HSM_BOOTSTRAP:-}" ] && [ -z "${KEYWELL_HSM_PINFILE:-}" ]'
}

# fake_jdk DIRECTORY VERSION
fake_jdk() {
  mkdir -p "$1/bin"
  printf '#!/bin/sh\n' >"$1/bin/java"
  cp "$1/bin/java" "$1/bin/javac"
  chmod +x "$1/bin/java" "$1/bin/javac"
  printf 'IMPLEMENTOR="Test"\nJAVA_VERSION="%s"\n' "$2" >"$1/release"
}

jdks_are_told_apart() {
  local version
  for version in 25 25.0.1 25-ea 25+36; do
    fake_jdk "$WORK/jdk-$version" "$version"
    JAVA_HOME=$WORK/jdk-$version in_launcher '[ "$(find_jdk)" = "$JAVA_HOME" ]'
  done
  for version in 1.8.0_25 17.0.25 24 26.0.1 250; do
    fake_jdk "$WORK/jdk-$version" "$version"
    in_launcher "! is_right_jdk '$WORK/jdk-$version'"
  done
  fake_jdk "$WORK/jre" 25
  rm "$WORK/jre/bin/javac"
  in_launcher "! is_right_jdk '$WORK/jre'"
}

ports_that_are_taken_are_passed_over() {
  in_launcher 'is_port 1 && is_port 65535 && ! is_port 0 && ! is_port 65536 && ! is_port x'
  in_launcher 'port=$(free_port 20000); [ "$port" -ge 20000 ]'
}

# The user's own options come later and win.
a_service_without_memory_ends() {
  KEYWELL_AOT=off KEYWELL_JAVA_OPTS='-Xmx1g -XX:-ExitOnOutOfMemoryError' in_launcher 'JAVA=java; service_command serve
    printf "%s " "${SERVICE_COMMAND[@]}"' >"$WORK/told"
  grep -q '^java -XX:+ExitOnOutOfMemoryError -Xms64m -Xmx1g -XX:-ExitOnOutOfMemoryError -jar .* serve $' "$WORK/told"
}

# in_built COMMANDS: as in_launcher, in a copy of the launcher beside a jar that is built. Its Java unpacks
# by making the folder, and its training run writes a cache or fails; both are counted.
in_built() {
  local copy=$WORK/a\ built\ one jdk=$WORK/jdk-that-unpacks
  if [ ! -d "$copy" ]; then
    mkdir -p "$copy/standalone/target/run" "$copy/target"
    cp -R "$ROOT/launcher" "$copy"
    printf 'one' >"$copy/standalone/target/run/keywell-standalone-exec.jar"
    printf 'echo >>"$COUNT"; [ ! -e "$COUNT.fails" ] && echo learnt >"$5"\n' >"$copy/launcher/train.sh"
    fake_jdk "$jdk" 25
    printf '#!/bin/sh\nmkdir -p "$6" && cp "$3" "$6"\n' >"$jdk/bin/java"
  fi
  ROOT=$copy COUNT=$WORK/trained JAVA_HOME=$jdk in_launcher 'JAVA=$JAVA_HOME/bin/java
    find_part() { echo /softhsm.so; }
    build_if_needed() { :; }
    env() { shift; while [ "$1" != bash ]; do shift; done; "$@"; }
    export COUNT
    '"$1"
}

trained() { [ "$(wc -l <"$WORK/trained")" -eq "$1" ]; }

told_program() { in_built 'service_program; printf "%s\n" "${SERVICE_PROGRAM[@]}"' >"$WORK/told"; }

a_cache_is_made_once() {
  local folder="$WORK/a built one/standalone/target/run/unpacked"
  in_built 'prepare_aot_cache; prepare_aot_cache'
  trained 1
  KEYWELL_JAVA_OPTS='-Xmx1g' told_program
  cat "$WORK/told"
  grep -qxF -- "-XX:AOTCache=$folder/keywell.aot" "$WORK/told"
  [ "$(tail -n 3 "$WORK/told")" = "-Xmx1g
-jar
$folder/keywell-standalone-exec.jar" ]
  # Programs of ours get the same, an argument a line.
  in_built 'export_service_program; printenv KEYWELL_SERVICE_PROGRAM' | cmp - <(KEYWELL_JAVA_OPTS='' told_program && cat "$WORK/told")
}

# Its name, size and age are the same.
another_jar_is_not_run_with_the_cache_of_the_first() {
  local jar="$WORK/a built one/standalone/target/run/keywell-standalone-exec.jar"
  touch -r "$jar" "$WORK/age"
  printf 'two' >"$jar"
  touch -r "$WORK/age" "$jar"
  told_program
  grep -qxF -- "$jar" "$WORK/told"
  rejects grep -q AOTCache "$WORK/told"
  in_built 'prepare_aot_cache'
  trained 2
  told_program
  grep -q AOTCache "$WORK/told"
  printf 'JAVA_VERSION="25.0.9"\n' >"$WORK/jdk-that-unpacks/release"
  told_program
  rejects grep -q AOTCache "$WORK/told"
}

a_training_run_that_fails_is_in_nobodys_way() {
  : >"$WORK/trained.fails"
  in_built 'prepare_aot_cache; echo goes on; prepare_aot_cache' >"$WORK/stdout" 2>"$WORK/stderr"
  grep -qx 'goes on' "$WORK/stdout"
  grep -q 'no AOT cache could be made' "$WORK/stderr"
  trained 3
  told_program
  rejects grep -q AOTCache "$WORK/told"
  grep -q 'unpacked/keywell-standalone-exec.jar$' "$WORK/told"
}

a_cache_can_be_done_without() {
  rm -rf "$WORK/a built one/standalone/target/run/unpacked"
  KEYWELL_AOT=off in_built 'prepare_aot_cache'
  trained 3
  KEYWELL_AOT=off told_program
  [ "$(tail -n 1 "$WORK/told")" = "$WORK/a built one/standalone/target/run/keywell-standalone-exec.jar" ]
  rejects in_built 'KEYWELL_AOT=yes prepare_aot_cache'
  # No SoftHSM is installed for it.
  in_built 'find_part() { return 1; }; prepare_aot_cache'
  trained 3
}

quiet_commands_pass_on_their_exit_code() {
  in_launcher 'run_quietly "Testing" "$KEYWELL_HOME/logs/x" sh -c "echo told; exit 0"'
  grep -qx told "$KEYWELL_HOME/logs/x"
  in_launcher 'code=0; run_quietly "Testing" "$KEYWELL_HOME/logs/x" sh -c "exit 3" || code=$?; [ $code = 3 ]'
}

# Installing these packages starts servers. Programs that others need are installed, where that is allowed.
servers_are_unpacked_not_installed() {
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

profiles_reach_the_service() {
  in_launcher 'use_profile luna-sa-1700-remote; [ "$(printenv KEYWELL_HSM_PROFILE)" = luna-sa-1700-remote ]'
  printf 'name: mine\n' >"$WORK/mine.yml"
  in_launcher 'use_profile '"'$WORK/mine.yml'"'; [ "$(printenv KEYWELL_HSM_PROFILE)" = '"'$WORK/mine.yml'"' ]'
}

an_old_go_is_not_enough() {
  in_launcher 'for v in go1.21 go1.25.0 go1.26rc1; do is_recent_go $v; done'
  in_launcher 'for v in "" go1.19.8 go1 devel go2.0; do ! is_recent_go "$v" || exit 1; done'
}

helpers_pass_on_their_exit_code() {
  in_launcher 'run_stoppably true; code=0; run_stoppably sh -c "exit 3" || code=$?; [ $code = 3 ]'
}

# A helper may have a report to write: it is asked to end, and the launcher waits for it.
a_signal_ends_the_helper_first() {
  local code=0 launcher
  export WORK
  in_launcher 'echo $$ >"$WORK/launcher"
    run_stoppably sh -c "trap \"sleep 0.3; echo written >$WORK/written; exit 0\" TERM
      echo >$WORK/up; while :; do sleep 0.1; done"' &
  launcher=$!
  while [ ! -e "$WORK/up" ]; do sleep 0.1; done
  kill -TERM "$(cat "$WORK/launcher")"
  wait "$launcher" || code=$?
  [ "$code" -eq 143 ]
  [ "$(cat "$WORK/written")" = written ]
}

test_functions() {
  local test
  for test in servers_are_unpacked_not_installed home_is_private a_home_of_others_is_left_as_it_is \
    a_home_of_ours_stays_ours a_home_in_use_is_named_first a_lock_that_a_crash_left_is_free \
    a_token_for_a_run_is_beside_the_one_that_is_kept pins_are_private_random_and_kept \
    a_lost_pin_is_not_replaced an_hsm_of_the_users_is_left_alone jdks_are_told_apart \
    profiles_reach_the_service ports_that_are_taken_are_passed_over an_old_go_is_not_enough \
    helpers_pass_on_their_exit_code a_signal_ends_the_helper_first a_service_without_memory_ends \
    a_cache_is_made_once another_jar_is_not_run_with_the_cache_of_the_first \
    a_training_run_that_fails_is_in_nobodys_way a_cache_can_be_done_without \
    quiet_commands_pass_on_their_exit_code; do
    check "${test//_/ }" "$test"
  done
}

# --- verification by openssl -------------------------------------------------------------------

# make_certificate NAME ISSUER USAGE KEY-OPTIONS...: NAME.key and NAME.crt in the work directory.
make_certificate() {
  local name=$1 issuer=$2 extensions=$3
  shift 3
  openssl genpkey "$@" -out "$name.key" 2>/dev/null
  printf '%b' "$extensions" >"$name.ext"
  if [ "$issuer" = "$name" ]; then
    openssl req -x509 -new -key "$name.key" -days 2 -subj "/CN=$name" \
      -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign -out "$name.crt"
  else
    openssl req -new -key "$name.key" -subj "/CN=$name" |
      openssl x509 -req -CA "$issuer.crt" -CAkey "$issuer.key" -days 2 -set_serial 0x1234 \
        -extfile "$name.ext" -out "$name.crt" 2>/dev/null
  fi
}

make_hierarchy() {
  local identifiers='subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n'
  local ca="basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n$identifiers"
  local leaf="basicConstraints=critical,CA:FALSE\nkeyUsage=critical,nonRepudiation\n$identifiers"
  local ec=(-algorithm EC -pkeyopt ec_paramgen_curve:P-256)
  cd "$WORK"
  make_certificate root root '' "${ec[@]}"
  make_certificate other other '' "${ec[@]}"
  make_certificate issuing root "$ca" "${ec[@]}"
  make_certificate rsa issuing "$leaf" -algorithm RSA -pkeyopt rsa_keygen_bits:2048
  make_certificate ec issuing "$leaf" "${ec[@]}"
  cat rsa.crt issuing.crt root.crt >rsa.chain
  cat ec.crt issuing.crt root.crt >ec.chain
  printf 'I agree.\n' >"$WORK/my file=1.txt"
}

# signed KEY ALGORITHM DIGEST OPENSSL-OPTIONS...: signs the file and writes the summary of it.
signed() {
  local key=$1 algorithm=$2 digest=$3
  shift 3
  cd "$WORK"
  openssl dgst "-${digest/SHA-/sha}" -sign "$key.key" "$@" -out file.sig "$WORK/my file=1.txt"
  cat >summary <<END
REQUEST_ID=x
FILE=$WORK/my file=1.txt
DIGEST=$digest
SIGNATURE_ALGORITHM=$algorithm
SIGNATURE_FILE=$WORK/file.sig
CHAIN_FILE=$WORK/$key.chain
END
}

verifies_under() { in_launcher "verify_signed_file '$WORK/summary' '$WORK/$1.crt'"; }

shown_commands_can_be_pasted() {
  verifies_under root >"$WORK/shown"
  grep '^\$ ' "$WORK/shown" | cut -c 3- >"$WORK/pasted.sh"
  [ "$(wc -l <"$WORK/pasted.sh")" -eq 2 ]
  bash -euo pipefail "$WORK/pasted.sh"
}

another_root_is_rejected() { rejects verifies_under other; }

a_changed_file_is_rejected() {
  printf 'I do not agree.\n' >"$WORK/my file=1.txt"
  rejects verifies_under root
}

# xmlsec1 itself may not be here: what it is given counts.
each_root_of_a_file_is_given_to_xmlsec() {
  cat "$WORK/other.crt" "$WORK/root.crt" >"$WORK/two.crt"
  printf 'FORM=XADES_ENVELOPED\nFILE=a.xml\nSIGNED_FILE=b.xml\nSIGNATURE_ALGORITHM=ECDSA\n' >"$WORK/xml"
  in_launcher "find_part() { :; }
    xmlsec1() {
      while [ \$# -gt 0 ]; do
        if [ \"\$1\" = --trusted-pem ]; then openssl x509 -in \"\$2\" -noout -fingerprint; fi
        shift
      done >'$WORK/trusted'
    }
    verify_signed_file '$WORK/xml' '$WORK/two.crt'"
  for name in other root; do openssl x509 -in "$WORK/$name.crt" -noout -fingerprint; done | diff - "$WORK/trusted"
}

test_verification() {
  local digest pss=(-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest)
  check "a test CA" make_hierarchy
  for digest in SHA-256 SHA-384 SHA-512; do
    signed rsa RSASSA-PKCS1-v1_5 "$digest"
    check "PKCS#1 v1.5 with $digest" verifies_under root
    signed rsa RSASSA-PSS "$digest" "${pss[@]}"
    check "PSS with $digest" verifies_under root
    signed ec ECDSA "$digest"
    check "ECDSA with $digest" verifies_under root
  done
  check "shown commands can be pasted" shown_commands_can_be_pasted
  check "another root is rejected" another_root_is_rejected
  check "each root of a file" each_root_of_a_file_is_given_to_xmlsec
  check "a changed file is rejected" a_changed_file_is_rejected
}

# --- secrets for Compose -----------------------------------------------------------------------

compose_secrets_are_complete_and_kept() {
  local secrets=$WORK/secrets before name
  "$ROOT/launcher/make-compose-secrets.sh" "$secrets"
  [ "$(mode_of "$secrets")" = 700 ]
  while read -r name; do
    [ -s "$secrets/$name" ]
  done < <(sed -n 's|^    file: ./secrets/||p' "$ROOT/docker-compose.yml")
  openssl verify -x509_strict -CAfile "$secrets/ca.crt" -purpose sslserver "$secrets/server.crt"
  openssl verify -x509_strict -CAfile "$secrets/ca.crt" -purpose sslclient "$secrets/client.crt"
  openssl verify -x509_strict -CAfile "$secrets/monitoring-ca.crt" -purpose sslclient "$secrets/monitor.crt"
  # What may read metrics must not be able to sign.
  rejects openssl verify -CAfile "$secrets/ca.crt" "$secrets/monitor.crt"
  before=$(cat "$secrets"/*)
  "$ROOT/launcher/make-compose-secrets.sh" "$secrets"
  [ "$before" = "$(cat "$secrets"/*)" ]
}

# --- certificates for development --------------------------------------------------------------

certificates_are_what_they_should_be() {
  local certs=$WORK/dev\ certs name
  "$ROOT/keywell" certs "$certs" --host svc.example --host 192.0.2.7 --client front-end \
    --client admin:operate,observe >"$WORK/told"
  [ "$(mode_of "$certs")" = 700 ]
  for name in ca.key server.key front-end.key front-end.p12 admin.key; do
    [ "$(mode_of "$certs/$name")" = 600 ]
  done
  openssl verify -x509_strict -CAfile "$certs/ca.crt" -purpose sslserver \
    -verify_hostname svc.example "$certs/server.crt"
  for name in 127.0.0.1 ::1 192.0.2.7; do
    openssl verify -CAfile "$certs/ca.crt" -verify_ip "$name" "$certs/server.crt"
  done
  openssl verify -x509_strict -crl_check -CAfile "$certs/ca.crt" -CRLfile "$certs/ca.crl" \
    -purpose sslclient "$certs/front-end.crt" "$certs/admin.crt"
  rejects openssl verify -CAfile "$certs/ca.crt" -purpose sslserver "$certs/admin.crt"
  openssl pkcs12 -in "$certs/admin.p12" -passin pass:keywell -nokeys -clcerts |
    openssl x509 -noout -subject | grep -q 'CN = admin'
  grep -A4 'name: front-end' "$certs/callers.yaml" | grep -q 'roles: \[sign\]'
  grep -A4 'name: admin' "$certs/callers.yaml" | grep -q 'roles: \[operate, observe\]'
  grep -q 'DEVELOPMENT' "$WORK/told"
  grep -q "cert '$certs/front-end.crt'" "$WORK/told"
}

# What is written for shells is what shells read, whatever the directory is called.
settings_can_be_sourced() {
  local certs=$WORK/dev\ certs
  (
    set -a
    # shellcheck source=/dev/null
    . "$certs/keywell.env"
    # shellcheck source=/dev/null
    . "$certs/admin.env"
    [ -s "${SPRING_SSL_BUNDLE_PEM_KEYWELL_TRUSTSTORE_CERTIFICATE#file:}" ]
    [ -s "$KEYWELL_SECURITY_CALLERSFILE" ]
    [ -s "$KEYWELL_SECURITY_REVOCATION_CRLFILE" ]
    [ "$SERVER_SSL_CLIENTAUTH" = need ]
    openssl verify -CAfile "$KEYWELL_TLS_CA" "$KEYWELL_TLS_CERT"
    openssl pkey -in "$KEYWELL_TLS_KEY" -noout
  )
}

a_client_is_revoked_once() {
  local certs=$WORK/dev\ certs
  "$ROOT/keywell" certs "$certs" --revoke front-end
  rejects openssl verify -crl_check -CAfile "$certs/ca.crt" -CRLfile "$certs/ca.crl" "$certs/front-end.crt"
  openssl verify -crl_check -CAfile "$certs/ca.crt" -CRLfile "$certs/ca.crl" "$certs/admin.crt"
  rejects "$ROOT/keywell" certs "$certs" --revoke front-end
}

certificates_are_not_overwritten() {
  local certs=$WORK/dev\ certs before
  before=$(cat "$certs"/*.{key,crt,crl,yaml,env})
  rejects "$ROOT/keywell" certs "$certs"
  rejects "$ROOT/keywell" certs "$certs" --revoke nobody
  [ "$before" = "$(cat "$certs"/*.{key,crt,crl,yaml,env})" ]
}

test_certs() {
  check "certificates" certificates_are_what_they_should_be
  check "settings for TLS" settings_can_be_sourced
  check "a revoked client" a_client_is_revoked_once
  check "certs does not overwrite" certificates_are_not_overwritten
}

# --- the image's entry point -------------------------------------------------------------------

# A PIN file that others can read must reach the service as a private one, a private one as it is.
container_pins_become_private() {
  local bin=$WORK/container
  mkdir -p "$bin"
  printf '#!/bin/sh\necho "$KEYWELL_HSM_PINFILE" "$KEYWELL_HSM_SOPINFILE" "$KEYWELL_HSM_DEVICES_1_PINFILE" "$@"\n' \
    >"$bin/java"
  chmod +x "$bin/java"
  printf 1234 >"$WORK/open-pin"
  printf 5678 >"$WORK/own-pin"
  chmod 444 "$WORK/open-pin"
  chmod 400 "$WORK/own-pin"
  PATH=$bin:$PATH TMPDIR=$WORK KEYWELL_HSM_PINFILE=$WORK/open-pin \
    KEYWELL_HSM_SOPINFILE=$WORK/own-pin KEYWELL_HSM_DEVICES_1_PINFILE=$WORK/open-pin \
    "$ROOT/launcher/container-start.sh" serve >"$WORK/told"
  local pin so_pin device_pin rest
  read -r pin so_pin device_pin rest <"$WORK/told"
  [ "$(mode_of "$pin")" = 600 ]
  [ "$(cat "$pin")" = 1234 ]
  [ "$so_pin" = "$WORK/own-pin" ]
  [ "$(mode_of "$device_pin")" = 600 ]
  [ "$(cat "$device_pin")" = 1234 ]
  [ "${rest##* }" = serve ]
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
container_health_is_told_over_tls() {
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
  wait_until health_at "$port" monitor ca
  rejects health_at "$port" client ca
  rejects health_at "$port" monitor monitoring-ca
  rejects health_at "$port"
  printf 'HTTP/1.1 503 \r\n\r\n{"status":"OUT_OF_SERVICE"}' >"$answer"
  rejects health_at "$port" monitor ca
}

# wait_until COMMAND...: tries for ten seconds or so.
wait_until() {
  local tries=50
  until "$@"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.2
  done
}

# compose_that_is VERSION: a docker on PATH whose Compose has that version and accepts every file.
compose_that_is() {
  mkdir -p "$WORK/compose"
  cat >"$WORK/compose/docker" <<END
#!/bin/sh
[ "\$1" = compose ] || exit 1
[ "\$2 \$3" != "version --short" ] || printf '%s\n' '$1'
END
  chmod +x "$WORK/compose/docker"
}

compose_is_checked() {
  PATH=$WORK/compose:$PATH "$ROOT/launcher/check-compose.sh" >"$WORK/stdout" 2>&1
}

compose_has_to_be_recent_enough() {
  local minimum
  minimum=$(sed -n 's/^readonly MINIMUM=//p' "$ROOT/launcher/check-compose.sh")
  grep -qF "Compose $minimum " "$ROOT/docker-compose.yml"
  grep -qF "Compose $minimum " "$ROOT/docs/operations/containers.md"
  for version in 1.29.2 v2.6.0 2.5.1+azure-1; do
    compose_that_is "$version"
    rejects compose_is_checked
    grep -qF "needs Docker Compose $minimum or later; this is $version" "$WORK/stdout"
  done
  for version in 2.6.1 v2.29.7-desktop.1 5.5.0; do
    compose_that_is "$version"
    compose_is_checked
  done
}

test_usage
test_functions
check "the version of Docker Compose" compose_has_to_be_recent_enough
test_verification
check "secrets for Compose" compose_secrets_are_complete_and_kept
test_certs
# These scripts run in the image only, with the tools of Linux.
if [ "$(uname)" = Linux ]; then
  check "PINs in a container" container_pins_become_private
  check "health of a container" container_health_is_told_over_tls
fi

printf '%d launcher checks passed, %d failed\n' "$PASSED" "$FAILED"
[ "$FAILED" -eq 0 ]
