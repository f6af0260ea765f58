# shellcheck shell=sh
# Starts the agent, if that is the only step. log.sh precedes it. The agent writes the failure record, creates the
# sentinel and resumes at later boots, so this program reports only an agent that fails before that. It is part of the
# smallest userdata, so it is short: it works in the directory of the state, and the Go code replaces _earlier (by
# earlier.sh or nothing), _start, $_resume, $_run, $_state and $_step, which need no variables then. The paths contain
# no spaces.
# shellcheck disable=SC2154,SC2086

# An agent that resumes reports the result itself.
[ ! -e $_resume ] || exit 0
# Other users lose their permissions for an existing directory and log.
mkdir -p $_run $_state && cd $_state && (umask 077 && : >>$_log) && chmod go= . $_log || exit 1

# _fail CODE records and publishes the failure as record.sh does. 143 is the exit code of an agent that a shutdown
# ended.
_fail() {
  [ $1 != 143 ] || exit $1
  [ -e failure.json ] || _record join "$_step" $1 >failure.json
  cp failure.json $_run/bootstrap-failure.json
  _redact >&3
  exit $1
}

exec 3>&1 >>$_log 2>&1 </dev/null
_earlier
[ ! -e started ] || _fail 1
# The marker must not survive a power cut without this program, which reports the interruption.
sync
: >started
(_start) 3>&- || _fail $?
_redact >&3
