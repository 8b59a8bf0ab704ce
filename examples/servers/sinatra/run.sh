#!/bin/sh
# Starts the server on 127.0.0.1, at PORT or 4242.
set -eu
cd "$(dirname "$0")"
bundle check >/dev/null || bundle install --quiet
exec bundle exec ruby server.rb
