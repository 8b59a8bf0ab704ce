#!/bin/sh
# Starts the server on 127.0.0.1, at PORT or 4242.
set -eu
cd "$(dirname "$0")"
cargo build --quiet --locked
exec target/debug/server
