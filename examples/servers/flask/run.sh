#!/bin/sh
# Starts the server on 127.0.0.1, at PORT or 4242.
set -eu
cd "$(dirname "$0")"
[ -d .venv ] || python3 -m venv .venv
.venv/bin/pip install --quiet --requirement requirements.txt
exec .venv/bin/gunicorn --threads 8 --bind "127.0.0.1:${PORT:-4242}" server:app
