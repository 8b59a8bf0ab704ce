#!/bin/sh
# Generates Pydantic models from the contract (CONTRACT) with datamodel-code-generator, and loads them.
set -eu
test -d venv || python3 -m venv venv
venv/bin/pip install --quiet datamodel-code-generator==0.89.0 pydantic
venv/bin/datamodel-codegen --input "$CONTRACT" --input-file-type openapi \
  --output-model-type pydantic_v2.BaseModel --output api.py
venv/bin/python -c 'from api import UpdateUserSchema; assert UpdateUserSchema(name="Ada").model_fields_set == {"name"}'
