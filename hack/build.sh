#!/usr/bin/env bash
# Builds programs of a release: static, and with the version.
# usage: build.sh VERSION OUT PROGRAM...; the programs are names of folders in cmd. OUT is the file of one program, or an
# existing directory. GOOS, GOARCH and GOFIPS140 apply.
set -euo pipefail

version=${1:?a version such as v0.1.0} out=$(realpath -m "${2:?the file or directory to write}")
shift 2
cd "$(dirname "$0")/.."
CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X $(go list -m)/cmd/internal/build.version=$version" -o "$out" "${@/#/./cmd/}"
