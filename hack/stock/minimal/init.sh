#!/bin/busybox sh
# shellcheck shell=sh
# The first process of the minimal machine. It does what cloud-init does with a NoCloud seed: it starts the program in the
# vendor data at each boot, and the user data at the first boot.
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /run /seed /tmp
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/disk/by-id /run/cluster-api
for module in virtio_pci virtio_blk isofs; do
  modprobe "$module"
done
until [ -e /dev/vdc ]; do sleep 0.1; done
for device in /sys/block/vd*; do
  serial=$(cat "$device/serial")
  [ -z "$serial" ] || ln -s "/dev/${device##*/}" "/dev/disk/by-id/virtio-$serial"
done
hostname minimal
mount -o ro -t iso9660 /dev/disk/by-id/virtio-machineadm-seed /seed
grep -v '^#' /seed/vendor-data >/tmp/vendor-data
sh /tmp/vendor-data report &
# The first boot is recorded before the data runs, as by cloud-init.
state=/dev/vda3
if [ -z "$(dd if="$state" bs=512 count=1 2>/dev/null | tr -d '\0')" ]; then
  printf 'started' | dd of="$state" conv=notrunc,fsync 2>/dev/null
  sh /seed/user-data
fi
while true; do sleep 1000; done
