# shellcheck shell=sh
# Runs the steps of the bootstrap program. record.sh precedes it.
# shellcheck disable=SC2154

# _run_step PHASE FIELD SCRIPT runs a step, and fails with its exit code. The script is evaluated in a subshell, so that
# its exit, cd and set do not affect later steps. It is not an argument of a process. The subshell is not an operand of
# ||, because the shell would ignore set -e in it.
_run_step() {
  _phase=$1 _step=$2
  printf '%s: %s\n' "$1" "$2"
  (
    _script=$3
    set --
    eval "$_script"
  ) 3>&-
  set -- $?
  [ "$1" = 0 ] || _fail "$1"
}

# _replace_program replaces this program by one that only publishes success: the steps may contain join tokens and
# secrets of users. It renames a new file, because a shell reads its program while it runs. It first flushes what the
# steps wrote: after a power cut they do not run again.
_replace_program() {
  echo "mkdir -p $_run;echo success>$_run/bootstrap-success.complete" >"$0.new" && sync && mv "$0.new" "$0"
}
