# shellcheck shell=sh
# Ends the program after the last step. It removes the steps, and runs what is left, which publishes the success.
# shellcheck disable=SC2154
{ _replace_program && : >"$_state/done" && sh "$0"; } || _fail $?
_redact >&3
_upload Succeeded
