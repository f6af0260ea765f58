#!/bin/bash
# Boots a virtual machine, without hardware virtualisation, and waits until it powers itself off.
#
#   boot.sh ROOT STATE [ARGUMENT]...
#
# ROOT is read only, and has a kernel and an initial ramdisk in boot/. STATE holds upper/, which takes what the test
# adds to the root, and may hold seed.iso, a disk; config.ign, which Ignition finds; and forwards, whose lines "PORT
# ADDRESS" are what the machine's network consists of: 10.0.2.100:PORT leads to that ADDRESS of this machine; and
# exposed, whose lines "HERE THERE" let 127.0.0.1:HERE of this machine lead to the port THERE of the machine. Without
# both there is no network.
#
# The machine's disks are made in STATE: root.img (vda), data.img (vdb), which is empty, and report.img (vdc), on
# which the machine leaves a tar archive. Started again with the same STATE it is the machine's next boot. The
# arguments are added to the kernel's.
set -euo pipefail

if [[ ${MACHINEADM_INSIDE-} != yes ]]; then
  # The machine is killed with the test.
  MACHINEADM_INSIDE=yes exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

readonly lower=$1 state=$2
shift 2
# A machine takes all processors that there are: one boots at a time. The lock goes with the machine.
exec 8>"$(dirname "$lower")/.boot"
flock 8
mount --make-rprivate /
if [[ ! -e $state/root.img ]]; then
  mkdir -p "$state"/{upper,work,root}
  mount -t overlay overlay -o "lowerdir=$lower,upperdir=$state/upper,workdir=$state/work" "$state/root"
  truncate -s 4G "$state/root.img.new"
  mke2fs -q -t ext4 -L root -d "$state/root" "$state/root.img.new"
  mv "$state/root.img.new" "$state/root.img"
  truncate -s 6G "$state/data.img"
fi
rm -f "$state/report.img"
truncate -s 16M "$state/report.img"

disk() { echo "file=$state/$1,if=virtio,format=raw,cache=unsafe"; }
devices=(-drive "$(disk root.img)" -drive "$(disk data.img)" -drive "$(disk report.img)" -nic none)
[[ ! -e $state/seed.iso ]] || devices+=(-drive "$(disk seed.iso),readonly=on")
[[ ! -e $state/config.ign ]] || devices+=(-fw_cfg "name=opt/com.coreos/config,file=$state/config.ign")
if [[ -e $state/forwards || -e $state/exposed ]]; then
  network=user,id=net,restrict=on,ipv6=off
  touch "$state"/{forwards,exposed}
  while read -r port address; do
    network+=",guestfwd=tcp:10.0.2.100:$port-cmd:socat - TCP4:$address"
  done <"$state/forwards"
  while read -r here there; do
    network+=",hostfwd=tcp:127.0.0.1:$here-:$there"
  done <"$state/exposed"
  devices+=(-netdev "$network" -device "virtio-net-pci,netdev=net")
fi
kernel=$(echo "$lower"/boot/vmlinuz-*)
initrd=$(echo "$lower"/boot/initrd.img-*)
# The time limit is for a machine that hangs; nothing depends on how long a boot takes.
timeout --kill-after=10 1500 qemu-system-x86_64 -accel tcg,thread=multi -cpu qemu64 -machine pc -smp 2 -m 2048 -display none -no-reboot \
  -monitor none -device virtio-rng-pci -serial "file:$state/console" "${devices[@]}" -kernel "$kernel" -initrd "$initrd" \
  -append "root=/dev/vda rw console=ttyS0 panic=-1 mitigations=off no_timer_check net.ifnames=0 quiet systemd.show_status=false systemd.log_color=0 $*" </dev/null >"$state/qemu" 2>&1
