#!/usr/bin/env bash
# The image's health check: asks for readiness with bash alone, as the image has no HTTP client.
set -euo pipefail
port=${MANAGEMENT_SERVER_PORT:-8421}
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /actuator/health/readiness HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r -t 4 _ status _ <&3
[ "$status" = 200 ]
