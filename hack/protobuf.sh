#!/usr/bin/env bash
# Regenerates the Go code of the plugin protocol: protoc comes from Debian, its two generators from go.tool.mod.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

hack/packages.sh protobuf-compiler
readonly generators=$PWD/bin/protobuf
mkdir -p "$generators"
go build -modfile=go.tool.mod -o "$generators/" google.golang.org/protobuf/cmd/protoc-gen-go google.golang.org/grpc/cmd/protoc-gen-go-grpc

readonly folder=adapters/pluginhost/proto
PATH=$generators:$PATH protoc -I "$folder" \
  --go_out="$folder" --go_opt=paths=source_relative \
  --go-grpc_out="$folder" --go-grpc_opt=paths=source_relative \
  v1/plugin.proto
