# shellcheck shell=sh
# shellcheck disable=SC2154
# Makes the daemon that runs read its restored configuration.
for unit in $units; do
  ! systemctl -q is-active "$unit" || systemctl restart "$unit" || exit
done
