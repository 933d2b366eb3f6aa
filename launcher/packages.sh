# shellcheck shell=bash
# Parts that come from the system's packages: SoftHSM and its tool, NSS, openssl, shellcheck.
#
# Root installs them. Anybody else unpacks them below the data directory: they need no set-up, and
# a signing service that is only tried out should not need root.

PACKAGES_DIR=$KEYWELL_HOME/packages

# The file or program that makes a part: its path, or status 1 if the part is missing.
find_part() {
  case $1 in
    softhsm)
      first_file \
        /usr/lib/softhsm/libsofthsm2.so \
        /usr/lib/*/softhsm/libsofthsm2.so \
        /usr/lib64/pkcs11/libsofthsm2.so \
        /usr/lib64/softhsm/libsofthsm2.so \
        /usr/local/lib/softhsm/libsofthsm2.so \
        /opt/homebrew/lib/softhsm/libsofthsm2.so \
        "$PACKAGES_DIR"/usr/lib/softhsm/libsofthsm2.so \
        "$PACKAGES_DIR"/usr/lib/*/softhsm/libsofthsm2.so
      ;;
    nss)
      first_file \
        /usr/lib/*/nss/libsoftokn3.so \
        /usr/lib/*/libsoftokn3.so \
        /usr/lib64/libsoftokn3.so \
        /usr/lib/libsoftokn3.so \
        /opt/homebrew/lib/libsoftokn3.dylib \
        "$PACKAGES_DIR"/usr/lib/*/nss/libsoftokn3.so \
        "$PACKAGES_DIR"/usr/lib/*/libsoftokn3.so
      ;;
    openssl | shellcheck | softhsm2-util) command -v "$1" ;;
    *) return 1 ;;
  esac
}

first_file() {
  local file
  for file in "$@"; do
    if [ -f "$file" ]; then
      printf '%s\n' "$file"
      return
    fi
  done
  return 1
}

# need_parts PART...: afterwards each part is there, or the launcher has ended with an explanation.
need_parts() {
  use_unpacked_packages
  local missing=() part
  for part in "$@"; do
    find_part "$part" >/dev/null || missing+=("$part")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    explain_other_systems "${missing[@]}"
  fi
  install_debian_parts "${missing[@]}"
  use_unpacked_packages
  for part in "${missing[@]}"; do
    find_part "$part" >/dev/null || fail "$part is still missing after its package was set up"
  done
}

debian_package() {
  case $1 in
    softhsm) say libsofthsm2 ;;
    softhsm2-util) say softhsm2 ;;
    nss) say libnss3 ;;
    *) say "$1" ;;
  esac
}

install_debian_parts() {
  local packages=() part
  for part in "$@"; do
    packages+=("$(debian_package "$part")")
  done
  use_home
  local log=$KEYWELL_HOME/logs/packages.log how=unpack_packages what="Unpacking"
  if is_root; then
    how=install_or_unpack_packages what="Installing"
  fi
  run_quietly "$what the system's packages ${packages[*]}" "$log" "$how" "${packages[@]}" || {
    show_log_end "$log"
    fail "the packages ${packages[*]} could not be set up; install them and try again"
  }
}

# A system whose package database is broken or locked still lets packages be unpacked.
install_or_unpack_packages() { install_packages "$@" || unpack_packages "$@"; }

# Lists may be stale where one source of many is broken; what counts is whether the packages come.
install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update || true
  apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@"
}

# Downloads packages, with what they need and the system lacks, and unpacks them. apt-get keeps its
# lists in a directory of ours, because the system's may be missing and are root's to renew.
unpack_packages() {
  local apt_dir=$PACKAGES_DIR/apt names file
  mkdir -p "$apt_dir/state/lists/partial" "$apt_dir/cache/archives/partial" "$apt_dir/debs"
  local apt=(
    apt-get
    -o "Dir::State=$apt_dir/state"
    -o "Dir::State::status=/var/lib/dpkg/status"
    -o "Dir::Cache=$apt_dir/cache"
  )
  LC_ALL=C "${apt[@]}" update || true
  names=$(LC_ALL=C "${apt[@]}" --simulate install --no-install-recommends "$@" |
    awk '$1 == "Inst" { print $2 }') || true
  # shellcheck disable=SC2086 # package names have no spaces; each is an argument of its own
  (cd "$apt_dir/debs" && LC_ALL=C "${apt[@]}" download ${names:-"$@"}) || return 1
  for file in "$apt_dir"/debs/*.deb; do
    dpkg -x "$file" "$PACKAGES_DIR" || return 1
  done
  rm -rf "$apt_dir"
}

# The system's own programs come first, the unpacked ones fill the gaps.
use_unpacked_packages() {
  [ -d "$PACKAGES_DIR/usr" ] || return 0
  local dir
  case :$PATH: in
    *":$PACKAGES_DIR/usr/bin:"*) return 0 ;;
  esac
  export PATH=$PATH:$PACKAGES_DIR/usr/bin
  for dir in "$PACKAGES_DIR"/usr/lib/*-linux-gnu* "$PACKAGES_DIR"/lib/*-linux-gnu*; do
    if [ -d "$dir" ]; then
      export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$dir
    fi
  done
  if [ -x "$PACKAGES_DIR/usr/bin/openssl" ] && [ ! -e /etc/ssl/openssl.cnf ]; then
    export OPENSSL_CONF=$PACKAGES_DIR/etc/ssl/openssl.cnf
  fi
}

explain_other_systems() {
  local part names=()
  if command -v dnf >/dev/null; then
    for part in "$@"; do
      case $part in
        softhsm2-util) names+=(softhsm) ;;
        nss) names+=(nss-softokn) ;;
        shellcheck) names+=(ShellCheck) ;;
        *) names+=("$part") ;;
      esac
    done
    fail "$* missing; install with: sudo dnf install ${names[*]}"
  elif command -v apk >/dev/null; then
    fail "$* missing; install with: sudo apk add ${*/softhsm2-util/softhsm}"
  elif command -v brew >/dev/null; then
    fail "$* missing; install with: brew install ${*/softhsm2-util/softhsm}"
  fi
  fail "$* missing; install from your system's packages and try again"
}
