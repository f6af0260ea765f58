#!/usr/bin/env bash
# Builds the disk image of a near-stock machine and prints its path: the partitions, the boot loader's first boot, the
# read-only /usr, the paths and the os-release of Flatcar or Fedora CoreOS, with Debian's kernel and programs and with
# real Ignition. docs/evidence/stock.md lists what differs from the real images.
#
#   hack/stock.sh flatcar|fedora-coreos|debian|minimal
#
# The system "debian" is Debian with cloud-init. The system "minimal" boots in seconds: it is a kernel with BusyBox that
# runs the data of a NoCloud seed.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly repo=$PWD system=${1-}
readonly cache=${MACHINEADM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/machineadm}
readonly grub=/usr/lib/grub/i386-pc
# The partitions, in sectors of 512 bytes. The order is Flatcar's.
readonly boot_start=4096 boot_size=262144 loader_start=266240 loader_size=4096
readonly usr_start=270336 usr_size=1048576 root_start=1318912 root_size=6291456

say() { echo "stock.sh: $*" >&2; }

# merge_root LOWER WORK: the root at WORK/root is LOWER with the changes of this script. It ends with the mount
# namespace.
merge_root() {
  mount --make-rprivate /
  # The layer must not be on an overlay.
  mount -t tmpfs tmpfs "$2"
  mkdir "$2"/{root,upper,work}
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
}

# write_usr ROOT: what is in /usr of the real image, and not in Debian's.
write_usr() {
  local root=$1
  rm -rf "$root"/usr/share/{doc,man,locale}
  [[ $system != debian ]] || return 0
  cp -r "$repo/hack/stock/$system/usr" "$root"
  ln -sf ../usr/lib/os-release "$root/etc/os-release"
  rm -rf "$root"/usr/lib/systemd/system-generators/cloud-init-generator "$root/etc/cloud"
  # kubeadm looks for the configuration of the kernel here, as on Fedora CoreOS. Flatcar has it in /proc.
  cp "$root"/boot/config-* "$(echo "$root"/usr/lib/modules/*)/config"
  # Units that are enabled in the image are enabled in /usr; the presets of the first boot decide about all others.
  find "$root/etc/systemd/system" -type l -delete
}

# write_root ROOT: the writable file systems. Both systems create them at the first boot.
write_root() {
  local root=$1 link
  echo uninitialized >"$root/etc/machine-id"
  : >"$root/etc/fstab"
  printf '%s\n' '\S \n \l' >"$root/etc/issue"
  rm -rf "$root"/var/{cache,log}/* "$root"/var/lib/{apt,cloud}/* "$root/etc/hostname"
  # The test's network has no DNS server.
  echo 'nameserver 127.0.0.1' >"$root/etc/resolv.conf"
  if [[ $system == fedora-coreos ]]; then
    for link in home srv mnt opt root:roothome; do
      mkdir -p "$root/var/${link#*:}"
      rm -rf "${root:?}/${link%:*}"
      ln -s "var/${link#*:}" "$root/${link%:*}"
    done
    chmod 700 "$root/var/roothome"
    rm -rf "${root:?}/usr/local"
    mkdir "$root/var/usrlocal"
    ln -s ../var/usrlocal "$root/usr/local"
  fi
}

# sector FILE OFFSET NUMBER BYTES writes a number in little-endian order.
sector() {
  local value=$3 i
  for ((i = 0; i < $4; i++)); do
    printf '%b' "$(printf '\\x%02x' $((value & 255)))"
    value=$((value >> 8))
  done | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# write_loader IMAGE WORK installs GRUB: the first sector of the disk loads the partition BIOS-BOOT.
write_loader() {
  local image=$1 core=$2/core.img first=$2/boot.img
  grub-mkimage --format i386-pc --directory "$grub" --output "$core" --prefix '(hd0,gpt1)/grub' \
    biosdisk part_gpt ext2 normal linux test echo serial terminal
  sector "$core" 500 $((loader_start + 1)) 8
  head -c 440 "$grub/boot.img" >"$first"
  sector "$first" 92 "$loader_start" 8
  dd if="$first" of="$image" conv=notrunc status=none
  dd if="$core" of="$image" seek="$loader_start" conv=notrunc status=none
}

# write_boot ROOT TREE RAMDISK: the partition of the boot loader. The file first_boot exists until Ignition has run.
write_boot() {
  mkdir -p "$2/grub"
  cp "$1"/boot/vmlinuz-* "$2/vmlinuz"
  cp "$3" "$2/initrd"
  cp "$repo/hack/stock/$system/grub.cfg" "$2/grub/grub.cfg"
  touch "$2/first_boot"
}

# write_minimal ROOT TREE: an initial ramdisk with BusyBox and the modules of the disks.
write_minimal() {
  local root=$1 tree=$2/tree version module file
  version=$(ls "$root/lib/modules")
  mkdir -p "$tree/bin" "$tree/lib/modules/$version"
  install -m 755 "$repo/hack/stock/minimal/init.sh" "$tree/init"
  # BusyBox is linked dynamically.
  for file in /bin/busybox $(ldd /bin/busybox | grep -o '/[^ ]*'); do
    install -D "$file" "$tree$file"
  done
  for module in virtio_pci virtio_blk isofs; do
    for file in $(modprobe --dirname "$root" --set-version "$version" --show-depends "$module" | sed -n 's/^insmod //p'); do
      install -D -m 644 "$file" "$tree/lib/modules/${file#*/lib/modules/}"
    done
  done
  cp "$root/lib/modules/$version"/modules.{order,builtin} "$tree/lib/modules/$version"
  depmod --basedir "$tree" "$version"
  (cd "$tree" && find . | cpio --quiet --create --format newc) >"$2/initrd.img-minimal"
}

