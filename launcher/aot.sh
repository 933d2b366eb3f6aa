# shellcheck shell=bash
# The service as it starts fastest: its jar unpacked, since the JVM's AOT cache takes no jars within jars,
# and beside it the cache, made once after a build by a training run (train.sh).

readonly SERVICE_FOLDER=${SERVICE_JAR%/*}/unpacked
# Which jar, which Java and which options of the JVM a folder was made for; last of it to be written.
readonly MADE_FOR=$SERVICE_FOLDER/made-for
readonly UNPACKED_JAR=$SERVICE_FOLDER/${SERVICE_JAR##*/}
readonly AOT_CACHE=$SERVICE_FOLDER/keywell.aot

# What the JVM is told in any case. A service without memory ends rather than holds its port and serves
# nobody. A heap that begins with a 64th of the machine's memory fills all of that before it is collected.
readonly SERVICE_OPTIONS=(-XX:+ExitOnOutOfMemoryError -Xms64m)

wants_aot_cache() {
  case ${KEYWELL_AOT:-auto} in
    auto) ;;
    off) return 1 ;;
    *) misuse "KEYWELL_AOT: '$KEYWELL_AOT' is neither auto nor off" ;;
  esac
}

# Tells one jar from another by its end, where a checksum of each file in it is listed: its age is that of
# the sources' version, and many builds have the same.
made_for() {
  tail -c 100000 "$SERVICE_JAR" | cksum
  cksum <"$JAVA_HOME/release"
  printf '%s\n' "${SERVICE_OPTIONS[*]}"
}

# Whether the folder is of this very jar. (It may be there without a cache: where a training run failed.)
has_unpacked_service() {
  wants_aot_cache && [ -r "$MADE_FOR" ] && [ -r "$SERVICE_JAR" ] && [ "$(made_for)" = "$(cat "$MADE_FOR")" ]
}

# For those who start a service that runs for a while. Whatever fails, the service starts without it.
prepare_aot_cache() {
  wants_aot_cache && ! has_unpacked_service || return 0
  # Somebody else's checkout is used as it is; and no SoftHSM is installed for this alone.
  [ -w "${SERVICE_FOLDER%/*}" ] && find_part softhsm >/dev/null || return 0
  build_if_needed loadgen
  lock_build
  if ! has_unpacked_service && ! { unpack_service && train_service; }; then
    note "no AOT cache could be made: the service starts more slowly ($ROOT/target/train.log says why)"
  fi
  unlock_build
}

unpack_service() {
  rm -rf "$SERVICE_FOLDER"
  "$JAVA" -Djarmode=tools -jar "$SERVICE_JAR" extract --destination "$SERVICE_FOLDER" \
    >"$ROOT/target/train.log" 2>&1
}

# Once: a run that fails would do so again. Nothing of the user's settings is in it. (9 is the build's lock.)
train_service() {
  local code=0
  run_quietly "Trying the service out once, so that from now on it starts faster" "$ROOT/target/train.log" \
    env -i "PATH=$PATH" "HOME=${HOME:-/}" "LC_ALL=${LC_ALL:-}" "LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}" \
    bash "$ROOT/launcher/train.sh" "$JAVA" "$UNPACKED_JAR" "$LOADGEN_JAR" "$(find_part softhsm)" "$AOT_CACHE" \
    "${SERVICE_OPTIONS[@]}" 9>&- || code=$?
  [ "$code" -eq 0 ] || rm -f "$AOT_CACHE"
  made_for >"$MADE_FOR"
  return "$code"
}

# Sets SERVICE_PROGRAM to what comes before the service's command: its JVM's options and its jar.
# KEYWELL_JAVA_OPTS, of the user, is split at spaces and wins.
service_program() {
  local options=() jar=$SERVICE_JAR
  read -r -a options <<<"${KEYWELL_JAVA_OPTS:-}"
  SERVICE_PROGRAM=("${SERVICE_OPTIONS[@]}")
  if has_unpacked_service; then
    jar=$UNPACKED_JAR
    # auto: where it does not suit, such as other options of the user's, the JVM leaves it aside.
    [ ! -r "$AOT_CACHE" ] ||
      SERVICE_PROGRAM+=("-XX:AOTCache=$AOT_CACHE" -XX:AOTMode=auto -Xlog:aot=off -Xlog:cds=off)
  fi
  SERVICE_PROGRAM+=(${options[@]+"${options[@]}"} -jar "$jar")
}

# The same for programs of ours that start services by themselves, an argument a line.
export_service_program() {
  service_program
  KEYWELL_SERVICE_PROGRAM=$(printf '%s\n' "${SERVICE_PROGRAM[@]}")
  export KEYWELL_SERVICE_PROGRAM
}
