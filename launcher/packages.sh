# shellcheck shell=bash
# Parts that come from the system's packages: SoftHSM and its tool, NSS, openssl, shellcheck, what checks
# signed PDF and XML files, for benchmarks a C compiler and ApacheBench, for tests Prometheus and the tools
# of its makers, and a browser, and for trials PostgreSQL, etcd, Patroni and HAProxy.
#
# Root installs them. Anybody else unpacks them below the data directory: they need no set-up, and
# a signing service that is only tried out should not need root.

PACKAGES_DIR=$KEYWELL_HOME/packages

# The file or program that makes a part: its path, or status 1 if the part is missing.
find_part() {
  case $1 in
    softhsm)
      first_file /usr/lib{,/*,64,64/pkcs11}/{softhsm/,}libsofthsm2.so \
        {/usr/local,/opt/homebrew}/lib/softhsm/libsofthsm2.so "$PACKAGES_DIR"/usr/lib{,/*}/softhsm/libsofthsm2.so
      ;;
    nss)
      first_file /usr/lib{/*/nss,/*,64,}/libsoftokn3.so /opt/homebrew/lib/libsoftokn3.dylib \
        "$PACKAGES_DIR"/usr/lib/*/{nss/,}libsoftokn3.so
      ;;
    chromium)
      # Debian's command of this name looks for the program in /usr/lib alone.
      first_file /usr/bin/chromium "$PACKAGES_DIR"/usr/lib/chromium/chromium || command -v chromium
      ;;
    gcc) c_compiler ;;
    libc6-dev) printf '#include <stdio.h>\n' | $(c_compiler) -E -x c - >/dev/null 2>&1 ;;
    libsqlite3-dev) printf '#include <sqlite3.h>\n' | $(c_compiler) -E -x c - >/dev/null 2>&1 ;;
    python3-venv) python3 -c "import ensurepip, venv" >/dev/null 2>&1 ;;
    # By its path: its command would look for it where it is installed.
    libfaketime) first_file {,"$PACKAGES_DIR"}/usr/lib/{*/,}faketime/libfaketimeMT.so.1 ;;
    chronyd) first_file /usr/sbin/chronyd "$PACKAGES_DIR"/usr/sbin/chronyd || command -v chronyd ;;
    postgresql)
      # Debian's newest; pg_rewind tells a server's directory from a client's.
      { find {,"$PACKAGES_DIR"}/usr/lib/postgresql -name pg_rewind 2>/dev/null || true; } | sort -rV | grep -m 1 .
      ;;
    openssl | shellcheck | xmllint | softhsm2-util | prometheus | promtool | amtool | chromedriver | certutil | pk12util | \
      pdfsig | pdftoppm | qpdf | xmlsec1 | ab | ssh-agent | sslscan | spin | etcd | patroni | haproxy | curl | make | perl)
      command -v "$1"
      ;;
    *) return 1 ;;
  esac
}

# As the tests look for it.
c_compiler() { if [ -n "${CC:-}" ]; then say "$CC"; else command -v cc || command -v gcc; fi; }

first_file() {
  local file
  for file in "$@"; do
    [ ! -f "$file" ] || { say "$file" && return; }
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
  command -v apt-get >/dev/null || explain_other_systems "${missing[@]}"
  install_debian_parts "${missing[@]}"
  use_unpacked_packages
  for part in "${missing[@]}"; do
    find_part "$part" >/dev/null || fail "$part is still missing after its package was set up"
  done
}

# packages_of PART COLUMN: what the system of that column of packages.txt calls the part's packages.
packages_of() {
  awk -v part="$1" -v column="$2" '
    $1 == part && $column != "=" { names = $column }
    END { gsub(",", " ", names); print names == "" ? part : names }' "$ROOT/launcher/packages.txt"
}

install_debian_parts() {
  local programs=() servers=() package how=unpack_packages
  # Several parts may be of one package.
  for package in $(for part in "$@"; do packages_of "$part" 2; done | awk '!seen[$0]++'); do
    case $package in
      prometheus* | postgresql | chrony | etcd-server | patroni | python3-etcd | haproxy) servers+=("$package") ;;
      *) programs+=("$package") ;;
    esac
  done
  use_home
  ! is_root || how=install_or_unpack_packages
  set_up_packages "$how" ${programs[@]+"${programs[@]}"}
  # Installing these would start servers. They are only unpacked, for root as well.
  set_up_packages unpack_packages ${servers[@]+"${servers[@]}"}
}

# set_up_packages HOW [PACKAGE...]
set_up_packages() {
  [ $# -gt 1 ] || return 0
  quietly "Setting up the system's packages ${*:2}" "$KEYWELL_HOME/logs/packages.log" \
    "the packages ${*:2} could not be set up; install them and try again" "$@"
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
  # The linker is told of the rest of the C library by its absolute path.
  for file in "$PACKAGES_DIR"/usr/lib/*/libc.so; do
    [ ! -f "$file" ] || sed -i "s| /usr/lib/| $PACKAGES_DIR/usr/lib/|g" "$file"
  done
  rm -rf "$apt_dir"
}

# The system's own programs come first, the unpacked ones fill the gaps.
use_unpacked_packages() {
  [ -d "$PACKAGES_DIR/usr" ] || return 0
  use_unpacked_compiler
  local dir
  [[ :$PATH: != *":$PACKAGES_DIR/usr/bin:"* ]] || return 0
  export PATH=$PATH:$PACKAGES_DIR/usr/bin
  for dir in "$PACKAGES_DIR"/usr/lib/*-linux-gnu* "$PACKAGES_DIR"/lib/*-linux-gnu*; do
    [ ! -d "$dir" ] || export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$dir
  done
  [[ ! -x $PACKAGES_DIR/usr/bin/openssl || -e /etc/ssl/openssl.cnf ]] ||
    export OPENSSL_CONF=$PACKAGES_DIR/etc/ssl/openssl.cnf
}

# A compiler looks for the C library where it is installed.
use_unpacked_compiler() {
  local headers=("$PACKAGES_DIR"/usr/include/*-linux-gnu*)
  local libraries=("$PACKAGES_DIR"/usr/lib/*-linux-gnu*)
  if [ -d "${headers[0]}" ]; then
    export C_INCLUDE_PATH=$PACKAGES_DIR/usr/include:${headers[0]} LIBRARY_PATH=${libraries[0]}
  fi
}

# make_once DIRECTORY LABEL WHY COMMAND FILE...: has the command fill the directory, which is its argument, unless that
# was made for what is in these very files. WHY is told if it fails.
make_once() {
  local directory=$1 made
  made=$(cat "${@:5}" | cksum)
  [ "$(cat "$directory/made" 2>/dev/null)" != "$made" ] || return 0
  rm -rf "$directory"
  mkdir -p "$directory"
  quietly "$2" "$KEYWELL_HOME/logs/${directory##*/}.log" "$3" "$4" "$directory"
  printf '%s\n' "$made" >"$directory/made"
}

explain_other_systems() {
  local manager column install part names=()
  while read -r manager column install; do
    command -v "$manager" >/dev/null || continue
    for part in "$@"; do
      names+=("$(packages_of "$part" "$column")")
    done
    fail "$* missing; install with: $install ${names[*]}"
  done <<'END'
dnf 3 sudo dnf install
apk 4 sudo apk add
brew 5 brew install
END
  fail "$* missing; install from your system's packages and try again"
}
