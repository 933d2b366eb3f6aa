# shellcheck shell=bash
# The lanes of tests: fast while one works, everything, attacks, faults, chaos, experiments, linters, post-quantum keys,
# made-up requests, printed commands, and generated clients.

cmd_test() {
  local began=$SECONDS
  use_home
  use_java
  case ${1:-} in
    --fast) shift; test_fast "$@" ;;
    --attacks) shift; need_test_parts; test_attacks "$@" ;;
    --faults) shift; need_test_parts; test_faults "$@" ;;
    --chaos) shift; need_test_parts; test_chaos "$@" ;;
    --experiments) shift; need_test_parts; test_experiments "$@" ;;
    --lint) shift; test_lint "$@" ;;
    --post-quantum) shift; test_post_quantum "$@" ;;
    --jmh) shift; need_parts softhsm softhsm2-util; test_jmh "$@" ;;
    --fuzz) shift; "$ROOT/ops/fuzz.sh" "$@" ;;
    --doors) shift; "$ROOT/ops/doors.sh" "$@" ;;
    --clients) shift; "$ROOT/ops/clients/try.sh" "$@" ;;
    *) need_test_parts; test_everything "$@" ;;
  esac
  say "took $(((SECONDS - began) / 60)) min $(((SECONDS - began) % 60)) s"
}

need_test_parts() {
  need_parts softhsm softhsm2-util gcc libc6-dev nss openssl shellcheck prometheus promtool amtool \
    chromium chromedriver certutil pk12util pdfsig pdftoppm xmlsec1 ab chronyd
  # Tests that need a module or a program in an unusual place find it here.
  local part
  for part in SOFTHSM NSS CHROMIUM CHROMEDRIVER CHRONYD; do
    export "KEYWELL_TEST_$part=$(find_part "$(tr '[:upper:]' '[:lower:]' <<<"$part")")"
  done
}

check_scripts() {
  need_parts shellcheck
  shellcheck -x -P "$ROOT" "$ROOT/keywell" "$ROOT"/launcher/*.sh "$ROOT"/ops/*.sh \
    "$ROOT"/ops/*/*.sh "$ROOT/.ci/run"
  say "shellcheck has no complaints"
}

