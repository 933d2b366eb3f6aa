#!/usr/bin/env bash
# Makes what docker-compose.yml mounts: TLS authorities for development, certificates, PINs and
# passwords. What is there already stays as it is.
#
# There are two authorities, so that what reads health and metrics cannot even reach the other port:
#   ca              the service's certificate (server) and a caller's (client)
#   monitoring-ca   what reads health and metrics (monitor), and may do nothing else
# callers.yaml says what each may do; docs/CONFIGURATION.md, "Callers", says how.
#
# Usage: launcher/make-compose-secrets.sh [DIRECTORY]   (default: secrets, beside docker-compose.yml)
#
# Compose mounts each file as it is, with the host's owner and mode, and the containers' users are
# not the host's. So the files for containers are readable to all, and it is their directory, which
# is not mounted, that keeps others on this host away from them.
set -euo pipefail
umask 077

launcher=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=launcher/authority.sh
. "$launcher/authority.sh"

fail() { printf 'make-compose-secrets: %s\n' "$*" >&2; exit 1; }

[ $# -le 1 ] || { printf 'usage: make-compose-secrets.sh [DIRECTORY]\n' >&2; exit 2; }
command -v openssl >/dev/null || fail "openssl is missing"
directory=${1:-${launcher%/*}/secrets}
mkdir -p "$directory"
chmod 700 "$directory"
cd "$directory"

# make_new FILE COMMAND...: FILE becomes the command's output, unless there is one.
make_new() {
  local file=$1
  shift
  [ ! -s "$file" ] || return 0
  "$@" >"$file.new" || fail "could not make $directory/$file"
  mv "$file.new" "$file"
  printf 'made %s/%s\n' "$directory" "$file"
}

# Hexadecimal digits are safe in every place that a password goes.
random_secret() { openssl rand -hex 16 | tr -d '\n'; }

callers() {
  cat <<'END'
# Who may call, and what for: docs/CONFIGURATION.md, "Callers". Changes count while the service runs.
callers:
  # Signs, sees how full the pool is, and opens the console; vouches for the signers that it names.
  - name: client
    certificate: { subject: "CN=keywell-client" }
    roles: [sign, observe, operate]
    identity: trusted-caller
  # Prometheus, and the health checks.
  - name: monitor
    certificate: { subject: "CN=keywell-monitor" }
    roles: [observe]
END
}

# make_pair NAME COMMAND...: its key, and what the command makes of that.
make_pair() {
  make_new "$1.key" new_key
  make_new "$1.crt" "${@:2}"
}

make_pair ca authority_certificate ca.key "Keywell development TLS CA"
make_pair server certificate ca server.key keywell serverAuth "DNS:localhost,DNS:service,IP:127.0.0.1"
make_pair client certificate ca client.key keywell-client clientAuth
make_pair monitoring-ca authority_certificate monitoring-ca.key "Keywell development monitoring CA"
make_pair monitor certificate monitoring-ca monitor.key keywell-monitor clientAuth
make_new callers.yaml callers
for secret in database-password grafana-password hsm-pin hsm-so-pin; do
  make_new "$secret" random_secret
done

chmod 600 ca.key client.key monitoring-ca.key
chmod 644 ca.crt server.crt client.crt monitoring-ca.crt monitor.crt callers.yaml
chmod 444 server.key monitor.key database-password grafana-password hsm-pin hsm-so-pin
