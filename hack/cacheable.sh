#!/usr/bin/env bash
# Prints the packages of which the go command may cache the results of tests: those with tests that start no programs.
# The go command knows the source, the files and the environment variables that such a test reads. It does not know what
# a program reads, which a test starts. With --others it prints the other packages with tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A package is one of this module, or one of it compiled for a test, such as "a [a.test]".
module=$(go list -m)
readonly module others=${1:-}

go list -test -f $'{{.ImportPath}}\t{{join .Imports "\t"}}\t;\t{{join .Deps "\t"}}' ./... |
  awk -F '\t' -v module="$module" -v others="$others" '
    index($1, module) == 1 {
      for (i = 2; $i != ";"; i++) if ($i == "os/exec") starts[$1]
    }
    $1 ~ /\.test$/ { tests[$1] = $0 }
    END {
      for (name in tests) {
        n = split(tests[name], fields, "\t")
        found = ""
        for (i = 2; i <= n; i++) if (fields[i] in starts) found = "--others"
        if (found == others) { sub(/\.test$/, "", name); print name }
      }
    }' | sort