test_everything() {
  step "Launcher"
  check_scripts
  "$ROOT/launcher/test.sh"
  step "Compose file"
  "$ROOT/launcher/check-compose.sh"
  step "Prometheus rules"
  "$ROOT/ops/check-rules.sh"
  step "Grafana dashboards"
  npm --prefix "$ROOT/ops/grafana" run --silent check
  step "Java"
  # Two modules at a time: the smallest machine has two processors.
  run_tests verify -T 2 "$@"
  step "Rules and dashboards on a live service"
  # With arguments, Maven may have built only some of the jars.
  if [ $# -eq 0 ]; then
    "$ROOT/ops/check-live.sh" --tested
  else
    "$ROOT/ops/check-live.sh"
  fi
  step "Secrets and people in what the tests wrote"
  check_secrets "$SCRATCH/tests-began"
  step "All tests passed"
}

# What needs neither an HSM, a database, a browser nor processes: static checks and unit tests.
test_fast() {
  need_parts openssl
  step "Scripts"
  check_scripts
  step "Java"
  run_tests test -Dkeywell.test.fast=true \
    -DexcludedGroups=attack,lint,softhsm,nss,postgresql,browser,process "$@"
  step "All fast tests passed"
}

# Attacks on the executable jar: minutes on a machine that does nothing else, so not among the rest.
test_attacks() {
  step "Attacks"
  run_integration_tests acceptance "*AttackIT" -DexcludedGroups= "$@"
  step "All attacks were refused"
}

# Services whose HSMs, databases and neighbours die, hang and come back; the normal run has a few of these tests.
test_faults() {
  step "Faults"
  run_integration_tests acceptance "*IT" -Dgroups=fault -DexcludedGroups=attack,lint "$@"
  step "All faults were survived"
}

# All chaos tests, those few of the normal run for longer: kills, copied machines, devices
# that fail, soaking, fairness.
test_chaos() {
  step "Chaos"
  run_integration_tests acceptance "*ChaosIT,SpoiltWrapIT" -DexcludedGroups=attack,lint -Dkeywell.it.seconds=10800 -Dkeywell.chaos.kills=200 -Dkeywell.chaos.copies=20 -Dkeywell.chaos.jms=10000 \
    -Dkeywell.chaos.soak=PT20M -Dkeywell.chaos.overload=PT60S \
    -Dkeywell.chaos.fairness=PT60S -Dkeywell.chaos.garbage=10000 -Dkeywell.chaos.all-pools=true \
    -Dkeywell.chaos.window=PT10S -Dkeywell.chaos.cost.rounds=6 -Dkeywell.chaos.cost.requests=1500 "$@"
  step "What the chaos came to"
  find "$ROOT" -path '*/target/failsafe-reports/TEST-*ChaosIT.xml' -newer "$SCRATCH/tests-began" \
    -exec sed -n 's/^.*chaos: /  /p' {} +
}

# All measurements that the commands bench, tables and load make, with as few keys as there can be, and what it
# costs to check proofs of identity.
test_experiments() {
  step "Experiments"
  run_integration_tests identity,signing,bench,acceptance \
    JwtProofsCostIT,SamlProofsCostIT,LongListIT,BenchCommandIT,TablesIT,LoadGeneratorIT,ProtectedMessagesIT,TlsWorkloadIT,KmipSpeedIT \
    -DexcludedGroups=attack,lint "$@"
  step "All experiments were measured"
}

# Linters of other makers look at a certificate of each profile and at lists of revoked ones, sslscan at the TLS
# of each port, libxmlsec at signed XML that the system's xmlsec1 does not know, pyHanko at what several signers
# change of a PDF, and like DSS and openssl, with a clock that is years ahead, at signatures of each level, Go's
# own packages and a witness at a transparency log, kmip-go and PyKMIP at KMIP's messages; these two and a Rust
# client use the KMIP port, and PyKMIP's server is measured beside it; Qpid Proton hands in a request over AMQP;
# PostgreSQL's pgbench works on encrypted storage, where root and the kernel allow that; the clock of a service is
# set while it makes time stamps. What the linters saw stays in target/lint. Before them, Spin checks the model of
# a key's life.
test_lint() {
  need_parts openssl xmllint xmlsec1 pdfsig qpdf ssh-agent sslscan postgresql libfaketime
  KEYWELL_TEST_POSTGRESQL=$(dirname "$(find_part postgresql)")
  KEYWELL_TEST_FAKETIME=$(find_part libfaketime)
  export KEYWELL_TEST_POSTGRESQL KEYWELL_TEST_FAKETIME
  step "The model of a key's life"
  check_model
  use_linters
  step "Certificates, TLS, signed XML and PDFs, logs, KMIP and AMQP"
  run_integration_tests signing,dss,tlog,kmip,rest,acceptance \
    CertificateLintIT,TlsScanIT,RsaPssXmlIT,SeveralSignersIT,LongTermIT,ClockSetIT,ClockAheadIT,ForeignJudgesIT,LitewitnessIT,SequencedLogIT,OasisCasesIT,OasisRunIT,ForeignTablesIT,KmipIT,KmipSpeedIT,XksIT,JmsProtectionIT,EncryptedStorageIT \
    -DexcludedGroups= "$@"
  step "No linter found an error"
}

# ML-DSA on Kryoptic and, where KEYWELL_TEST_SOFTHSM names a SoftHSM that has it, on that; OpenSSL 3.5 is the judge.
test_post_quantum() {
  need_parts softhsm softhsm2-util openssl
  : "${KEYWELL_TEST_SOFTHSM:=$(find_part softhsm)}"
  export KEYWELL_TEST_SOFTHSM
  use_kryoptic
  step "ML-DSA"
  run_tests verify -pl keypool,ca,acceptance -am -Dspotless.check.skip=true \
    -Dtest=KryopticContractTest,SoftHsmContractTest,MlDsaContainerTest -Dit.test=MlDsaIT \
    -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false "$@"
  step "What could be tried works; the reports name what was skipped"
}

# Microbenchmarks of small parts, on a machine that does nothing else. Arguments go to JMH.
test_jmh() {
  step "Microbenchmarks"
  # Maven would keep classes that were compiled without JMH's annotation processor.
  rm -rf "$ROOT/bench/target/test-classes"
  "$ROOT/mvnw" -B -ntp -q -f "$ROOT/pom.xml" -pl bench -am -Pjmh -Dspotless.check.skip=true \
    -DskipTests test ${1:+"-Djmh.arguments=$*"}
}

# run_integration_tests MODULES TESTS MAVEN-ARGUMENTS...
run_integration_tests() {
  run_tests verify -pl "$1" -am "-Dit.test=$2" -Dtest=none -Dspotless.check.skip=true \
    -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false "${@:3}"
}

# run_tests MAVEN-ARGUMENTS...: runs Maven, and says what took the time.
run_tests() {
  local code=0
  make_scratch_directory
  touch "$SCRATCH/tests-began"
  "$ROOT/mvnw" -B -ntp -f "$ROOT/pom.xml" "$@" || code=$?
  slowest_tests "$SCRATCH/tests-began"
  return "$code"
}

# slowest_tests FILE: the ten slowest tests of the reports that are newer than the file.
slowest_tests() {
  step "The ten slowest tests"
  find "$ROOT" -path '*/target/*-reports/TEST-*.xml' -newer "$1" -exec sed -n \
    's/.*<testcase name="\([^"]*\)" classname="[^"]*\.\([^".]*\)" time="\([^"]*\)".*/\3 \2.\1/p' {} + |
    LC_ALL=C sort -rn | sed -n 1,10p | while read -r seconds name; do
      printf '  %8s s  %s\n' "$seconds" "$name"
    done
}
