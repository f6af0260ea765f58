# shellcheck shell=sh
# Installs the private files, which are the arguments, and starts the bootstrap program, which is the last of them. If
# the installation fails, it writes the failure record. The Go code replaces "$@": an item of runcmd has no arguments.
# This program is part of the smallest userdata, so it is short.
#
# The files are below /root/.machineadm, under their paths. A copy is created with the mode of the original, never with
# a wider one, and replaces an existing file (--remove-destination), which others may have open. The directory is
# missing if an earlier run has installed the files. Without the program, write_files stopped early: the program is its
# last entry.
# shellcheck disable=SC2015,SC2086
(! cd /root/.machineadm || { cp --parents --rem "$@" / && rm -r $PWD; }) && [ -e /etc/machineadm/bootstrap ] || {
  mkdir -p /run/cluster-api
  echo '{"phase":"file","step":"write_files","exitCode":1,"log":"see /var/log/cloud-init.log"}' \
    >/run/cluster-api/bootstrap-failure.json
  exit 1
}
sh /etc/machineadm/bootstrap || exit
