# shellcheck shell=bash
# One wrapping key in several HSMs: what ./keywell hsm takes. The service's program does it.

# check_hsm_arguments COMMAND ARGUMENTS...: ends with a line about what is wrong, before anything is
# built, made or touched.
check_hsm_arguments() {
  local command=${1:-} files=() fingerprints=0 label=
  case $command in
    transport | enrol | accept) shift ;;
    '') misuse "hsm needs a command: transport, enrol or accept" ;;
    *) misuse "hsm: unknown command '$command'; there are transport, enrol and accept" ;;
  esac
  while [ $# -gt 0 ]; do
    case $1 in
      --label | --fingerprint | --device)
        [ $# -ge 2 ] || misuse "hsm $command: $1 needs a value"
        check_hsm_option "$command" "$1" "$2"
        shift 2
        ;;
      --label=* | --fingerprint=* | --device=*)
        check_hsm_option "$command" "${1%%=*}" "${1#*=}"
        shift
        ;;
      --*) misuse "hsm $command: unknown option '$1'" ;;
      *) files+=("$1"); shift ;;
    esac
  done
  check_hsm_files "$command" "$fingerprints" "$label" ${files[@]+"${files[@]}"}
}

# Counts for its caller.
check_hsm_option() {
  case $1:$2 in
    *:--device) [ -n "$3" ] || misuse "hsm $1: --device needs a name" ;;
    enrol:--label) label=$3 ;;
    enrol:--fingerprint | accept:--fingerprint)
      is_fingerprint "$3" || misuse "hsm $1: a fingerprint has 64 hexadecimal digits, '$3' has not"
      fingerprints=$((fingerprints + 1))
      ;;
    *) misuse "hsm $1: unknown option '$2'" ;;
  esac
}

is_fingerprint() {
  local digits=${1//[ :-]/}
  case $digits in
    *[!0-9A-Fa-f]*) return 1 ;;
  esac
  [ "${#digits}" -eq 64 ]
}

# check_hsm_files COMMAND FINGERPRINTS LABEL FILES...
check_hsm_files() {
  local command=$1 fingerprints=$2 label=$3 file
  shift 3
  case $command in
    transport)
      [ $# -eq 1 ] || misuse "hsm transport needs one file to write: ./keywell hsm transport FILE"
      [ ! -e "$1" ] || misuse "hsm transport: $1 exists already; it is not replaced"
      return
      ;;
    enrol)
      [ -n "$label" ] || misuse "hsm enrol needs --label, the name of the new wrapping key"
      if [ $# -eq 0 ] || [ $# -ne "$fingerprints" ]; then
        misuse "hsm enrol needs requests, and the --fingerprint of each that its own side saw"
      fi
      ;;
    accept)
      if [ $# -ne 1 ] || [ "$fingerprints" -ne 1 ]; then
        misuse "hsm accept needs one answer, and the --fingerprint that the other side saw"
      fi
      ;;
  esac
  for file in "$@"; do
    if [ ! -f "$file" ] || [ ! -r "$file" ]; then
      misuse "hsm $command: cannot read a file $file"
    fi
    if [ "$command" = enrol ] && [ -e "$file.answer" ]; then
      misuse "hsm enrol: $file.answer exists already; it is not replaced"
    fi
  done
}
