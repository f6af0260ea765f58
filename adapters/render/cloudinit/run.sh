# shellcheck shell=sh
# _run FILE... installs the private files and starts the bootstrap program, which is the last of them. If that fails, it
# writes the failure record.
#
# The files are below /root/.machineadm, under their paths. A copy is created with the mode of the original, never with a
# wider one, and replaces an existing file, which others may have open. The directory is missing if an earlier run has
# installed the files. Without the program, write_files stopped early: the program is its last entry.
_run() {
  if ! _install "$@"; then
    mkdir -p /run/cluster-api
    echo '{"phase":"file","step":"write_files","exitCode":1,"log":"see /var/log/cloud-init.log"}' \
      >/run/cluster-api/bootstrap-failure.json
    return 1
  fi
  sh /etc/machineadm/bootstrap
}

_install() (
  if cd /root/.machineadm; then
    cp --parents --remove-destination "$@" / && rm -r "$PWD" || exit 1
  fi
  [ -e /etc/machineadm/bootstrap ]
)
