# shellcheck shell=sh
# Precedes the commands of bootcmd. It removes the marker of an earlier instance that used the disk, and redirects the
# output to the log.
umask 077
mkdir -p /var/lib/machineadm
rm -f /var/lib/machineadm/early
exec >>/var/log/machineadm.log 2>&1 </dev/null
umask 022
