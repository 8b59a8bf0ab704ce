#!/bin/sh
# Generates servers for five frameworks from the contract (CONTRACT) with openapi-generator, and compiles those for Spring and Go.
set -eu
version=7.17.0
mvn -q dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:$version -DoutputDirectory=.
# Its own types for a oneOf hold no value in Spring, and refuse an integer in FastAPI.
role() { echo "updateUserSchema_rootRole=$1,createUserResponseSchema_rootRole=$1"; }
generate() {
  echo "$1"
  java -jar openapi-generator-cli-$version.jar generate -g "$@" -i "$CONTRACT" -o "$1" >log 2>&1 || { cat log; exit 1; }
}
generate spring --schema-mappings "$(role Object)"
generate aspnetcore --schema-mappings "$(role object)"
generate python-fastapi --schema-mappings "$(role object)"
generate go-server --git-host example.com --git-user-id example --git-repo-id api
generate rust-axum
(cd spring && mvn -q -B compile)
(cd go-server && go mod tidy && go build ./...)
