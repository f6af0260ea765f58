# shellcheck shell=sh
# Ends the program after an earlier success, and publishes it again: a reboot removes the sentinel. steps.sh precedes
# it.
# shellcheck disable=SC2154
if [ -e "$_state/done" ]; then
  rm -f "$_report"
  # The agent does not replace the program. The disk may be full.
  _replace_program || rm -f "$0.new"
  echo success >"$_run/bootstrap-success.complete"
  exit
fi
