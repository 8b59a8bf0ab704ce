#!/bin/sh
# Starts the server, waits until it accepts connections, judges it, and stops it. The exit code is that of the suite.
set -eu
cd "$(dirname "$0")"

PORT=${PORT:-4242}
base_url="http://127.0.0.1:$PORT"
export PORT

# Start your server here instead. Start the program itself: `kill` does not reach what a wrapper such as `go run` or
# `npm start` starts, and the next run would judge the old server.
node ../server.mjs >server.log &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT

# On a CI service, take the keys from its secrets.
export CONFORMANCE_ADMIN_KEY="${CONFORMANCE_ADMIN_KEY:-example-admin-key}"
export CONFORMANCE_RESTRICTED_KEY="${CONFORMANCE_RESTRICTED_KEY:-example-restricted-key}"
export CONFORMANCE_USER_ID="${CONFORMANCE_USER_ID-4}"
export CONFORMANCE_OTHER_USER_ID=5
export CONFORMANCE_MISSING_USER_ID=404404
export CONFORMANCE_ROLE_IDS=1,2
export CONFORMANCE_BANNER_IDS=1

mkdir -p reports
code=0
npx admin-api-conformance run "$base_url" --wait 30 \
  --report junit=reports/junit.xml \
  --report markdown=reports/summary.md \
  --report json=reports/result.json || code=$?

case $code in
  0) echo 'conformance: passed' ;;
  1) echo 'conformance: failed; every failure above has a curl line that reproduces it' ;;
  2) echo 'conformance: usage error; see the line above' ;;
  3) echo 'conformance: inconclusive; the report says what to set' ;;
  *) echo "conformance: no verdict (exit code $code)" ;;
esac
exit "$code"
