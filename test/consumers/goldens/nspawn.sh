#!/bin/bash
# Boots a root with its own systemd as PID 1, on top of an overlay, and waits until it powers itself off.
#
#   nspawn.sh ROOT STATE [KIND ENGINE CONFIG]
#
# ROOT is read only. STATE holds upper/, which takes every change. With an engine of the Ignition family (KIND v3 or v2) the
# root is provisioned first, as the initial ramdisk does; the output of the engine, which contains the whole
# configuration with its secrets, goes to STATE/engine. Started again with the same STATE it is the machine's next boot.
set -euo pipefail

if [[ ${MACHINEADM_INSIDE-} != yes ]]; then
  MACHINEADM_INSIDE=yes exec setsid -w unshare --mount "$0" "$@"
fi

readonly lower=$1 state=$2 kind=${3-} engine=${4-} config=${5-} root=$2/root
mkdir -p "$state"/{upper,work,root,tmp,bin}
exec >"$state/log" 2>&1 </dev/null
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$state/upper,workdir=$state/work" "$root"

export IGNITION_CONFIG_FILE=$config
export IGNITION_SYSTEM_CONFIG_DIR=$state/tmp IGNITION_SYSTEM_RUNTIME_CONFIG_DIR=$state/tmp IGNITION_SYSTEM_LOCAL_CONFIG_DIR=$state/tmp
case $kind in
  v3)
    for stage in fetch files; do
      "$engine" --platform=file --stage="$stage" --root="$root" --config-cache="$state/cache" --state-file="$state/state" \
        --neednet="$state/neednet" --log-to-stdout >>"$state/engine" 2>&1
    done
    ;;
  v2) "$engine" -oem file -stage files -root "$root" -config-cache "$state/cache" -log-to-stdout >"$state/engine" 2>&1 ;;
esac

# systemd waits until the control group of a service is empty, so machines that run at the same time must not share groups.
groups=()
for hierarchy in /sys/fs/cgroup{,/systemd,/unified}; do
  [[ -e $hierarchy/cgroup.procs ]] || continue
  mkdir -p "$hierarchy/machineadm-$$"
  groups+=("$hierarchy/machineadm-$$")
done
trap 'find "${groups[@]}" -depth -type d -exec rmdir {} + || true' EXIT
(
  for group in "${groups[@]}"; do echo "$BASHPID" >"$group/cgroup.procs"; done
  exec timeout --kill-after=10 900 systemd-nspawn -q -D "$root" --machine="machineadm-$$" --boot --register=no --keep-unit \
    --private-network --console=read-only -- systemd.unified_cgroup_hierarchy=1 systemd.log_target=console systemd.log_color=0
)
