# shellcheck shell=bash
# Searches what a run of tests has written for what nothing may write.

# check_secrets FILE [DIRECTORY]: fails, and says where, if a report or a log that is newer than the file contains
# what launcher/secrets/patterns has, or a PIN that a test has made.
check_secrets() {
  local directory=${2:-$ROOT} file files=0 bad=0
  make_scratch_directory
  grep -v '^#' "$ROOT/launcher/secrets/patterns" >"$SCRATCH/patterns"
  find "$directory" -path '*/target/pins' -exec sort -u {} + >"$SCRATCH/pins"
  while IFS= read -r file; do
    files=$((files + 1))
    sed -E -f "$ROOT/launcher/secrets/allowed.sed" "$file" >"$SCRATCH/text"
    # PINs are thousands: as regular expressions, each file would take a second.
    {
      grep -nEo -f "$SCRATCH/patterns" "$SCRATCH/text" || true
      grep -nFo -f "$SCRATCH/pins" "$SCRATCH/text" || true
    } >"$SCRATCH/found"
    if [ -s "$SCRATCH/found" ]; then
      bad=$((bad + 1))
      # Where it is, not what it is.
      sed -En "1,5s|^([0-9]+):.*|a secret or a person: $file, line \\1|p" "$SCRATCH/found" >&2
    fi
  done < <(find "$directory" -type f -newer "$1" \( -path '*/target/*-reports/*' -o -path '*/target/*.log' \))
  say "$files files of this run, $bad of them with secrets or people"
  [[ $files -gt 0 && $bad -eq 0 ]]
}
