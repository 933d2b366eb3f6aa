# shellcheck shell=bash
# Checks a signed file with openssl and the like, as someone who knows nothing of Keywell would.

# verify_signed_file SUMMARY [ROOT]: SUMMARY is what the client's --summary wrote.
verify_signed_file() {
  local summary=$1 root=${2:-} chain
  if [ -n "$(summary_value "$summary" FORM)" ]; then
    verify_document "$summary" "$root"
    return
  fi
  chain=$(summary_value "$summary" CHAIN_FILE)
  say
  verify_signature "$summary" "$chain"
  verify_chain "$chain" "$root"
}

# EU DSS has verified the document; here by what else is at hand, as someone would who has no DSS.
verify_document() {
  local summary=$1 root=${2:-} form file signed algorithm
  form=$(summary_value "$summary" FORM)
  file=$(summary_value "$summary" FILE)
  signed=$(summary_value "$summary" SIGNED_FILE)
  algorithm=$(summary_value "$summary" SIGNATURE_ALGORITHM)
  make_scratch_directory
  use_root "$root"
  use_trusted_pems
  say
  case $form:$algorithm in
    PADES:*) verify_by pdfsig pdfsig -nocert "$signed" ;;
    # Older ones, which are what is at hand, know no RSASSA-PSS.
    XADES_*:RSASSA-PSS) note "xmlsec1 knows no RSASSA-PSS before its 1.3: EU DSS alone has verified $signed" ;;
    XADES_*)
      verify_by xmlsec1 xmlsec1 --verify "${TRUSTED_PEMS[@]}" \
        --id-attr:Id http://uri.etsi.org/01903/v1.3.2#:SignedProperties \
        --id-attr:Id http://www.w3.org/2000/09/xmldsig#:Object "$signed"
      ;;
    CADES_DETACHED:*)
      verify_by openssl openssl cms -verify -cades -binary -inform DER -in "$signed" -content "$file" \
        -CAfile "$TRUSTED_ROOT" -out /dev/null
      ;;
    *) note "no other program here reads $form: EU DSS alone has verified $signed" ;;
  esac
}

# verify_by PROGRAM COMMAND...: shows the command and what it says; without the program, that.
verify_by() {
  local program=$1 said code=0
  if ! find_part "$program" >/dev/null; then
    note "$program is not here: EU DSS alone has verified the document"
    return
  fi
  say "\$ $(quoted "${@:2}")"
  said=$("${@:2}" 2>&1) || code=$?
  printf '%s\n' "$said"
  [ "$code" -eq 0 ] || fail "$program rejects the document"
  # It ends with 0 whatever it finds.
  [[ $program != pdfsig || $said = *'Signature Validation: Signature is Valid.'* ]] ||
    fail "pdfsig rejects the document"
}

summary_value() { sed -n "s/^$2=//p" "$1"; }

# verify_signature SUMMARY CHAIN: the signature fits the file and the first certificate of the chain.
verify_signature() {
  local summary=$1 chain=$2 file signature algorithm name options=()
  file=$(summary_value "$summary" FILE)
  signature=$(summary_value "$summary" SIGNATURE_FILE)
  algorithm=$(summary_value "$summary" SIGNATURE_ALGORITHM)
  case $algorithm in
    RSASSA-PSS) options=(-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest) ;;
    RSASSA-PKCS1-v1_5 | ECDSA) ;;
    *) fail "openssl's options for $algorithm are not known here" ;;
  esac
  name=-$(summary_value "$summary" DIGEST | tr -d - | tr '[:upper:]' '[:lower:]')
  make_scratch_directory
  openssl x509 -in "$chain" -noout -pubkey >"$SCRATCH/public-key.pem"
  say "\$ openssl dgst $name -verify <(openssl x509 -in $(quoted "$chain") -noout -pubkey)" \
    "$(quoted ${options[@]+"${options[@]}"} -signature "$signature" "$file")"
  openssl dgst "$name" -verify "$SCRATCH/public-key.pem" ${options[@]+"${options[@]}"} \
    -signature "$signature" "$file" || fail "openssl rejects the signature of $file"
}

# The chain leads from the signing certificate to a root, by the strict rules of RFC 5280.
verify_chain() {
  local chain=$1
  use_root "${2:-}"
  local check=(openssl verify -x509_strict -no-CApath -CAfile "$TRUSTED_ROOT" -untrusted "$chain" "$chain")
  say "\$ $(quoted "${check[@]}")"
  "${check[@]}" || fail "openssl rejects the certificate chain $chain"
}

# use_root [ROOT]: sets TRUSTED_ROOT.
use_root() {
  TRUSTED_ROOT=${1:-$KEYWELL_HOME/ca/root.pem}
  if [ ! -r "$TRUSTED_ROOT" ]; then
    TRUSTED_ROOT=$(root_told_by_service)
    note "no trusted root is here (--root FILE, or $KEYWELL_HOME/ca/root.pem), so the service's own word is taken: this shows that the chain is consistent, not that it is to be trusted"
  fi
}

# use_trusted_pems: sets TRUSTED_PEMS, xmlsec1's options for each certificate of TRUSTED_ROOT. It reads
# only the first one of a file, and a signature with a time stamp is verified under two roots.
use_trusted_pems() {
  local file
  TRUSTED_PEMS=(--trusted-pem "$TRUSTED_ROOT")
  [ "$(grep -c 'BEGIN CERTIFICATE' "$TRUSTED_ROOT")" -gt 1 ] || return 0
  make_scratch_directory
  TRUSTED_PEMS=()
  awk -v name="$SCRATCH/trusted-" \
    '/BEGIN CERTIFICATE/ { n++; file = name n ".pem" } file { print > file } /END CERTIFICATE/ { file = "" }' \
    "$TRUSTED_ROOT"
  for file in "$SCRATCH"/trusted-*.pem; do
    TRUSTED_PEMS+=(--trusted-pem "$file")
  done
}

# The last certificate of GET /ca/chain, in a scratch file.
root_told_by_service() {
  run_client chain >"$SCRATCH/chain.pem" || fail "the service did not tell its root"
  awk '/BEGIN CERTIFICATE/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' \
    "$SCRATCH/chain.pem" >"$SCRATCH/root.pem"
  printf '%s\n' "$SCRATCH/root.pem"
}

# Words in a form that works when pasted into a shell.
quoted() { printf '%q ' "$@" | sed 's/ $//'; }
