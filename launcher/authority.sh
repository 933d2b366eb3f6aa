# shellcheck shell=bash
# Keys and certificates for development, by openssl: for Compose's secrets and for ./keywell certs.

new_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256; }

# authority_certificate KEY COMMON-NAME
authority_certificate() {
  openssl req -x509 -new -key "$1" -sha256 -days 365 -subj "/CN=$2" \
    -addext "basicConstraints=critical,CA:TRUE,pathlen:0" \
    -addext "keyUsage=critical,keyCertSign,cRLSign"
}

# certificate AUTHORITY KEY COMMON-NAME USAGE [SUBJECT-ALTERNATIVE-NAMES]
certificate() {
  local authority=$1 key=$2 name=$3 usage=$4 names=${5:-}
  openssl req -new -key "$key" -subj "/CN=$name" |
    openssl x509 -req -CA "$authority.crt" -CAkey "$authority.key" -sha256 -days 365 \
      -set_serial "0x01$(openssl rand -hex 15)" -extfile <(
        printf 'basicConstraints=critical,CA:FALSE\n'
        printf 'keyUsage=critical,digitalSignature\n'
        printf 'extendedKeyUsage=%s\n' "$usage"
        printf 'subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n'
        [ -z "$names" ] || printf 'subjectAltName=%s\n' "$names"
      ) 2>/dev/null
}

# revocation_list AUTHORITY: what it has revoked by now. openssl keeps account of that in files beside it.
revocation_list() {
  account_of "$1"
  openssl ca -config "$1.account/openssl.cnf" -gencrl -crldays 365 2>/dev/null
}

# revoke AUTHORITY CERTIFICATE
revoke() {
  account_of "$1"
  openssl ca -config "$1.account/openssl.cnf" -revoke "$2"
}

account_of() {
  [ ! -d "$1.account" ] || return 0
  mkdir "$1.account"
  : >"$1.account/index"
  cat >"$1.account/openssl.cnf" <<END
[ca]
default_ca = this
[this]
database = $1.account/index
certificate = $1.crt
private_key = $1.key
default_md = sha256
END
}
