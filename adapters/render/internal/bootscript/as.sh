# shellcheck shell=sh
# Runs scripts as other users.
# shellcheck disable=SC2154

# _run_as UID GID SCRIPT runs a script with a UID and GID. Below a directory of a user, the user can redirect paths that
# root opens. The kernel limits what a process of the user can do.
#
# The process has no terminal, because it could insert input for the shell of root. It does not have the log open. A
# timeout ends it after a minute, because a file may be a FIFO, and kills it if it ignores the signal. On some systems
# su takes an empty name for root, so a user without a name is refused unless setpriv of util-linux is installed.
_run_as() (
  umask 077
  _groups=--clear-groups
  _user=$(getent passwd "$1" | cut -d: -f1)
  [ ! "$_user" ] || _groups=--init-groups
  if setpriv --reuid "$1" --regid "$2" "$_groups" true 2>/dev/null; then
    set -- "$3" setpriv --reuid "$1" --regid "$2" "$_groups" env -i "PATH=$PATH" sh
  elif [ "$_user" ]; then
    set -- "$3" su -s /bin/sh "$_user"
  else
    echo "the user $1 has no name" >&2
    exit 1
  fi
  _script=$1
  shift
  setsid timeout -k5 60 "$@" -c "$_script" >"$_state/output" 2>&1
  set -- $?
  head -c4096 "$_state/output"
  rm -f "$_state/output"
  exit "$1"
)
