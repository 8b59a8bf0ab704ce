#!/bin/sh
# Starts the server on 127.0.0.1, at PORT or 4242.
set -eu
cd "$(dirname "$0")"
[ -d node_modules ] || npm install --silent
npm run --silent build
exec node dist/server.js
