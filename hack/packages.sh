#!/usr/bin/env bash
# Installs the Debian packages that a test wants, where they are missing.
#
#   hack/packages.sh NAME...
#
# Quiet and quick when everything is there, so that every caller can ask
# without looking first. Installing needs root.
set -euo pipefail

export DEBIAN_FRONTEND=noninteractive
readonly lock=/var/lock/machineadm-packages

say() { echo "packages.sh: $*" >&2; }

# missing NAME... prints those that are not installed.
missing() {
  local name
  for name in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || echo "$name"
  done
}

# apt ARGUMENT...: no questions, no services started (a test machine's chrony
# must not begin to set the clock), and dpkg's own lock waited for.
apt() {
  apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null >&2
}

# without_services COMMAND...: policy-rc.d with exit 101 makes Debian's
# maintainer scripts not start daemons. One that is already there is
# the machine owner's and stays.
without_services() {
  local policy=/usr/sbin/policy-rc.d made='' status=0
  if [[ ! -e $policy ]]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    made=yes
  fi
  "$@" || status=$?
  [[ -z $made ]] || rm -f "$policy"
  return "$status"
}

install_missing() {
  local wanted=()
  mapfile -t wanted < <(missing "$@")
  [[ ${#wanted[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    say "not root; install yourself: ${wanted[*]}"
    return 1
  fi
  say "installing ${wanted[*]}"
  # The lists may be absent (a fresh container) or too old; the second try
  # settles both without an update on every call.
  without_services apt install -y --no-install-recommends "${wanted[@]}" 2>/dev/null && return
  apt update
  without_services apt install -y --no-install-recommends "${wanted[@]}"
}

main() {
  if [[ $# -eq 0 ]]; then
    say 'usage: hack/packages.sh NAME...'
    return 2
  fi
  [[ -n $(missing "$@") ]] || return 0
  # dpkg's lock alone would let two callers remove each other's policy-rc.d.
  (
    [[ ! -w $(dirname "$lock") ]] || { exec 9>"$lock" && flock 9; }
    install_missing "$@"
  )
}

main "$@"
