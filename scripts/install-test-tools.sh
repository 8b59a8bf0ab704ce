#!/bin/sh
# Installs what some tests need beside Node, where it is missing and can be installed (Debian, as root): a Chromium for the site
# and the HTML report, xmllint for JUnit. What is missing all the same skips its tests, and they say so.
set -eu

has_chromium() { [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v google-chrome >/dev/null; }
has_xmllint() { command -v xmllint >/dev/null; }

missing=''
has_chromium || missing="$missing chromium"
has_xmllint || missing="$missing libxml2-utils"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  # shellcheck disable=SC2086 # one word for each package
  apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing >/dev/null && exit 0
fi
echo "Not installed, and not to be installed here:$missing. The tests that need it are skipped." >&2
