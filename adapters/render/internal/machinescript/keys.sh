# shellcheck shell=sh
# _add_keys USER KEY... adds the keys to the user's authorized_keys. The script in $_authorized_keys does it as the
# user, because the user can replace files in the home directory with links. Root creates only what the user may not
# create in a home directory of root.
# shellcheck disable=SC2154
_add_keys() {
  _home=$(getent passwd "$1" | cut -d: -f6)
  _group=$(id -g "$1") && [ "$_home" ] || return 1
  [ -e "$_home" ] || mkdir -p "$_home" || return 1
  if [ "$(stat -Lc %u "$_home")" = 0 ]; then
    mkdir -p "$_home/.ssh" && chown -h "$1:$_group" "$_home/.ssh" || return 1
  fi
  _user=$1
  shift
  (umask 077 && printf '%s\n' "$_home" "$@" >"$_state/stage") &&
    _run_as "$(id -u "$_user")" "$_group" "$_authorized_keys" <"$_state/stage" &&
    rm -f "$_state/stage"
}
