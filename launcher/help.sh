# shellcheck shell=bash
# What ./keywell help and ./keywell COMMAND --help say: launcher/help has a page for each command.

# show_help [COMMAND [ARGUMENTS...]]
show_help() {
  case ${1:-help} in
    load) explain_load "${2:-}" ;;
    ca-import) show_page ca-request ;;
    */*) misuse "unknown command '$1'; './keywell help' lists them" ;;
    *) show_page "${1:-help}" ;;
  esac
}

show_page() {
  local page=$ROOT/launcher/help/$1.txt
  [ -f "$page" ] || misuse "unknown command '$1'; './keywell help' lists them"
  cat "$page"
}
