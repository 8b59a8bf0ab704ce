#!/bin/sh
# Judges the embedded reference server, which the suite starts on a free port.
set -u
node dist/cli/main.js run --reference --report json="$RESULT"
