#!/bin/sh
# Installs Debian's Chromium for the tests of the site where there is none and it can be installed. Without it those
# tests are skipped.
set -eu
if [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v google-chrome >/dev/null; then exit 0; fi
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium >/dev/null && exit 0
fi
echo 'No Chromium, and none can be installed here: the tests that need a browser are skipped.' >&2
