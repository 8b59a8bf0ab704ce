#!/bin/sh
# Starts the server on 127.0.0.1, at PORT or 4242.
set -eu
cd "$(dirname "$0")"
node -e 'require.resolve("express")' 2>/dev/null || npm install --silent
exec node server.js
