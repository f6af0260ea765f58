# shellcheck shell=sh
# main STATE PROGRAM installs and starts the bootstrap program, with the search path and the umask of a first boot.
# STATE is the program's directory for state, and PROGRAM its path. The function program prints it.
#
# After a run that failed or was interrupted, the bootstrap program itself reports it.
main() {
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  export PATH
  umask 022
  cd / || return 1
  if [ "$(id -u)" != 0 ]; then
    echo 'machineadm: run this as root' >&2
    return 1
  fi
  if [ -e "$1/done" ]; then
    echo 'machineadm: this machine is done; nothing was changed'
    return 0
  fi
  if [ -e "$1/started" ]; then
    echo "machineadm: an earlier run failed or was interrupted; see $1/failure.json" >&2
    sh "$2"
    return 1
  fi
  mkdir -p "${2%/*}" || return 1
  (umask 077 && program >"$2.new") && mv -f "$2.new" "$2" || return 1
  sh "$2" </dev/null
}
