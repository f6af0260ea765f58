# shellcheck shell=sh
# Fails if an earlier run failed or was interrupted. record.sh precedes it. _resume is the unit that starts an agent
# again: such an agent continues at later boots and reports the result itself. Without an agent it is empty. The marker
# must not survive a power cut without this program, which reports the interruption. So the program is flushed first.
# shellcheck disable=SC2154
if [ -e "$_state/started" ]; then
  [ ! -e "$_resume" ] || exit 0
  _fail 1
fi
sync
: >"$_state/started"
