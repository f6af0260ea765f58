#!/bin/sh
# Runs on the machine after its bootstrap: writes /run and the state of the machine to the report's disk.
mkdir -p /run/report
cd /run/report || exit
cp /run/cluster-api/* .
# shellcheck disable=SC2094 # a command and a file have one name
machineadm status -o json >status
stat -c '%U %G %a' /srv/app/licence >owner
systemctl is-active containerd.service kubelet.service app.service >active
# shellcheck disable=SC2094 # a command and a file have one name
sysctl -n vm.max_map_count net.ipv4.ip_forward >sysctl
cp /var/log/phases .
systemctl --no-pager --failed >failed
journalctl -b --no-pager >journal
cp /var/log/machineadm.log /var/log/cloud-init-output.log .
tar -cf /dev/vdc .
sync
echo reported >/dev/ttyS0
