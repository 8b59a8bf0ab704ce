#!/bin/sh
# Generates a client in Python from the contract (CONTRACT) with openapi-python-client, and loads it.
set -eu
test -d venv || python3 -m venv venv
venv/bin/pip install --quiet openapi-python-client==0.29.1 ruff
PATH="$PWD/venv/bin:$PATH" venv/bin/openapi-python-client generate --path "$CONTRACT" --output-path client --overwrite
(cd client && ../venv/bin/python -c '
from administrative_api_client.models import UpdateUserSchema
assert UpdateUserSchema(name="Ada").to_dict() == {"name": "Ada"}')
