# shellcheck shell=sh
# Reports the result of the bootstrap. _report is a file with the URL and the credential in its first lines, and
# _authorities is the file with the certificate authorities of the URL, or empty.
# shellcheck disable=SC2154

# _upload STATE [FIELDS] tries once to report the state, with additional JSON fields. It does not replace a report of
# the agent, which is more detailed. After a success it removes the credential. It takes at most ten seconds, and
# follows the record or the sentinel.
#
# curl gets the credential through a pipe and wget in a file of root, because all users can read arguments. The clients
# follow no redirects, use no proxy and read no user configuration, because each could send the credential to another
# host. curl follows redirects only with -L. BusyBox wget does not support these options and fails before it connects.
# Wget2 does not support --no-glob and fails, too: Wget2 1.99 follows redirects despite --max-redirect=0.
_upload() {
  [ -e "$_state/reported" ] || (
    umask 077
    read -r _url
    read -r _credential
    printf '{"apiVersion":"machineadm.io/v1alpha1","kind":"BootstrapStatus","state":"%s"%s}' "$1" "$2" >"$_state/report"
    if command -v curl >/dev/null; then
      printf 'header = "Authorization: Bearer %s"\n' "$_credential" |
        curl -qfsSm10 --noproxy '*' -K- ${_authorities:+--cacert "$_authorities"} \
          -H 'Content-Type: application/json' --data-binary "@$_state/report" "$_url"
    else
      printf 'header = Authorization: Bearer %s\n' "$_credential" >"$_state/wgetrc"
      timeout 10 wget --config="$_state/wgetrc" --no-proxy --no-glob --max-redirect=0 -qO- -t1 \
        ${_authorities:+--ca-certificate="$_authorities"} --header='Content-Type: application/json' \
        --post-file="$_state/report" "$_url"
    fi
  ) <"$_report"
  rm -f "$_state/report" "$_state/wgetrc"
  [ "$1" = Failed ] || rm -f "$_report"
}
