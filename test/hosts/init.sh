#!/bin/bash
# The first process of a host: creates its file system, starts the SSH server, and ends with its standard input. It is
# started in its own namespaces, and everything in them ends with it. STATE contains the changes: upper survives a
# reboot, and run and tmp are empty after it.
#
#   init.sh NAME LOWER STATE
set -euo pipefail
readonly name=$1 lower=$2 state=$3

mount --make-rprivate /
cd "$state"
rm -rf work run tmp
mkdir -p upper work root run tmp
chmod 1777 tmp
# Relative paths, because the names of tests in absolute ones may contain commas.
mount -t overlay overlay -o "lowerdir=$lower,upperdir=upper,workdir=work" root
cd root
mount -t proc proc proc
mount -t devtmpfs dev dev
mount -t devpts devpts dev/pts
mount --bind "$state/run" run
mount --bind "$state/tmp" tmp
mkdir -p mnt run/sshd
hostname "$name"
pivot_root . mnt
umount -l /mnt
/usr/sbin/sshd -f /etc/ssh/test_config -E /var/log/sshd.log
exec 2>&1
echo ready
# In the foreground, so that this shell collects orphans.
cat
