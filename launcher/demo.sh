# shellcheck shell=bash
# ./keywell demo: the whole way from a fresh machine to a verified signature.

# Enough to see the pool work, few enough to wait for.
readonly DEMO_KEYS=20

cmd_demo() {
  [ $# -le 1 ] || misuse "demo takes at most one file: ./keywell demo [FILE]"
  local file=${1:-$ROOT/LICENSE}
  require_file demo "$file"
  local began=$SECONDS
  require_free_home

  step "1. Set up (all data goes to $KEYWELL_HOME)"
  prepare_service
  need_parts openssl
  say "Java       $JAVA_HOME"
  say "HSM        $KEYWELL_HSM_MODULE"
  say "Database   $(describe_database)"

  step "2. Start the service and make the first keys"
  export KEYWELL_TSA_ENABLED=${KEYWELL_TSA_ENABLED:-true}
  start_service demo
  run_client wait-for-keys "$DEMO_KEYS" --pid "$SERVICE_PID" || explain_failure 'the demo'

  step "3. Sign $file through POST /sign"
  make_scratch_directory
  (umask 077 && mkdir -p "$KEYWELL_HOME/demo")
  # Who has just started takes its first requests slowly, which says nothing of it.
  say "(the second of two signatures: the first one of new processes is slow)"
  run_client sign --warm-up --force --pool ${KEYWELL_LOG_ORIGIN:+--proof} \
    --summary "$SCRATCH/summary" --out "$KEYWELL_HOME/demo" -- "$file" || explain_failure 'the demo'

  step "4. Verify with openssl, which knows nothing of Keywell"
  verify_signed_file "$SCRATCH/summary"

  say "From the first command to this verification: $((SECONDS - began)) s"

  step "5. Sign a PDF: the certificate first, then the document with it; then a time stamp"
  need_parts pdfsig
  run_client sign --warm-up --pades --visible --force --summary "$SCRATCH/summary" --out "$KEYWELL_HOME/demo" \
    --root "$KEYWELL_HOME/ca/root.pem" -- "$ROOT/launcher/demo.pdf" || explain_failure 'the demo'
  verify_signed_file "$SCRATCH/summary"
  say "Open it in a reader: $KEYWELL_HOME/demo/demo-signed.pdf"

  if [ -n "${KEYWELL_LOG_ORIGIN:-}" ]; then
    step "6. Verify the log of all that was done"
    run_client log verify || explain_failure 'the demo'
  fi

  step "7. Stop the service"
  stop_service
  say "Stopped; unused keys stay in the pool for the next start."
  say "The demo took $((SECONDS - began)) s."

  step "8. Make the next start faster (the demo is over: Ctrl-C leaves this out)"
  prepare_aot_cache
  say "Next: ./keywell up, and in a second terminal ./keywell sign FILE; ./keywell help tells more."
}

describe_database() {
  local url=${KEYWELL_DATABASE_URL:-embedded PostgreSQL in $KEYWELL_HOME/postgres}
  # What follows a question mark may be a password.
  say "${url%%\?*}"
}
