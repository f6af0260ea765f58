#!/usr/bin/env bash
# Makes the throw-away Debian roots in which the consumers of userdata run, and prints the path of each, one a line. They are
# pristine: a test copies the one it wants, or lays an overlay on it.
#
#   hack/roots.sh bookworm|trixie...
#
# Two releases are two generations of cloud-init and systemd: bookworm has those of 2022, trixie those of 2025.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly repo=$PWD
readonly cache=${MACHINEADM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/machineadm}
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# What a cloud image has and first boot needs. netplan is trixie's way to a network.
readonly packages=systemd,systemd-sysv,passwd,kmod,udev,iproute2,ca-certificates,sudo,cloud-init,python3-apt,netbase,gdisk,fdisk,parted,e2fsprogs,xfsprogs,chrony,ifupdown,openssh-server,procps

say() { echo "roots.sh: $*" >&2; }

# mirror prints where this machine gets its own packages: whoever runs the tests has chosen that already.
mirror() {
  cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
    awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) { print $i; exit } }'
}

# build SUITE TARGET: half a root must never carry the final name.
build() {
  local suite=$1 target=$2 began=$SECONDS extra=''
  [[ $suite == trixie ]] && extra=,netplan.io
  "$repo/hack/packages.sh" mmdebstrap debian-archive-keyring >&2
  rm -rf "$target.new"
  say "building the root $suite"
  mmdebstrap --quiet --mode=root --variant=minbase --include="$packages$extra" "$suite" "$target.new" \
    "deb [signed-by=$keyring] $(mirror) $suite main" >&2
  mv "$target.new" "$target"
  say "built the root $suite in $((SECONDS - began)) s"
}

obtain() {
  local suite=$1 key target
  case $suite in
    bookworm | trixie) ;;
    *)
      say "unknown root $suite; one of: bookworm trixie"
      return 2
      ;;
  esac
  key=$(sha256sum <"$repo/hack/roots.sh" | cut -c1-12)
  target=$cache/roots/$key/$suite
  mkdir -p "$(dirname "$target")"
  (
    flock 9
    [[ -d $target ]] || build "$suite" "$target"
  ) 9>"$cache/roots/.$suite.lock"
  echo "$target"
}

[[ $# -gt 0 ]] || {
  say 'usage: hack/roots.sh bookworm|trixie...'
  exit 2
}
for suite in "$@"; do
  obtain "$suite"
done
