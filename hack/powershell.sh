#!/usr/bin/env bash
# Checks the syntax of PowerShell scripts.
#
#   hack/powershell.sh FILE...
#   hack/powershell.sh --tree FILE...
#   hack/powershell.sh --outline FILE...
#
# Prints one line per error; without errors it prints nothing and exits with 0.
# With --tree it prints the syntax tree of each script as well, and with --outline
# its commands, parameters and conditions. tools/powershell has the version of the
# grammar; npm installs it outside the tree, in a directory named after the digest
# of the lock file.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly tools=$PWD/tools/powershell
readonly cache=${MACHINEADM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/machineadm}

say() { echo "powershell.sh: $*" >&2; }

# grammar prints the directory that holds node_modules.
grammar() {
  local key target
  key=$(cat "$tools/package.json" "$tools/package-lock.json" | sha256sum | cut -c1-12)
  target=$cache/powershell/$key
  if [[ ! -d $target ]]; then
    mkdir -p "$cache/powershell"
    # Several tests may want it at the same moment; the second waits.
    (
      flock 9
      [[ -d $target ]] || fetch "$target"
    ) 9>"$cache/powershell/.lock"
  fi
  echo "$target"
}

# fetch TARGET: a half-fetched grammar must never carry the final name. No
# script of a package is run.
fetch() {
  local work
  work=$(mktemp -d "$cache/powershell/.fetch.XXXXXX")
  say 'fetching the grammar'
  cp "$tools/package.json" "$tools/package-lock.json" "$work"
  if ! (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2); then
    rm -rf "$work"
    return 1
  fi
  chmod 755 "$work"
  mv "$work" "$1"
}

main() {
  if [[ $# -eq 0 ]]; then
    say 'usage: hack/powershell.sh [--tree | --outline] FILE...'
    return 2
  fi
  local -a options=() files=()
  if [[ $1 == --tree || $1 == --outline ]]; then
    options=("$1")
    shift
  fi
  mapfile -t files < <(cd "$OLDPWD" && realpath -- "$@")
  command -v node >/dev/null || hack/packages.sh nodejs >&2
  command -v npm >/dev/null || hack/packages.sh npm >&2
  local directory
  directory=$(grammar)
  cd "$directory"
  # V8's optimizing compiler needs far longer for the grammar than the grammar
  # needs for all scripts.
  exec node --liftoff-only "$tools/check.mjs" "${options[@]}" "${files[@]}"
}

main "$@"
