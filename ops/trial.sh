# shellcheck shell=bash
# What trials on this machine share: the launcher's functions, and a service with a data directory, a
# token and ports of its own, which go with the trial.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
readonly ROOT
for part in common packages java aot hsm service; do
  # shellcheck source=/dev/null # the launcher's parts, which are checked by themselves
  . "$ROOT/launcher/$part.sh"
done

# No setting of the user's may lead a service to a database or an HSM of theirs.
forget_settings() {
  local name
  for name in $(compgen -e KEYWELL_) $(compgen -e SPRING_) $(compgen -e SERVER_) \
    $(compgen -e MANAGEMENT_) $(compgen -e PATRONI_) SOFTHSM2_CONF; do
    [ "$name" = KEYWELL_HOME ] || unset "$name"
  done
}

# prepare_trial PART...: what a service and the trial need. The scratch directory becomes the working directory, and has
# the data directory in it. Settings of the pool come after this, and before the start.
prepare_trial() {
  use_home
  use_java
  need_parts softhsm "$@"
  build_if_needed service
  make_scratch_directory
  forget_settings
  export KEYWELL_HOME=$SCRATCH/home SPRING_CONFIG_LOCATION=classpath:/
  use_home
  use_hsm
  MANAGEMENT_SERVER_PORT=$(free_port 8560)
  SERVER_PORT=$(free_port $((MANAGEMENT_SERVER_PORT + 1)))
  export MANAGEMENT_SERVER_PORT MANAGEMENT_SERVER_ADDRESS=127.0.0.1 SERVER_PORT
  cd "$SCRATCH" || fail "cannot use the directory $SCRATCH"
}

# start_with_token NAME: as start_service, and waits for it. Sets TOKEN, which it asks callers for, and puts
# its OpenAPI document into openapi.json.
start_with_token() {
  export KEYWELL_SECURITY_LOCALTOKENFILE=$KEYWELL_HOME/local.token
  export KEYWELL_TOKEN_FILE=$KEYWELL_SECURITY_LOCALTOKENFILE
  start_service "$1"
  wait_for 120 "$SERVICE_PID" load_document 2>/dev/null || explain_failure "the start"
}

load_document() {
  TOKEN=$(cat "$KEYWELL_TOKEN_FILE") &&
    curl -fsS -m 10 -H "Authorization: Bearer $TOKEN" "$KEYWELL_URL/v3/api-docs" -o openapi.json
}
