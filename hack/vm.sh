#!/usr/bin/env bash
# Makes the pristine Debian 12 root that virtual machines boot, and prints its path. Its kernel and initial ramdisk are in
# root/boot. The ramdisk holds real Ignition, which runs if the kernel has the argument ignition.firstboot=1.
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
# What a cloud image has, the tools of Ignition's disks stage, and a container runtime.
readonly packages=systemd,systemd-sysv,dbus,passwd,kmod,udev,iproute2,ca-certificates,sudo,cloud-init,netbase,gdisk,fdisk,parted,e2fsprogs,xfsprogs,dosfstools,btrfs-progs,procps,linux-image-cloud-amd64,dracut,dracut-network,ignition,containerd,curl,iptables

say() { echo "vm.sh: $*" >&2; }

# mirror prints where this machine gets its own packages: it is the one that this machine is configured with.
mirror() {
  cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
    awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) { print $i; exit } }'
}

# ramdisk ROOT rebuilds the initial ramdisk with the newest engine in place of the distribution's.
ramdisk() {
  local root=$1 version
  install -m 755 "$engine" "$root/usr/lib/dracut/modules.d/30ignition/ignition"
  version=$(ls "$root/lib/modules")
  # The ramdisk is for any machine, not for this one.
  # shellcheck disable=SC2016 # the inner shell expands its arguments
  unshare --mount sh -euc '
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --rbind /sys "$1/sys"
    mount --rbind /dev "$1/dev"
    exec chroot "$1" dracut --quiet --force --no-hostonly --no-hostonly-cmdline --add ignition \
      --add-drivers "virtio_blk virtio_net virtio_pci qemu_fw_cfg ext4" --kver "$2" "/boot/initrd.img-$2"
  ' sh "$root" "$version" >&2
}

# build TARGET: half a root must never carry the final name.
build() {
  local target=$1 began=$SECONDS
  "$repo/hack/packages.sh" mmdebstrap debian-archive-keyring >&2
  rm -rf "$target.new"
  say 'building the root of virtual machines'
  mmdebstrap --quiet --mode=root --variant=minbase --include="$packages" bookworm "$target.new" \
    "deb [signed-by=$keyring] $(mirror) bookworm main" >&2
  ramdisk "$target.new"
  mv "$target.new" "$target"
  say "built the root of virtual machines in $((SECONDS - began)) s"
}

engine=$("$repo/hack/tool.sh" ignition)
readonly engine
key=$( (
  cat "$repo/hack/vm.sh"
  echo "$engine"
) | sha256sum | cut -c1-12)
target=$cache/vm/$key/root
mkdir -p "$(dirname "$target")"
(
  flock 9
  [[ -d $target ]] || build "$target"
) 9>"$cache/vm/.lock"
echo "$target"
