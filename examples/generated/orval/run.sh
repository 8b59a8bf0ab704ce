#!/bin/sh
# Generates the schemas from the contract (CONTRACT), and starts the server on 127.0.0.1, at PORT or 4242.
set -eu
cd "$(dirname "$0")"
npm install --silent --ignore-scripts
npx orval --input "$CONTRACT" --output api.js --client zod
exec node server.js
