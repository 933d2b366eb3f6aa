#!/usr/bin/env bash
# The image's health check: whether the service is ready, or, with the argument "liveness", alive.
# Also for exec probes of an orchestrator.
#
# The management port speaks plain HTTP on loopback by default. With TLS it asks for a certificate,
# as the service itself does: KEYWELL_TLS_CA, KEYWELL_TLS_CERT and KEYWELL_TLS_KEY name PEM files, as
# for the client. Where the service asks callers on this machine for a token, it is shown.
set -euo pipefail
port=${MANAGEMENT_SERVER_PORT:-8421}
token=
if [ -n "${KEYWELL_SECURITY_LOCALTOKENFILE:-}" ]; then
  token="Authorization: Bearer $(cat "$KEYWELL_SECURITY_LOCALTOKENFILE")\r\n"
fi
request="GET /actuator/health/${1:-readiness} HTTP/1.0\r\nHost: localhost\r\n$token\r\n"

if [ -n "${KEYWELL_TLS_CERT:-}" ]; then
  answer=$(printf '%b' "$request" |
    timeout 4 openssl s_client -quiet -verify_quiet -verify_return_error -verify_hostname localhost \
      -connect "127.0.0.1:$port" -CAfile "$KEYWELL_TLS_CA" \
      -cert "$KEYWELL_TLS_CERT" -key "$KEYWELL_TLS_KEY" 2>/dev/null) || true
else
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  printf '%b' "$request" >&3
  answer=$(timeout 4 cat <&3) || true
fi
read -r _ status _ <<<"$answer"
[ "$status" = 200 ]
