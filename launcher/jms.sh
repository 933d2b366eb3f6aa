# shellcheck shell=bash
# Signing over a message broker: what ./keywell up --jms makes for a trial. The service makes the passwords.

# use_jms: with a caller for trying out, in each callers file for development; after use_kmip.
use_jms() {
  use_trial jms
  [ -z "${KEYWELL_JMS_BROKERS:-}" ] || return 0
  local file
  for file in "$KEYWELL_HOME"/{jms,certs}/callers.yaml; do
    [[ ! -e $file && $file = */certs/* ]] || add_jms_caller "$file" || exit $?
  done
}

# add_jms_caller FILE: the caller who sends as the broker's user for trying out, unless the file has it, or another of
# that name.
add_jms_caller() (
  umask 077
  mkdir -p "${1%/*}"
  [ -s "$1" ] || echo callers: >"$1"
  ! grep -Eq '(name|broker-user): *trial *$' "$1" || return 0
  {
    cat "$1"
    cat <<'END'
  - name: trial
    broker-user: trial
    roles: [sign]
    identity: trusted-caller
END
  } >"$1.new"
  mv "$1.new" "$1"
)
