#!/bin/sh
# The real server, from its npm package, with a PostgreSQL of its own.
exec node site/implementations/unleash.mjs 8.2.0
