# shellcheck shell=bash
# The external key store: what ./keywell up --xks makes for a trial, and what ./keywell xks takes.

# use_xks: with a credential of its own, unless the service is told others.
use_xks() {
  use_trial xks
  [ -n "${KEYWELL_XKS_BUNDLE:-}" ] || keep_development_certificates
  local file=$KEYWELL_HOME/xks/credentials
  [[ -n ${KEYWELL_XKS_CREDENTIALSFILE:-} || -s $file ]] || make_xks_credential "$file" || exit $?
}

# make_xks_credential FILE: an access key id and its secret, for the owner alone.
make_xks_credential() (
  umask 077
  mkdir -p "${1%/*}"
  id=$(head -c 4096 /dev/urandom | LC_ALL=C tr -dc 'A-Z2-7' | cut -c 1-26)
  printf '%s %s\n' "$id" "$(openssl rand -base64 32)" >"$1.new"
  mv "$1.new" "$1"
)

# check_xks_arguments COMMAND ARGUMENTS...: ends with a line about what is wrong, before anything is built or made.
check_xks_arguments() {
  # shellcheck disable=SC2034 # the service looks at the values
  local command=${1:-} device='' usage='' before=''
  case $command in
    create-key) take_arguments "xks create-key" 1 "device usage" "${@:2}" ;;
    restrict)
      take_arguments "xks restrict" 1 usage "${@:2}"
      [ -n "$usage" ] || misuse "xks restrict needs --usage: encrypt,decrypt, encrypt, decrypt or none"
      ;;
    erase)
      take_arguments "xks erase" 1 before "${@:2}"
      case ${before:+day}${OPERANDS[0]:+principal} in
        day | principal) ;;
        *) misuse "xks erase needs either a principal or --before DAY" ;;
      esac
      return
      ;;
    check | enable | disable | destroy) take_arguments "xks $command" 1 "" "${@:2}" ;;
    list)
      take_arguments "xks list" 0 "" "${@:2}"
      return
      ;;
    '') misuse "xks needs a command: create-key, check, restrict, enable, disable, destroy, erase or list" ;;
    *) misuse "xks: unknown command '$command'; './keywell help xks' lists them" ;;
  esac
  [ -n "${OPERANDS[0]:-}" ] || misuse "xks $command needs a key's name"
}
