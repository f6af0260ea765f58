#!/bin/sh
# enter.sh LOWER STATE AGENT DEVICES COMMAND... runs the command in a separate root: a pristine root with the machine's
# changes on top, the agent, proc, and block devices without a driver. The machine has a name and one address.
set -e
lower=$1 state=$2 agent=$3 devices=$4
shift 4
mkdir -p "$state/upper" "$state/work" "$state/root"
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$state/upper,workdir=$state/work" "$state/root"
mount -t proc proc "$state/root/proc"
mount -t tmpfs tmpfs "$state/root/dev"
mkdir -p "$state/root/run/systemd/system"
touch "$state/root/usr/local/sbin/machineadm"
mount --bind "$agent" "$state/root/usr/local/sbin/machineadm"
cd "$state/root/dev"
mknod null c 1 3
mknod zero c 1 5
mknod urandom c 1 9
chmod 666 null zero urandom
for device in $devices; do
  mkdir -p "$state/root${device%/*}"
  mknod "$state/root$device" b 240 0
done
hostname node-1
chroot "$state/root" ip address add 192.0.2.10/32 dev lo
exec env -i PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin chroot "$state/root" "$@"
