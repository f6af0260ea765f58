#!/bin/bash
# Boots a root once: the four stages of its own cloud-init, in namespaces of
# their own, on top of an overlay.
#
#   boot.sh ROOT STATE [COMMAND]
#
# ROOT is read only. STATE holds upper/, which takes every change and so is
# what one looks at afterwards, and work/ and root/, which are for the mounts.
# Started again with the same STATE it is the machine's next boot: /run is
# empty then, and the rest is as it was left. COMMAND, for the shell, is run
# instead of the stages. MACHINEADM_ENVIRONMENT has NAME=VALUE for the machine's
# environment, as a setting of systemd would. The exit code is that of COMMAND, or shows whether the
# machine could be started.
set -euo pipefail

if [[ ${MACHINEADM_INSIDE-} != yes ]]; then
  # A machine that fetches shares the network with the test that serves.
  net=--net
  [[ ${MACHINEADM_NETWORK-} == shared ]] && net=--mount
  MACHINEADM_INSIDE=yes exec setsid -w unshare --mount --pid --uts --ipc "$net" --cgroup --fork --kill-child "$0" "$@"
fi

readonly lower=$1 state=$2 root=$2/root
readonly stages='
python3 - </run/stages.py
rm -rf /var/log/run
mkdir /var/log/run
cp -r /run/cluster-api /var/log/run/ 2>/dev/null
cat /proc/self/mounts >/var/log/run/mounts'

mount --make-rprivate /
mkdir -p "$state"/{upper,work,root}
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$state/upper,workdir=$state/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t devtmpfs devtmpfs "$root/dev"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mkdir -p "$root/run/systemd" "$root/run/cloud-init"
cp "$(dirname "$0")/stages.py" "$root/run/"
[[ ${MACHINEADM_NETWORK-} == shared ]] || ip link set lo up
echo "root=overlay ds=nocloud" >"$root/run/cmdline"
mount --bind "$root/run/cmdline" "$root/proc/cmdline"

# shellcheck disable=SC2086 # MACHINEADM_ENVIRONMENT has several assignments
exec chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  ${MACHINEADM_ENVIRONMENT-} bash -c "${3-$stages}" >"$state/log" 2>&1 </dev/null
