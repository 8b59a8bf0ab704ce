#!/bin/sh
# Starts the server on a free port, judges it, and stops it.
set -u
log=$(mktemp)
python3 proof/independent/server.py --port 0 --admin-key admin-Key-A1 --restricted-key restricted-Key-B2 >"$log" &
server=$!
trap 'kill $server; rm -f "$log"' EXIT
until grep -q listening "$log" || ! kill -0 $server; do sleep 0.1; done

export CONFORMANCE_ADMIN_KEY=admin-Key-A1 CONFORMANCE_RESTRICTED_KEY=restricted-Key-B2
export CONFORMANCE_USER_ID=1 CONFORMANCE_OTHER_USER_ID=2 CONFORMANCE_MISSING_USER_ID=999
export CONFORMANCE_ROLE_IDS=1,2 CONFORMANCE_BANNER_IDS=1,2,3
node dist/cli/main.js run "$(sed 's/^listening //' "$log")" --report json="$RESULT"
