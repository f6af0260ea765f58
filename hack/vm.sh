#!/usr/bin/env bash
# Makes the pristine Debian 12 root that virtual machines boot, and prints its path. Its kernel and initial ramdisk are root/boot.
#
#   hack/vm.sh
#
# Partitions and file systems need real disks and a real udev, which no namespace has. The release is fixed: the kernel of the
# next one does not come up without hardware virtualisation.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly repo=$PWD
readonly cache=${MACHINEADM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/machineadm}
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# What a cloud image has, and the tools of Ignition's disks stage.
readonly packages=systemd,systemd-sysv,dbus,passwd,kmod,udev,iproute2,ca-certificates,sudo,cloud-init,netbase,gdisk,fdisk,parted,e2fsprogs,xfsprogs,dosfstools,btrfs-progs,procps,initramfs-tools,linux-image-cloud-amd64

say() { echo "vm.sh: $*" >&2; }

# mirror prints where this machine gets its own packages: whoever runs the tests has chosen that already.
mirror() {
  cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
    awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) { print $i; exit } }'
}

# build TARGET: half a root must never carry the final name.
build() {
  local target=$1 began=$SECONDS
  "$repo/hack/packages.sh" mmdebstrap debian-archive-keyring >&2
  rm -rf "$target.new"
  say 'building the root of virtual machines'
  mmdebstrap --quiet --mode=root --variant=minbase --include="$packages" bookworm "$target.new" \
    "deb [signed-by=$keyring] $(mirror) bookworm main" >&2
  mv "$target.new" "$target"
  say "built the root of virtual machines in $((SECONDS - began)) s"
}

key=$(sha256sum <"$repo/hack/vm.sh" | cut -c1-12)
target=$cache/vm/$key/root
mkdir -p "$(dirname "$target")"
(
  flock 9
  [[ -d $target ]] || build "$target"
) 9>"$cache/vm/.lock"
echo "$target"
