#!/bin/bash
# The first process of a node: makes the tree of the machine and stays until its standard input ends, which is when the test does.
# It is started in namespaces of its own, and everything that runs in them ends with it.
#
#   node.sh NAME LOWER STATE
#
# LOWER is read only; STATE takes all changes. The directories of the container runtime, of kubelet and of etcd lie beside the
# overlay, since containerd lays overlays of its own.
set -euo pipefail
readonly name=$1 lower=$2 state=$3

mount --make-rprivate /
mkdir -p "$state"/{upper,work,root}
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$state/upper,workdir=$state/work" "$state/root"
cd "$state/root"
for dir in containerd kubelet etcd; do
  mkdir -p "$state/$dir" "var/lib/$dir"
  chmod 700 "$state/$dir"
  mount --bind "$state/$dir" "var/lib/$dir"
done
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /sys/fs/cgroup sys/fs/cgroup
mount -t devtmpfs dev dev
mkdir -p dev/pts dev/shm
mount --bind /dev/pts dev/pts
mount -t tmpfs shm dev/shm
mount -t tmpfs -o mode=755 run run
mount -t tmpfs tmp tmp
# Programs take systemd for running: its fake answers.
mkdir -p run/systemd/system run/fake-systemd run/lock mnt
hostname "$name"
pivot_root . mnt
umount -l /mnt
exec 2>&1
echo ready
# In the foreground, so that this shell is there to collect orphans.
cat
