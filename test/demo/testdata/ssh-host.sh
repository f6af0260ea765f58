#!/bin/sh
# The first boot of a host of "make demo DEMO=ssh".
set -eu
rm -f /etc/ssh/ssh_host_*
ssh-keygen -A
mkdir -p /root/.ssh
chmod 0700 /root/.ssh
echo 'PUBLIC_KEY' >/root/.ssh/authorized_keys
systemctl enable kubelet.service
systemctl enable --now containerd.service ssh.service
