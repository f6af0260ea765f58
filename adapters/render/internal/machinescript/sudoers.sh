# shellcheck shell=sh
# _add_sudoers FILE TEMPORARY RULE writes a file of sudoers(5). visudo(8) checks it first if it is installed, because
# sudo refuses all users if it cannot parse a file.
_add_sudoers() {
  mkdir -p "${1%/*}" && rm -f "$2" && (umask 077 && printf %s "$3" >"$2") && chmod 0440 "$2" || return 1
  if command -v visudo >/dev/null && ! visudo -cqf "$2"; then
    rm -f "$2"
    return 1
  fi
  mv -f "$2" "$1"
}
