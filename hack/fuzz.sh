#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other; or those whose folder or name matches PATTERN.
#
#   hack/fuzz.sh DURATION [PATTERN]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

duration=${1:?a duration such as 20s}
pattern=${2:-.}
targets=$(git grep -oE '^func Fuzz[A-Za-z0-9_]*' -- '*_test.go' | sed 's/:func /:/')
while IFS=: read -r file target; do
  echo "== $(dirname "$file") $target"
  # One worker, and few tries to shorten what is new: an input of a megabyte would eat the whole time.
  go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" -parallel 1 -fuzzminimizetime 20x "./$(dirname "$file")"
done < <(grep -E "$pattern" <<<"$targets")