# assemble_minimal LOWER WORK IMAGE
assemble_minimal() {
  local root=$2/root image=$3
  merge_root "$1" "$2"
  write_minimal "$root" "$2"
  write_boot "$root" "$2/boot" "$2/initrd.img-minimal"
  truncate -s $(((usr_start + 4096) * 512)) "$image"
  sfdisk --quiet "$image" <<END
label: gpt
start=$boot_start, size=$boot_size, name=boot
start=$loader_start, size=$loader_size, name=BIOS-BOOT, type=21686148-6449-6E6F-744E-656564454649
start=$usr_start, size=2048, name=state
END
  write_loader "$image" "$2"
  mke2fs -q -t ext4 -L boot -d "$2/boot" -E offset=$((boot_start * 512)) "$image" $((boot_size / 2))k
}

# assemble LOWER WORK IMAGE
assemble() {
  local root=$2/root image=$3
  merge_root "$1" "$2"
  write_usr "$root"
  write_root "$root"
  write_boot "$root" "$2/boot" "$root"/boot/initrd.img-*
  truncate -s $(((root_start + root_size + 2048) * 512)) "$image"
  sfdisk --quiet "$image" <<END
label: gpt
start=$boot_start, size=$boot_size, name=EFI-SYSTEM
start=$loader_start, size=$loader_size, name=BIOS-BOOT, type=21686148-6449-6E6F-744E-656564454649
start=$usr_start, size=$usr_size, name=USR-A
start=$root_start, size=$root_size, name=ROOT
END
  write_loader "$image" "$2"
  mke2fs -q -t ext4 -L boot -d "$2/boot" -E offset=$((boot_start * 512)) "$image" $((boot_size / 2))k
  mksquashfs "$root/usr" "$2/usr.img" -comp lz4 -no-progress -quiet >/dev/null
  [[ $(stat -c %s "$2/usr.img") -le $((usr_size * 512)) ]]
  dd if="$2/usr.img" of="$image" bs=1M seek=$((usr_start / 2048)) conv=notrunc status=none
  find "$root/usr" "$root/boot" -mindepth 1 -delete
  mke2fs -q -t ext4 -L ROOT -d "$root" -E offset=$((root_start * 512)) "$image" $((root_size / 2))k
}

# build TARGET: half an image must never carry the final name.
build() {
  local target=$1 lower work began=$SECONDS
  "$repo/hack/packages.sh" busybox cpio e2fsprogs fdisk grub-common grub-pc-bin kmod squashfs-tools >&2
  lower=$("$repo/hack/vm.sh")
  work=$(mktemp -d)
  say "building the image $system"
  unshare --mount "$repo/hack/stock.sh" "$system" "$lower" "$work" "$target.new"
  rmdir "$work"
  mv "$target.new" "$target"
  say "built the image $system in $((SECONDS - began)) s"
}

main() {
  local key target
  if [[ ! $system =~ ^(flatcar|fedora-coreos|debian|minimal)$ ]]; then
    say 'usage: hack/stock.sh flatcar|fedora-coreos|debian|minimal'
    return 2
  fi
  if [[ $# -eq 4 ]]; then
    if [[ $system == minimal ]]; then
      assemble_minimal "$2" "$3" "$4"
    else
      assemble "$2" "$3" "$4"
    fi
    return
  fi
  key=$(find hack/stock.sh hack/vm.sh hack/stock -type f | sort | xargs cat | sha256sum | cut -c1-12)
  target=$cache/stock/$key/$system.img
  mkdir -p "$(dirname "$target")"
  (
    flock 9
    [[ -e $target ]] || build "$target"
  ) 9>"$cache/stock/.lock"
  echo "$target"
}

main "$@"
