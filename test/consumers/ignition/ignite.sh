#!/bin/bash
# Has an engine of the Ignition family provision a root, and then starts the
# program that it wrote, in namespaces of their own on top of an overlay.
#
#   ignite.sh ROOT STATE KIND ENGINE CONFIG
#
# ROOT is read only. STATE holds upper/, which takes every change, log, and
# engine, which is the engine's log: an engine that fails adds the whole
# configuration, with its secrets. KIND is v3 or v2, by the flags of the engine; ENGINE is its program. The
# exit code is that of the first stage that failed, or of the program. With
# MACHINEADM_INITRAMFS only the user root can access the new root before the machine
# switches to it, as in an initramfs, where there are no other users.
set -euo pipefail

if [[ ${MACHINEADM_INSIDE-} != yes ]]; then
  MACHINEADM_INSIDE=yes exec setsid -w unshare --mount --pid --uts --ipc --cgroup --fork --kill-child "$0" "$@"
fi

readonly lower=$1 state=$2 kind=$3 engine=$4 config=$5 root=$2/root
mkdir -p "$state"/{upper,work,root,tmp,bin}
exec >"$state/log" 2>&1 </dev/null
[[ -z ${MACHINEADM_INITRAMFS-} ]] || chmod 700 "$state"

mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$state/upper,workdir=$state/work" "$root"
mount -t proc proc /proc
hostname node-1

# The distribution's engine relabels; there is nothing to label here.
printf '#!/bin/sh\n' >"$state/bin/setfiles"
chmod 755 "$state/bin/setfiles"
export PATH=$state/bin:$PATH

export IGNITION_CONFIG_FILE=$config
export IGNITION_SYSTEM_CONFIG_DIR=$state/tmp IGNITION_SYSTEM_RUNTIME_CONFIG_DIR=$state/tmp IGNITION_SYSTEM_LOCAL_CONFIG_DIR=$state/tmp
case $kind in
  v3)
    for stage in fetch mount files umount; do
      "$engine" --platform=file --stage="$stage" --root="$root" --config-cache="$state/cache" --state-file="$state/state" \
        --neednet="$state/neednet" --log-to-stdout >>"$state/engine" 2>&1
    done
    ;;
  v2) "$engine" -oem file -stage files -root "$root" -config-cache "$state/cache" -log-to-stdout >"$state/engine" 2>&1 ;;
esac
systemctl --root="$root" preset-all >/dev/null 2>&1 || true

mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mknod -m 666 "$root/dev/null" c 1 3 2>/dev/null || true
chmod 755 "$state"
result=0
# The facts that the platform's agent would provide: Flatcar's fork of afterburn has another file and prefix.
mkdir "$root/run/metadata"
for agent in COREOS=flatcar AFTERBURN=afterburn; do
  printf '%s\n' "AWS_HOSTNAME=${MACHINEADM_HOSTNAME-node-1.example}" AWS_INSTANCE_ID=i-test-1 AWS_IPV4_LOCAL=192.0.2.7 |
    sed "s/^/${agent%=*}_/" >"$root/run/metadata/${agent#*=}"
done
chroot "$root" /usr/bin/env -i LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /bin/sh /etc/machineadm/bootstrap || result=$?
mkdir -p "$state/run"
cp -r "$root/run/cluster-api" "$state/run/" || true
exit "$result"
