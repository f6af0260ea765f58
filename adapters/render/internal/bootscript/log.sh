# shellcheck shell=sh
# Prints the log and the failure record. _log is the path of the log, which contains no spaces.
# shellcheck disable=SC2154,SC2086

# _redact prints the log without control characters and bootstrap tokens.
_redact() {
  tr -cd '\n -~' <$_log | sed 's/[a-z0-9]\{6\}\.[a-z0-9]\{16\}/[redacted]/g'
}

# _record PHASE STEP CODE prints the failure record. The log is redacted before it is cut, so that no part of a token
# remains. sed and tr escape it for JSON.
_record() {
  printf '{"phase":"%s","step":"%s","exitCode":%d,"log":"%s"}\n' "$@" \
    "$(_redact | tail -c4096 | sed 's/[\\"]/\\&/g;s/$/\\n/' | tr -d '\n')"
}
