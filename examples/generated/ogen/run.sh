#!/bin/sh
# Generates the server from the contract (CONTRACT), and starts it on 127.0.0.1, at PORT or 4242.
set -eu
cd "$(dirname "$0")"
go run github.com/ogen-go/ogen/cmd/ogen@v1.25.0 --target api --package api --clean "$CONTRACT"
go mod tidy
go build -o server .
exec ./server
