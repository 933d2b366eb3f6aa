# shellcheck shell=bash
# One wrapping key in several HSMs: what ./keywell hsm takes. The service's program does it.

# check_hsm_arguments COMMAND ARGUMENTS...: ends with a line about what is wrong, before anything is
# built, made or touched.
check_hsm_arguments() {
  # shellcheck disable=SC2034 # which device, the service looks at
  local command=${1:-} device='' label='' fingerprint=() each
  case $command in
    transport) take_arguments "hsm transport" 1 device "${@:2}" ;;
    enrol) take_arguments "hsm enrol" any "device label fingerprint" "${@:2}" ;;
    accept) take_arguments "hsm accept" 1 "device fingerprint" "${@:2}" ;;
    '') misuse "hsm needs a command: transport, enrol or accept" ;;
    *) misuse "hsm: unknown command '$command'; there are transport, enrol and accept" ;;
  esac
  set -- ${OPERANDS[@]+"${OPERANDS[@]}"}
  [ $# -gt 0 ] || misuse "hsm $command needs a file; './keywell help hsm' explains"
  if [ "$command" = transport ]; then
    [ ! -e "$1" ] || misuse "hsm transport: $1 exists already; it is not replaced"
    return
  fi
  [ "$command" = accept ] || [ -n "$label" ] || misuse "hsm enrol needs --label, the name of the new wrapping key"
  for each in ${fingerprint[@]+"${fingerprint[@]}"}; do
    is_fingerprint "$each" || misuse "hsm $command: a fingerprint has 64 hexadecimal digits, '$each' has not"
  done
  [ ${#fingerprint[@]} -eq $# ] || misuse "hsm $command needs for each file the --fingerprint that the other side saw"
  for each in "$@"; do
    require_file "hsm $command" "$each"
    [ "$command" = accept ] || [ ! -e "$each.answer" ] ||
      misuse "hsm enrol: $each.answer exists already; it is not replaced"
  done
}

is_fingerprint() { [[ ${1//[ :-]/} =~ ^[0-9A-Fa-f]{64}$ ]]; }
