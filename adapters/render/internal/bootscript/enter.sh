# shellcheck shell=sh
# Enters directories below which users other than root may exchange files.
# shellcheck disable=SC2154

# _enter DIRECTORY creates a directory and its parents and changes to it. The working directory stays the same
# directory, even if it is renamed. Links are followed as long as the directories belong to root and only root can write
# to them. Below the first other directory no link is followed: pwd -P must return the requested path.
#
# _owner is the owner of that directory, or empty. The owner also gets the directories that are created there. A new
# directory that is not empty was exchanged in between and is not changed. _sharer is empty if only root can change
# entries of the working directory. Then root may use names in it, even below a public directory. _temporary is the
# temporary file: next to the file, or else in a directory of root.
_enter() {
  _owner=
  cd / || return 1
  set -f
  IFS=/
  for _name in $1; do
    [ "$_name" ] || continue
    _parent=$(pwd -P)
    _created=
    mkdir "./$_name" 2>/dev/null && _created=1
    cd -P "./$_name" || return 1
    if [ ! "$_owner" ]; then
      _only_root_writes || _owner=$(stat -c %u:%g .)
    elif [ "$(pwd -P)" != "${_parent%/}/$_name" ]; then
      echo "$1: a link in a directory of $_owner" >&2
      return 1
    elif [ "$_created" ] && [ "${_owner%:*}" != 0 ] && [ "$(stat -c %u .)$(ls -A .)" = 0 ]; then
      chown "$_owner" . || return 1
    fi
  done
  unset IFS
  set +f
  _sharer=$_owner
  _temporary=$_state/stage
  if [ "${_owner%:*}" = 0 ] && _only_root_writes; then
    _sharer=
  fi
  [ "$_sharer" ] || _temporary=./.machineadm-new
  rm -f "$_temporary"
}

# _only_root_writes succeeds if the working directory belongs to root and other users cannot change its entries.
_only_root_writes() {
  case "$(stat -c '%u %A' .)" in
    '0 '?????-??-*) ;;
    *) return 1 ;;
  esac
}

# _enter_parent PATH enters the directory of a path, and sets _entry to the entry in it.
_enter_parent() {
  _enter "${1%/*}" && _entry=./${1##*/}
}

# _enter_private DIRECTORY enters a directory for a program that opens paths. It fails if other users could exchange a
# directory of the path.
_enter_private() {
  _enter "$1" || return 1
  if [ "$_owner" ]; then
    echo "$1: other users own or write a directory of the path" >&2
    return 1
  fi
}
