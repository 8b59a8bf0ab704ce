#!/bin/sh
# Starts the server on 127.0.0.1, at PORT or 4242.
set -eu
cd "$(dirname "$0")"
mvn --quiet --batch-mode package
exec java -jar target/server.jar --server.address=127.0.0.1 --server.port="${PORT:-4242}"
