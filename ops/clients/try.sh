#!/usr/bin/env bash
# try.sh: generates clients from the service's own OpenAPI document, in Java and Python with
# openapi-generator and in Go with oapi-codegen, compiles them, and signs with each in every form.
# openssl checks what they got. Without Go, the client in Go is skipped.
# Everything is on the loopback interface and in a directory of its own, which goes away again.
set -euo pipefail

# shellcheck source=ops/trial.sh
. "$(dirname "${BASH_SOURCE[0]}")/../trial.sh"

readonly HERE=$ROOT/ops/clients
readonly GENERATOR=7.15.0
readonly GENERATOR_SHA256=4da1a7cdb78c3a43b1eab0648891135e8c3547d2eedba0dd69daf377f865f366

# --- what is needed, kept in the data directory ----------------------------------------------------

need_generator() {
  local directory=$KEYWELL_HOME/packages/openapi-generator-$GENERATOR
  GENERATOR_JAR=$directory/openapi-generator-cli-$GENERATOR.jar
  if [ ! -f "$GENERATOR_JAR" ]; then
    quietly "Loading openapi-generator $GENERATOR" "$KEYWELL_HOME/logs/clients.log" \
      "openapi-generator cannot be loaded: Maven Central is needed" \
      "$ROOT/mvnw" -B -ntp -f "$HERE/pom.xml" dependency:copy -DoutputDirectory="$directory" \
      "-Dartifact=org.openapitools:openapi-generator-cli:$GENERATOR"
  fi
  [ "$(openssl dgst -sha256 -r "$GENERATOR_JAR" | cut -d ' ' -f 1)" = "$GENERATOR_SHA256" ] ||
    fail "$GENERATOR_JAR is not the one that is expected; remove it and try again"
}

need_python() {
  local directory=$KEYWELL_HOME/packages/generated-client
  PYTHON=$directory/bin/python
  need_parts python3-venv
  make_once "$directory" "Setting up what a client in Python needs" \
    "the packages of requirements.txt cannot be installed: PyPI is needed" install_python "$HERE/requirements.txt"
}

install_python() {
  python3 -m venv "$1" &&
    "$1/bin/python" -m pip install --no-input --disable-pip-version-check --no-deps --require-hashes \
      -r "$HERE/requirements.txt"
}

# --- the clients -----------------------------------------------------------------------------------

# generate LANGUAGE DIRECTORY OPTIONS...
generate() {
  quietly "Generating a client in $1" "$SCRATCH/generate.log" \
    "openapi-generator does not take the service's document" \
    "$JAVA" -jar "$GENERATOR_JAR" generate -i openapi.json -g "$1" -o "$2" "${@:3}"
}

# The generated sources and the program that tries them are compiled as one.
compile_java() {
  cp "$HERE/pom.xml" java/pom.xml
  rm -rf java/src/test
  cp "$HERE/TryClient.java" java/src/main/java
  quietly "Compiling it" "$SCRATCH/compile.log" "the client in Java does not compile" \
    "$ROOT/mvnw" -B -ntp -f java/pom.xml compile
}

# The versions of oapi-codegen and of what its code uses are those of go.mod and go.sum. Its answers
# would be named as the document's own: SignResponse.
make_go() {
  mkdir -p go/keywell
  cp "$HERE/go.mod" "$HERE/go.sum" "$HERE/try_client.go" go
  quietly "Generating and compiling it" "$SCRATCH/go.log" \
    "the client in Go is not made; it needs Go 1.21 or newer, and the first time the Go module proxy" in_go
}

in_go() {
  cd go &&
    "$GO" tool oapi-codegen -generate types,client -package keywell -response-type-suffix Answer \
      -o keywell/keywell.go ../openapi.json &&
    "$GO" vet ./... &&
    "$GO" build -o try-client .
}

# try_client LANGUAGE COMMAND...: has it sign, and checks what it wrote with openssl.
try_client() {
  local out=$SCRATCH/$1-out signature container chain name n checked=0
  mkdir "$out"
  "${@:2}" "$KEYWELL_URL" "$TOKEN" documents "$1-out" || fail "the client in $1 failed"
  [ -s "$out/ca.pem" ] || fail "$1: no chain of the CA"
  for chain in "$out"/*.pem; do
    [ "$chain" != "$out/ca.pem" ] || continue
    openssl verify -CAfile "$out/ca.pem" "$chain" >/dev/null || fail "openssl does not accept $chain"
    openssl x509 -in "$chain" -noout -pubkey >"${chain%.pem}.pub"
  done
  for signature in "$out"/*.sig; do
    name=${signature%-*.sig} n=${signature%.sig}
    openssl dgst -sha256 -verify "$name.pub" -signature "$signature" "documents/${n##*-}" >/dev/null ||
      fail "openssl does not accept $signature"
    checked=$((checked + 1))
  done
  for container in "$out"/*.p7s; do
    [ -e "$container" ] || continue
    n=${container%.p7s}
    openssl cms -verify -binary -inform DER -in "$container" -content "documents/${n##*-}" \
      -CAfile "$out/ca.pem" -purpose any -out /dev/null 2>"$SCRATCH/cms.log" ||
      fail "openssl does not accept $container"
    checked=$((checked + 1))
  done
  say "$1: openssl accepts $checked signatures"
}

[ $# -eq 0 ] || misuse "test --clients takes no arguments"
use_home
use_java
need_parts openssl
need_generator
need_python
step "A service"
prepare_trial curl
export KEYWELL_POOL_SPECS_RSA2048_MAXSTORED=0 KEYWELL_POOL_SPECS_ECP256_MAXSTORED=100
export KEYWELL_POOL_SPECS_ECP256_LOADEDCAPACITY=50 KEYWELL_POOL_SPECS_ECP256_LOWWATER=40
start_with_token clients
mkdir documents
for n in 1 2 3; do
  printf 'document %s\n' "$n" >"documents/$n"
done

step "A client in Java"
generate java java --library native --additional-properties \
  useJakartaEe=true,openApiNullable=false,containerDefaultToNull=true,invokerPackage=org.keywell.generated,apiPackage=org.keywell.generated.api,modelPackage=org.keywell.generated.model
compile_java
try_client java "$JAVA" -cp 'java/target/classes:java/target/dependency/*' TryClient

step "A client in Python"
generate python python --package-name keywell_generated
PYTHONPATH=python try_client python "$PYTHON" "$HERE/try_client.py"

step "A client in Go"
if GO=$(command -v go || first_file /usr/local/go/bin/go); then
  make_go
  try_client go go/try-client
else
  say "go: skipped, since it needs Go 1.21 or newer; see https://go.dev/dl, or the package golang-go"
fi
stop_service
