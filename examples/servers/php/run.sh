#!/bin/sh
# Starts the server on 127.0.0.1, at PORT or 4242. It needs php and its extensions pdo_sqlite and ctype.
set -eu
cd "$(dirname "$0")"
PHP_CLI_SERVER_WORKERS=8
USERS=$(mktemp)
export PHP_CLI_SERVER_WORKERS USERS
php create-users.php
exec php -S "127.0.0.1:${PORT:-4242}" server.php
