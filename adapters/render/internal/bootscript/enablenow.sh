# shellcheck shell=sh
# _enable_now [--] UNIT enables and starts the unit. It does not wait for a unit that starts after a unit of the boot
# that has not started: that one may wait for this program. The Go code replaces BOOT_UNITS. A dash before the unit ends
# the options. systemctl has the option --value only since version 230.
_enable_now() {
  _wait=
  for _unit; do :; done
  for _unit in $(systemctl show -p After -- "$_unit"); do
    _unit=${_unit#After=}
    case $_unit in BOOT_UNITS)
      case $(systemctl show -p Job "$_unit") in
        '' | Job= | Job=0) ;;
        *) _wait=--no-block ;;
      esac
      ;;
    esac
  done
  systemctl enable --now $_wait "$@"
}
