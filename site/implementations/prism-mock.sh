#!/bin/sh
# Starts the mock on a free port, judges it, and stops it. A mock knows no users: every id is one to it.
set -u
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
log=$(mktemp)
node node_modules/@stoplight/prism-cli/dist/index.js mock openapi.yaml --port "$port" >"$log" &
server=$!
trap 'kill $server; rm -f "$log" build/prism-mock.journal' EXIT
until grep -q 'Prism is listening' "$log" || ! kill -0 $server; do sleep 0.1; done

export CONFORMANCE_ADMIN_KEY=admin-Key-A1 CONFORMANCE_RESTRICTED_KEY=restricted-Key-B2
export CONFORMANCE_USER_ID=4 CONFORMANCE_OTHER_USER_ID=5 CONFORMANCE_MISSING_USER_ID=404404
export CONFORMANCE_ROLE_IDS=1,2 CONFORMANCE_BANNER_IDS=1,2
node dist/cli/main.js run "http://127.0.0.1:$port" --journal build/prism-mock.journal --report json="$RESULT"
