# shellcheck shell=sh
# _fact VALUE prints the value of a fact. The value comes from the platform or the network and becomes part of a file. A
# value with other characters than these could break out of its place there, and fails.
_fact() (
  LC_ALL=C
  case $1 in
    '' | -* | *[!A-Za-z0-9._:/+-]*)
      echo 'the fact has no value, or one with special characters' >&2
      exit 1
      ;;
  esac
  [ "${#1}" -le 1024 ] && printf %s "$1"
)
