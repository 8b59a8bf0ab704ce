#!/bin/sh
# Installs what some tests need in addition to Node, if it is missing (on Debian, as root): Chromium for the site and the HTML
# report, xmllint for JUnit. Tests whose tool is still missing are skipped and say so.
set -eu

has_chromium() { [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v google-chrome >/dev/null; }
has_xmllint() { command -v xmllint >/dev/null; }

missing=''
has_chromium || missing="$missing chromium"
has_xmllint || missing="$missing libxml2-utils"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  # shellcheck disable=SC2086 # each package is a separate word
  apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing >/dev/null && exit 0
fi
echo "Missing, and cannot be installed here:$missing. The tests that need it are skipped." >&2
