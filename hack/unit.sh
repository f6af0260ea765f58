#!/usr/bin/env bash
# Prints the packages with tests that need neither servers nor root, and build no programs. A test that imports one of
# the packages below needs servers or root. In a package with both kinds of tests, the files of these tests, and of tests
# that build programs, have the constraint !unit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly needs='/test/(controlplane|debian|hsm|localuser|s3server|vm)$'

go list -tags unit -test -f '{{.ImportPath}} {{join .Deps " "}}' ./... | awk -v needs="$needs" '
  $1 !~ /\.test$/ { next }
  { for (i = 2; i <= NF; i++) if ($i ~ needs) next; sub(/\.test$/, "", $1); print $1 }'
