#!/bin/sh
# Generates a server in Go from the contract (CONTRACT) with oapi-codegen, and compiles it.
set -eu
test -f go.mod || go mod init api
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 \
  -generate types,std-http-server,strict-server -package api -o api.go "$CONTRACT"
go mod tidy
go build .
