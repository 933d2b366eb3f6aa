# shellcheck shell=bash
# The JDK, the build, and the programs that come out of it.

readonly JDK_MAJOR=25
# What the launcher runs is built apart from what is tested: quickly, and without the checks (profile "run").
# A trial right after the tests runs what they have built, which is in "target".
readonly BUILT=${KEYWELL_BUILT:-target/run}
# The service together with an embedded PostgreSQL; service/ makes the one that is deployed, without.
readonly SERVICE_JAR=$ROOT/standalone/$BUILT/keywell-standalone-exec.jar
readonly CLIENT_JAR=$ROOT/cli/$BUILT/keywell-cli.jar
readonly LOADGEN_JAR=$ROOT/loadgen/$BUILT/keywell-loadgen-exec.jar
# EU DSS finds its parts in plain jars, not in jars within a jar.
case $BUILT in
  target) readonly CLIENT_PARTS=${CLIENT_JAR%/*}/lib ;;
  *) readonly CLIENT_PARTS=${CLIENT_JAR%/*}/BOOT-INF/lib ;;
esac

# --- the JDK -----------------------------------------------------------------------------------

# Whether a directory is a JDK of the right version; its "release" file tells without starting it.
is_right_jdk() {
  local home=$1
  [ -x "$home/bin/java" ] && [ -x "$home/bin/javac" ] && [ -r "$home/release" ] || return 1
  grep -qE "^JAVA_VERSION=\"$JDK_MAJOR([.+-].*)?\"\$" "$home/release"
}

# JAVA_HOME first, then where systems and tools put JDKs, then what PATH leads to.
find_jdk() {
  local home java
  for home in \
    "${JAVA_HOME:-}" \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "/opt/homebrew/opt/openjdk@$JDK_MAJOR/libexec/openjdk.jdk/Contents/Home" \
    "${HOME:-/}"/.sdkman/candidates/java/* "${HOME:-/}"/.jdks/*; do
    [ -z "$home" ] || ! is_right_jdk "$home" || { say "$home" && return; }
  done
  java=$(command -v javac) || return 1
  home=$(dirname "$(readlink -f "$java")")/..
  is_right_jdk "$home" && (cd "$home" && pwd -P)
}

use_java() {
  local home
  if ! home=$(find_jdk); then
    install_debian_jdk || explain_jdk
    home=$(find_jdk) || explain_jdk
  fi
  export JAVA_HOME=$home
  JAVA=$JAVA_HOME/bin/java
}

# Only where the system's packages have it, and only root can.
install_debian_jdk() {
  local package=openjdk-$JDK_MAJOR-jdk-headless
  command -v apt-get >/dev/null && is_root || return 1
  use_home
  say "There is no JDK $JDK_MAJOR here; looking for one in the system's packages"
  run_quietly "Installing $package" "$KEYWELL_HOME/logs/packages.log" install_packages "$package"
}

explain_jdk() {
  note "a JDK $JDK_MAJOR is needed and none was found here"
  cat >&2 <<END
  Get one of these, then run the same command again:
    * your system's package, where it has one:
        Debian, Ubuntu   sudo apt-get install openjdk-$JDK_MAJOR-jdk-headless
        Fedora           sudo dnf install java-$JDK_MAJOR-openjdk-devel
        Alpine           sudo apk add openjdk$JDK_MAJOR-jdk
        macOS            brew install openjdk@$JDK_MAJOR
    * Eclipse Temurin $JDK_MAJOR (packages for most systems, or an archive to unpack): adoptium.net
    * SDKMAN, without root: sdk install java $JDK_MAJOR-tem
  A JDK in an unusual place is found through JAVA_HOME.
END
  exit 1
}

# --- the build ---------------------------------------------------------------------------------

# build_if_needed cli|loadgen|plan|service|bench: makes the jars unless they are newer than all that they
# are made of. Each is built together with those of whose modules it is made. BUILD_JAR is the one that was asked for.
build_if_needed() {
  describe_build "$1"
  [ "$BUILT" != target ] && is_stale "$1" || return 0
  require_writable_build
  mkdir -p "$ROOT/target"
  lock_build
  ! is_stale "$1" || build
  unlock_build
}

# Sets BUILD_JAR, BUILD_MODULES (what Maven is asked for) and BUILD_SOURCES (the modules in it, which are up to date
# afterwards).
describe_build() {
  local client=(client tlog dss cli)
  local service=(keypool ca listener kmip-messages kmip xks protection settings identity signing json jms rest operations service standalone)
  BUILD_MODULES=$1 BUILD_JAR=$ROOT/$1/$BUILT/keywell-$1-exec.jar
  case $1 in
    cli) BUILD_JAR=$CLIENT_JAR BUILD_SOURCES=("${client[@]}") ;;
    loadgen) BUILD_JAR=$LOADGEN_JAR BUILD_SOURCES=("${client[@]}" kmip-messages protection loadgen) ;;
    plan) BUILD_SOURCES=("${client[@]}" kmip-messages protection loadgen plan) ;;
    bench) BUILD_SOURCES=("${client[@]}" loadgen "${service[@]}" bench) ;;
    service) BUILD_JAR=$SERVICE_JAR BUILD_SOURCES=("${client[@]}" "${service[@]}") BUILD_MODULES=standalone,cli ;;
  esac
}

build() {
  local log=$ROOT/target/build.log began=$ROOT/target/.build-began built
  # The stamp is as old as the build's beginning: a file that is edited meanwhile counts as newer.
  touch "$began"
  # Compiled code would pay off after the build's end.
  MAVEN_OPTS="${MAVEN_OPTS:-} -XX:TieredStopAtLevel=1" quietly \
    "Building Keywell (the first time, Maven loads its parts: a minute or more)" \
    "$log" "the build failed; all of its output is in $log" \
    "$ROOT/mvnw" -B -ntp -f "$ROOT/pom.xml" -Prun -T 1C -pl "$BUILD_MODULES,!testkit" -am package
  unpack_client
  for built in "${BUILD_SOURCES[@]}"; do
    cp -p "$began" "$(stamp_of "$built")"
  done
  rm "$began"
}

unpack_client() {
  rm -rf "$CLIENT_PARTS"
  (cd "${CLIENT_JAR%/*}" && "$JAVA_HOME/bin/jar" --extract --file keywell-cli-exec.jar BOOT-INF/lib)
}

stamp_of() { printf '%s\n' "$ROOT/target/.built-$1"; }

is_stale() {
  local stamp module sources=("$ROOT/pom.xml" "$ROOT/db")
  stamp=$(stamp_of "$1")
  [ -f "$BUILD_JAR" ] && [ -f "$CLIENT_JAR" ] && [ -f "$stamp" ] || return 0
  for module in "${BUILD_SOURCES[@]}"; do
    sources+=("$ROOT/$module/pom.xml" "$ROOT/$module/src/main")
  done
  [ -n "$(find "${sources[@]}" -newer "$stamp" -print 2>/dev/null | head -n 1)" ]
}

require_writable_build() {
  local dir
  for dir in "$ROOT" "$ROOT"/*/pom.xml; do
    dir=${dir%/pom.xml}
    [ ! -d "$dir/target" ] || dir=$dir/target
    [ -w "$dir" ] ||
      fail "Keywell must be built, but $dir is not yours to write; clone it for yourself, or let its owner run the same command first"
  done
}

# Two launchers in one checkout must not build at the same time.
lock_build() {
  command -v flock >/dev/null || return 0
  exec 9>"$ROOT/target/.build-lock"
  flock -n 9 || { say "Another build is under way here; waiting for it" && flock 9; }
}

unlock_build() { exec 9>&-; }

# --- the programs ------------------------------------------------------------------------------

# become_program loadgen|plan|bench ARGUMENTS...: Ctrl-C reaches it directly, and it still writes its report.
become_program() {
  use_java
  build_if_needed "$1"
  exec "$JAVA" -jar "$BUILD_JAR" "${@:2}"
}

# A short-lived program starts quicker with the simple compiler and collector; a long log is hashed four times
# as fast with the other compiler.
run_client() {
  local tiers=1
  [ "${1:-}" != log ] || tiers=4
  KEYWELL_URL=${KEYWELL_URL:-http://127.0.0.1:${SERVER_PORT:-8420}} \
    "$JAVA" "-XX:TieredStopAtLevel=$tiers" -XX:+UseSerialGC \
    -cp "$CLIENT_JAR:$CLIENT_PARTS/*" org.keywell.cli.KeywellCommand "$@"
}
