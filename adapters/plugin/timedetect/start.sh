# shellcheck shell=sh
# shellcheck disable=SC2154
# Restarts the first of $units that runs, or else is enabled, or else is installed, and enables it. The file contains
# the unit that this program has enabled, so that a reset disables it again. In the tree of another root directory no
# systemd runs (sd_booted(3)), so that there is nothing to restart. There, systemctl only answers questions about unit
# files: the exit code of is-active is 0 for every name.
daemon='' running=is-active
[ -d /run/systemd/system ] || running=''
for state in $running is-enabled disabled; do
  for unit in $units; do
    [ -z "$daemon" ] || break
    # $state is one word.
    # shellcheck disable=SC2086
    case $state in
      disabled) [ "$(systemctl is-enabled "$unit" 2>/dev/null)" != disabled ] || daemon=$unit ;;
      *) ! systemctl -q $state "$unit" || daemon=$unit ;;
    esac
  done
done
if [ -z "$daemon" ]; then
  echo "no time daemon is installed, so the time servers are not used; install one of $units" >&2
else
  systemctl -q is-enabled "$daemon" ||
    { mkdir -p /etc/machineadm && echo "$daemon" >/etc/machineadm/time-daemon && systemctl enable "$daemon"; } &&
    { [ ! -d /run/systemd/system ] || systemctl restart "$daemon"; }
fi
