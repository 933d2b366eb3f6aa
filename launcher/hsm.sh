# shellcheck shell=bash
# Which HSM the service talks to: the user's, or SoftHSM with a token in the data directory.

# use_hsm [DIRECTORY]: leaves the environment such that programs find their token. SoftHSM's is in the
# directory, by default the one that is kept.
use_hsm() {
  if [ -n "${KEYWELL_HSM_MODULE:-}" ]; then
    # An HSM of the user's: nothing in it is made or changed unless the user says so.
    [ -r "$KEYWELL_HSM_MODULE" ] ||
      misuse "KEYWELL_HSM_MODULE: cannot read $KEYWELL_HSM_MODULE"
    return
  fi
  need_parts softhsm
  local dir=${1:-$KEYWELL_HOME/softhsm}
  write_softhsm_configuration "$dir"
  use_softhsm_pins "$dir"
  KEYWELL_HSM_MODULE=$(find_part softhsm)
  export KEYWELL_HSM_MODULE
  export SOFTHSM2_CONF=$dir/softhsm2.conf
  export KEYWELL_HSM_BOOTSTRAP=${KEYWELL_HSM_BOOTSTRAP:-if-missing}
  # The service to try things out keeps a log; an empty variable leaves it out.
  if [ -z "${1:-}${KEYWELL_DATABASE_URL:-}" ]; then
    export KEYWELL_LOG_ORIGIN=${KEYWELL_LOG_ORIGIN-localhost/keywell}
  fi
}

# Rewritten each time: the data directory may have been moved.
write_softhsm_configuration() {
  local dir=$1
  (
    umask 077
    mkdir -p "$dir/tokens"
    cat >"$dir/softhsm2.conf.new" <<END
directories.tokendir = $dir/tokens
objectstore.backend = file
slots.removable = false
log.level = ERROR
END
    mv "$dir/softhsm2.conf.new" "$dir/softhsm2.conf"
  )
}

# A PIN of the user's is used as it is; otherwise random ones are made, once.
use_softhsm_pins() {
  local dir=$1
  if [ -z "${KEYWELL_HSM_PIN:-}" ] && [ -z "${KEYWELL_HSM_PINFILE:-}" ]; then
    keep_or_make_pin "$dir/pin" "$dir/tokens"
    export KEYWELL_HSM_PINFILE=$dir/pin
  fi
  if [ -z "${KEYWELL_HSM_SOPINFILE:-}" ]; then
    keep_or_make_pin "$dir/so-pin" "$dir/tokens"
    export KEYWELL_HSM_SOPINFILE=$dir/so-pin
  fi
}

# A new PIN for an old token would be a wrong one, and a few wrong ones lock a token.
keep_or_make_pin() {
  local file=$1 tokens=$2 new
  [ ! -s "$file" ] || return 0
  if [ -n "$(ls -A "$tokens")" ]; then
    fail "there is a token in $tokens but no $file; put the PIN file back, or move the token away"
  fi
  new=$(mktemp "$file.XXXXXX")
  random_pin >"$new"
  # A link, unlike a move, never replaces what another launcher has made meanwhile.
  ln "$new" "$file" 2>/dev/null || true
  rm -f "$new"
}

# 128 random bits as hexadecimal digits.
random_pin() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
