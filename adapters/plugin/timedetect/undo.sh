# shellcheck shell=sh
# Disables the unit that start.sh has enabled, and stops it if systemd runs.
if [ -e /etc/machineadm/time-daemon ]; then
  daemon=$(cat /etc/machineadm/time-daemon)
  systemctl disable "$daemon" && { [ ! -d /run/systemd/system ] || systemctl stop "$daemon"; } &&
    rm /etc/machineadm/time-daemon
fi
