# shellcheck shell=sh
# _unmask [--] UNIT unmasks a masked unit, because systemctl cannot enable it. A mask is a link in the directory of the
# administrator's units. A dash before the unit ends the options.
_unmask() {
  for _unit; do :; done
  [ ! -h "/etc/systemd/system/$_unit" ] || systemctl unmask "$@"
}
