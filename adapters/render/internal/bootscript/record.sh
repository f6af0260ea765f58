# shellcheck shell=sh
# Creates the directories and the log, redirects the output to it, and defines how a failure is recorded. log.sh, and
# report.sh or unreported.sh precede it, and so do the variables of the renderer. _state is the directory of the state,
# _run that of the published files, and _log the log. _phase and _step name the step. _stopped is the exit code of an
# agent that a shutdown ended, or empty. All names begin with an underscore, because the commands of users run in the
# same shell.
# shellcheck disable=SC2154

# Other users lose their permissions for an existing directory and log.
mkdir -p "$_run" "$_state" && (umask 077 && : >>"$_log") && chmod go= "$_state" "$_log" || exit 1

# _fail CODE records the failure, publishes the record, prints the log and exits. An existing record stays, because it
# contains the first cause. Like a power cut, a shutdown is not a failure. If it ended an earlier step than the agent,
# the next boot reports the interruption.
_fail() {
  [ "$1" != "$_stopped" ] || exit "$1"
  [ -e "$_state/failure.json" ] || _record "$_phase" "$_step" "$1" >"$_state/failure.json"
  cp "$_state/failure.json" "$_run/bootstrap-failure.json"
  _redact >&3
  _upload Failed ",\"failure\":$(cat "$_state/failure.json")"
  exit "$1"
}

exec 3>&1 >>"$_log" 2>&1 </dev/null
