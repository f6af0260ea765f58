#!/bin/sh
# Replaces a program that needs a device, a network or a running systemd. It records its arguments and its input.
# Queries are answered as on a machine that was never configured, and are not recorded. /usr/local/lib/enabled lists the
# units that the image enables.
set -eu
name=${0##*/}
case "$name $*" in
  blkid*) exit 2 ;;
  blockdev*)
    echo 67108864
    exit
    ;;
  mountpoint*) exit 1 ;;
  systemctl*is-active*) exit 3 ;;
  systemctl*is-enabled*)
    for unit; do :; done
    if [ "$(readlink "/etc/systemd/system/$unit")" = /dev/null ]; then
      echo masked
      exit 1
    fi
    if grep -qx -- "$unit" /usr/local/lib/enabled; then
      echo enabled
      exit
    fi
    echo disabled
    exit 1
    ;;
  systemctl*ConditionTimestampMonotonic*)
    echo 0
    exit
    ;;
  systemctl*show*)
    echo inactive
    exit
    ;;
  # The agent reads unit files again before each unit, the program after each change of a file.
  'systemctl daemon-reload'*) exit ;;
esac
{
  printf '%s' "$name"
  for argument; do printf ' [%s]' "$argument"; done
  echo
  if [ "$name" = sfdisk ]; then cat; fi
} >>/var/log/calls
case $name in
  systemctl) if [ "$1" = unmask ]; then rm "/etc/systemd/system/$2"; fi ;;
  dd) for argument; do case $argument in of=*) : >"${argument#of=}" ;; esac done ;;
  curl)
    while [ $# -gt 1 ]; do
      if [ "$1" = -o ]; then output=$2; fi
      shift
    done
    cp "${1#file://}" "$output"
    ;;
esac
