# shellcheck shell=sh
# _no_block [--] UNIT prints --no-block if the unit starts after a target of the boot that is not reached yet: the target
# waits for this program, which must not wait for the unit. A dash before the unit ends the options.
_no_block() {
  for _unit; do :; done
  for _target in multi-user.target graphical.target; do
    case " $(systemctl show --value -p After -- "$_unit") " in *" $_target "*)
      case $(systemctl show --value -p Job $_target) in
        '' | 0) ;;
        *) echo --no-block && return ;;
      esac
      ;;
    esac
  done
}
