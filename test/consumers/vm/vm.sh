#!/bin/bash
# Boots a virtual machine, without hardware virtualisation, and waits until it powers itself off.
#
#   vm.sh ROOT STATE [ARGUMENT]...
#
# ROOT is read only, and has a kernel and an initial ramdisk in boot/. STATE holds upper/, which takes what the test adds to the
# root, and may hold seed.iso; the machine's disks are made in it: root.img (vda), data.img (vdb), which is empty, and report.img
# (vdc), on which the machine leaves a tar archive. Started again with the same STATE it is the machine's next boot. The
# arguments are added to the kernel's.
set -euo pipefail

if [[ ${MACHINEADM_INSIDE-} != yes ]]; then
  # Whoever kills the test kills the machine.
  MACHINEADM_INSIDE=yes exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

readonly lower=$1 state=$2
shift 2
mount --make-rprivate /
if [[ ! -e $state/root.img ]]; then
  mkdir -p "$state"/{upper,work,root}
  mount -t overlay overlay -o "lowerdir=$lower,upperdir=$state/upper,workdir=$state/work" "$state/root"
  truncate -s 1500M "$state/root.img.new"
  mke2fs -q -t ext4 -L root -d "$state/root" "$state/root.img.new"
  mv "$state/root.img.new" "$state/root.img"
  truncate -s 6G "$state/data.img"
fi
rm -f "$state/report.img"
truncate -s 16M "$state/report.img"

disk() { echo "file=$state/$1,if=virtio,format=raw,cache=unsafe"; }
drives=(-drive "$(disk root.img)" -drive "$(disk data.img)" -drive "$(disk report.img)")
[[ ! -e $state/seed.iso ]] || drives+=(-drive "$(disk seed.iso),readonly=on")
kernel=$(echo "$lower"/boot/vmlinuz-*)
initrd=$(echo "$lower"/boot/initrd.img-*)
# The time limit is for a machine that hangs; nothing depends on how long a boot takes.
timeout --kill-after=10 1500 qemu-system-x86_64 -accel tcg,thread=multi -cpu qemu64 -machine pc -smp 2 -m 1024 -display none -no-reboot \
  -monitor none -nic none -serial "file:$state/console" "${drives[@]}" -kernel "$kernel" -initrd "$initrd" \
  -append "root=/dev/vda rw console=ttyS0 panic=-1 mitigations=off no_timer_check net.ifnames=0 quiet systemd.show_status=false systemd.log_color=0 $*" </dev/null >"$state/qemu" 2>&1
