#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other.
#
#   hack/fuzz.sh DURATION
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

duration=${1:?a duration such as 20s}
targets=$(git grep -oE '^func Fuzz[A-Za-z0-9_]*' -- '*_test.go' | sed 's/:func /:/')
while IFS=: read -r file target; do
  echo "== $(dirname "$file") $target"
  go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" "./$(dirname "$file")"
done <<<"$targets"
