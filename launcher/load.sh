# shellcheck shell=bash
# ./keywell load: the load generator, against a running service or services of its own; and the
# capacity plan, without any.

cmd_load() {
  case ${1:-} in
    ramp | show | drive-null)
      tell_revision
      export KEYWELL_URL=${KEYWELL_URL:-http://127.0.0.1:${SERVER_PORT:-8420}}
      become_program loadgen "$@"
      ;;
    plan) become_program "$@" ;;
    compare | overload | storage) experiment "$@" ;;
    tls | speed) need_parts openssl; experiment "$@" ;;
    messages)
      need_parts openssl
      case " $*" in
        *" --fresh"*) experiment "$@" ;;
        *) use_home; tell_revision; become_program loadgen "$@" ;;
      esac
      ;;
    tables) shift; cmd_tables "$@" ;;
    '') misuse "load needs a command: ramp, compare, overload, tls, speed, storage, messages, show, plan or drive-null; './keywell help load' explains" ;;
    *) misuse "load: unknown command '$1'; './keywell help load' lists them" ;;
  esac
}

# explain_load [COMMAND]: what load does; or all options of one of its commands, from the program that
# knows them.
explain_load() {
  case $1 in
    '' | -*) show_page load ;;
    tables) show_page tables ;;
    ramp | compare | overload | tls | speed | storage | messages | show | drive-null) become_program loadgen "$1" --help ;;
    plan) become_program plan --help ;;
    *) misuse "load: unknown command '$1'; './keywell help load' lists them" ;;
  esac
}

# Reports name the revision that they were made with, where this is a checkout.
tell_revision() {
  local revision
  revision=$(git -C "$ROOT" rev-parse HEAD 2>/dev/null) || return 0
  export KEYWELL_REVISION=$revision KEYWELL_REVISION_DIRTY=false
  [ -z "$(git -C "$ROOT" status --porcelain 2>/dev/null)" ] || KEYWELL_REVISION_DIRTY=true
}

# The databases that load storage starts. Without root it says so itself, and needs nothing.
use_postgresql() {
  is_root || return 0
  need_parts openssl postgresql
  PATH=$PATH:$(dirname "$(find_part postgresql)")
}

# experiment compare|overload|tls|speed|storage|messages OPTIONS...: the load generator starts and stops services of its own;
# here is what these need to be there.
experiment() {
  local profile='' url=''
  take_arguments "load $1" any "profile url *" "${@:2}"
  [ -z "$url" ] || misuse "load $1 starts a service of its own, so it takes no --url; load ramp does"
  [ -z "$profile" ] || use_profile "$profile"
  require_free_home
  [ "$1" != storage ] || use_postgresql
  step "1. Set up (all data goes to $KEYWELL_HOME)"
  prepare_service
  become_with_services loadgen "$1" ${OPERANDS[@]+"${OPERANDS[@]}"}
}

# As become_program, for one that starts and stops services by itself, in order, whatever signal comes.
become_with_services() {
  build_if_needed "$1"
  prepare_aot_cache
  tell_revision
  export_service_program
  become_program "$@"
}
