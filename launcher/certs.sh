# shellcheck shell=bash
# ./keywell certs: a certification authority for development, and what it takes to try the service with TLS
# and client certificates on this machine.

readonly CERTS_HOSTS=DNS:localhost,IP:127.0.0.1,IP:::1
readonly CERTS_CLIENTS=("operator:sign,stamp,read,operate,observe" "signer:sign,stamp" "kmip:manage,export")

# As in the callers file; what else is in the directory has other names.
is_caller_name() {
  [[ $1 =~ ^[a-z0-9][a-z0-9._-]{0,62}$ && ! $1 =~ ^(loopback$|(ca|server)($|\.)|callers|keywell) ]]
}

is_roles() { [[ $1, =~ ^((sign|stamp|read|operate|observe|manage|export),)+$ ]]; }

# What a certificate calls a host by: an address or a name.
host_name() {
  if [[ $1 =~ ^[0-9.]+$ || $1 =~ ^[0-9a-fA-F:]*:[0-9a-fA-F:.]*$ ]]; then
    printf 'IP:%s\n' "$1"
  elif [[ $1 =~ ^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$ ]]; then
    printf 'DNS:%s\n' "$1"
  else
    return 1
  fi
}

cmd_certs() {
  local host=() client=() revoke='' names=$CERTS_HOSTS each name
  take_arguments certs 1 "host client revoke" "$@"
  [ -n "${OPERANDS[0]-unnamed}" ] || misuse "certs: the directory has no name"
  local directory=${OPERANDS[0]:-}
  for each in ${host[@]+"${host[@]}"}; do
    name=$(host_name "$each") || misuse "certs: '$each' is no host"
    names=$names,$name
  done
  [ ${#client[@]} -gt 0 ] || client=("${CERTS_CLIENTS[@]}")
  check_clients "${client[@]}"
  if [ -n "$revoke" ]; then
    revoke_caller "${directory:-$KEYWELL_HOME/certs}" "$revoke"
  else
    make_certificates "$directory" "$names" "${client[@]}"
  fi
}

# check_clients NAME[:ROLE,...]...
check_clients() {
  local client twice
  for client in "$@"; do
    is_caller_name "${client%%:*}" ||
      misuse "certs: '${client%%:*}' is no caller's name: 1 to 63 of a-z 0-9 . _ -, the first a letter or digit"
    case $client in
      *:*) is_roles "${client#*:}" || misuse "certs: the roles of '$client' are not of sign, stamp, read, operate, observe, manage, export" ;;
    esac
  done
  twice=$(printf '%s\n' "${@%%:*}" | sort | uniq -d | head -n 1)
  [ -z "$twice" ] || misuse "certs: two clients '$twice'"
}

# make_certificates DIRECTORY HOST-NAMES NAME[:ROLE,...]...
make_certificates() {
  local directory=$1 names=$2 client
  shift 2
  [ -n "$directory" ] || { use_home; directory=$KEYWELL_HOME/certs; }
  [ ! -e "$directory" ] || [ -z "$(ls -A "$directory" 2>&1)" ] ||
    misuse "certs: $directory is there already and not empty; nothing is overwritten. Name another directory"
  need_parts openssl
  umask 077
  mkdir -p "$directory" 2>/dev/null || misuse "certs: cannot make the directory $directory"
  cd "$directory" || fail "cannot use the directory $directory"
  directory=$PWD
  chmod 700 .
  # sourced by a shell and put into locations: what would need quoting there is not taken
  case $directory in
    *[\'\"\`\$\\%\#\?]* | *$'\n'*) misuse "certs: the path $directory has characters that a location cannot have" ;;
  esac
  new_key >ca.key
  authority_certificate ca.key "Keywell development CA" >ca.crt
  new_key >server.key
  certificate ca server.key keywell serverAuth "$names" >server.crt
  printf 'callers:\n' >callers.yaml
  for client in "$@"; do
    make_client "$directory" "$client"
  done
  revocation_list ca >ca.crl || fail "openssl could not make a revocation list"
  service_settings "$directory" >keywell.env
  tell_certificates "$directory" "${1%%:*}"
}

# make_client DIRECTORY NAME[:ROLE,...]
make_client() {
  local directory=$1 name=${2%%:*} roles
  roles=${2#"$name"} roles=${roles#:}
  roles=${roles:-sign}
  new_key >"$name.key"
  certificate ca "$name.key" "$name" clientAuth >"$name.crt"
  openssl pkcs12 -export -in "$name.crt" -inkey "$name.key" -certfile ca.crt -name "$name" \
    -passout pass:keywell -out "$name.p12"
  cat >>callers.yaml <<END
  - name: $name
    certificate:
      subject: "CN=$name"
    roles: [${roles//,/, }]
    # vouches for the signers that it names, without an identity provider: for development
    identity: trusted-caller
END
  cat >"$name.env" <<END
KEYWELL_URL='https://localhost:${SERVER_PORT:-8420}'
KEYWELL_TLS_CA='$directory/ca.crt'
KEYWELL_TLS_CERT='$directory/$name.crt'
KEYWELL_TLS_KEY='$directory/$name.key'
END
}

# What ./keywell up is started with. For others than this machine: SERVER_ADDRESS=0.0.0.0, and --host NAME
# when the certificates are made.
service_settings() {
  cat <<END
# Development only: anyone with these files controls the service.
SERVER_PORT='${SERVER_PORT:-8420}'
SERVER_SSL_BUNDLE='keywell'
SERVER_SSL_CLIENTAUTH='need'
SPRING_SSL_BUNDLE_PEM_KEYWELL_RELOADONUPDATE='true'
SPRING_SSL_BUNDLE_PEM_KEYWELL_KEYSTORE_CERTIFICATE='file:$1/server.crt'
SPRING_SSL_BUNDLE_PEM_KEYWELL_KEYSTORE_PRIVATEKEY='file:$1/server.key'
SPRING_SSL_BUNDLE_PEM_KEYWELL_KEYSTORE_VERIFYKEYS='true'
SPRING_SSL_BUNDLE_PEM_KEYWELL_TRUSTSTORE_CERTIFICATE='file:$1/ca.crt'
KEYWELL_SECURITY_CALLERSFILE='$1/callers.yaml'
KEYWELL_SECURITY_REVOCATION_CRLFILE='$1/ca.crl'
KEYWELL_KMIP_BUNDLE='keywell'
END
}

# use_trial DOOR: the service started from here on opens that way in, with the files for development in the data
# directory where no setting, of whatever source, names others: the service looks.
use_trial() {
  use_home
  export "KEYWELL_$(tr '[:lower:]' '[:upper:]' <<<"$1")_ENABLED=true" KEYWELL_CHECKOUT=$ROOT
  export KEYWELL_DOORS="${KEYWELL_DOORS:+$KEYWELL_DOORS }$1"
}

use_kmip() {
  use_trial kmip
  [ -n "${KEYWELL_KMIP_BUNDLE:-}" ] || keep_development_certificates
}

# Those in the data directory, which are made if they are missing.
keep_development_certificates() {
  [ -e "$KEYWELL_HOME/certs/keywell.env" ] ||
    (make_certificates "$KEYWELL_HOME/certs" "$CERTS_HOSTS" "${CERTS_CLIENTS[@]}") >/dev/null || exit $?
}

# tell_certificates DIRECTORY CLIENT
tell_certificates() {
  local client=$2 where="$1/"
  cat <<END
Certificates for DEVELOPMENT are in $1
  The authority's key lies beside them, unprotected: never have a service trust it that others rely on.

Start the service:
  (set -a; . '${where}keywell.env'; ./keywell up)

Call it, as $client:
  curl -sS --cacert '${where}ca.crt' --cert '${where}$client.crt' --key '${where}$client.key' \\
    https://localhost:${SERVER_PORT:-8420}/sign -H 'Content-Type: application/json' \\
    -d '{"digestAlgorithm":"SHA-256","digest":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=","signer":{"commonName":"Astrid Exempel"}}'
  (set -a; . '${where}$client.env'; ./keywell sign FILE)      # status and load too

In a browser: import ${where}$client.p12 (password: keywell) as your certificate and ${where}ca.crt
as an authority, then open https://localhost:${SERVER_PORT:-8420}/console

Revoke a client, within 2 s and without a restart:
  ./keywell certs '$1' --revoke $client
END
}

# revoke_caller DIRECTORY NAME
revoke_caller() {
  local directory=$1 name=$2
  is_caller_name "$name" || misuse "certs: --revoke: '$name' is no caller's name"
  [[ -f $directory/ca.key && -f $directory/ca.crl ]] || misuse "certs: $directory has no authority of ./keywell certs"
  [ -f "$directory/$name.crt" ] || misuse "certs: there is no client '$name' in $directory"
  need_parts openssl
  umask 077
  cd "$directory" || fail "cannot use the directory $directory"
  make_scratch_directory
  revoke ca "$name.crt" 2>"$SCRATCH/revoke.log" ||
    fail "not revoked: $(grep -o 'ERROR:.*' "$SCRATCH/revoke.log" || tail -n 1 "$SCRATCH/revoke.log")"
  revocation_list ca >ca.crl.new || fail "openssl could not make a revocation list"
  mv ca.crl.new ca.crl
  say "$name is revoked: $directory/ca.crl says so, and a service that has this file reads it within 2 s"
}
