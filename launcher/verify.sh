# shellcheck shell=bash
# Checks a signed file with openssl alone, as someone who knows nothing of Keywell would.

# verify_signed_file SUMMARY [ROOT]: SUMMARY is what the client's --summary wrote.
verify_signed_file() {
  local summary=$1 root=${2:-} file signature chain algorithm digest
  file=$(summary_value "$summary" FILE)
  signature=$(summary_value "$summary" SIGNATURE_FILE)
  chain=$(summary_value "$summary" CHAIN_FILE)
  algorithm=$(summary_value "$summary" SIGNATURE_ALGORITHM)
  digest=$(summary_value "$summary" DIGEST)
  say
  verify_signature "$file" "$signature" "$chain" "$algorithm" "$digest"
  verify_chain "$chain" "$root"
}

summary_value() { sed -n "s/^$2=//p" "$1"; }

# The signature fits the file and the first certificate of the chain.
verify_signature() {
  local file=$1 signature=$2 chain=$3 algorithm=$4 digest=$5 options=()
  case $algorithm in
    RSASSA-PSS) options=(-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest) ;;
    RSASSA-PKCS1-v1_5 | ECDSA) ;;
    *) fail "openssl's options for $algorithm are not known here" ;;
  esac
  local name
  name=-$(printf '%s' "$digest" | tr -d - | tr '[:upper:]' '[:lower:]')
  make_scratch_directory
  openssl x509 -in "$chain" -noout -pubkey >"$SCRATCH/public-key.pem"
  say "\$ openssl dgst $name -verify <(openssl x509 -in $(quoted "$chain") -noout -pubkey)" \
    "$(quoted ${options[@]+"${options[@]}"} -signature "$signature" "$file")"
  openssl dgst "$name" -verify "$SCRATCH/public-key.pem" ${options[@]+"${options[@]}"} \
    -signature "$signature" "$file" || fail "openssl rejects the signature of $file"
}

# The chain leads from the signing certificate to a root, by the strict rules of RFC 5280.
verify_chain() {
  local chain=$1 root=${2:-}
  if [ -z "$root" ]; then
    root=$KEYWELL_HOME/ca/root.pem
  fi
  if [ ! -r "$root" ]; then
    root=$(root_told_by_service)
    note "no trusted root is here (--root FILE, or $KEYWELL_HOME/ca/root.pem), so the service's own word is taken: this shows that the chain is consistent, not that it is to be trusted"
  fi
  local check=(openssl verify -x509_strict -no-CApath -CAfile "$root" -untrusted "$chain" "$chain")
  say "\$ $(quoted "${check[@]}")"
  "${check[@]}" || fail "openssl rejects the certificate chain $chain"
}

# The last certificate of GET /ca/chain, in a scratch file.
root_told_by_service() {
  run_client chain >"$SCRATCH/chain.pem" || fail "the service did not tell its root"
  awk '/BEGIN CERTIFICATE/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' \
    "$SCRATCH/chain.pem" >"$SCRATCH/root.pem"
  printf '%s\n' "$SCRATCH/root.pem"
}

# Words in a form that works when pasted into a shell.
quoted() {
  local line
  line=$(printf '%q ' "$@")
  printf '%s\n' "${line% }"
}
