# shellcheck shell=sh
# Disables the unit that start.sh has enabled.
if [ -e /etc/machineadm/time-daemon ]; then
  systemctl disable --now "$(cat /etc/machineadm/time-daemon)" && rm /etc/machineadm/time-daemon
fi
