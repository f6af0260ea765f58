#!/usr/bin/env bash
# Prints two lines: the packages of which the go command may cache the results of tests, and the other packages with
# tests. The tests of the first ones start no programs. The go command knows the source, the files and the environment
# variables that such a test reads. It does not know what a program reads, which a test starts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A package is one of this module, or one of it compiled for a test, such as "a [a.test]".
module=$(go list -m)
readonly module

go list -test -f $'{{.ImportPath}}\t{{join .Imports "\t"}}\t;\t{{join .Deps "\t"}}' ./... |
  awk -F '\t' -v module="$module" '
    index($1, module) == 1 {
      for (i = 2; $i != ";"; i++) if ($i == "os/exec") starts[$1]
    }
    $1 ~ /\.test$/ { tests[$1] = $0 }
    END {
      for (name in tests) {
        n = split(tests[name], fields, "\t")
        found = "cacheable"
        for (i = 2; i <= n; i++) if (fields[i] in starts) found = "other"
        sub(/\.test$/, "", name)
        print found, name
      }
    }' | sort | awk '
    { names[$1] = names[$1] " " $2 }
    END { print names["cacheable"]; print names["other"] }'
