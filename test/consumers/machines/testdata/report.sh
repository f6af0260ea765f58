#!/bin/sh
# Runs on the machine once its bootstrap is over: leaves what /run holds and what the machine says of itself on the report's disk.
mkdir -p /run/report
cd /run/report
cp /run/cluster-api/* .
machineadm status -o json >status
stat -c '%U %G %a' /srv/app/licence >owner
systemctl is-active containerd.service kubelet.service app.service >active
sysctl -n vm.max_map_count net.ipv4.ip_forward >sysctl
cp /var/log/phases .
systemctl --no-pager --failed >failed
journalctl -b --no-pager >journal
cp /var/log/machineadm.log /var/log/cloud-init-output.log .
tar -cf /dev/vdc .
sync
echo reported >/dev/ttyS0
