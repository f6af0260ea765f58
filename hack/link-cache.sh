#!/usr/bin/env bash
# Runs a tool of the go command, as the flag -toolexec has it: link-cache.sh tool arguments. It keeps what the linker
# writes for each package, because the go command links each test again whose result it does not repeat. The build ID
# in the arguments of the linker is the hash of its input.
set -euo pipefail

id='' out='' previous=''
for argument; do
  case $argument in -buildid=*) id=${argument#-buildid=} ;; esac
  if [[ $previous = -o ]]; then out=$argument; fi
  previous=$argument
done
if [[ ${1##*/} != link* || -z $id || -z $out || -z ${TOOLEXEC_IMPORTPATH:-} ]]; then
  exec "$@"
fi

cache=${MACHINEADM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/machineadm}/linked
mkdir -p "$cache"
# One file for each package: the number of packages limits the size of the cache. Tests that link the same package with
# different flags give each of them a name.
name=$cache/${TOOLEXEC_IMPORTPATH//\//_}${MACHINEADM_LINK_VARIANT:+-$MACHINEADM_LINK_VARIANT}
linked=$name@$(printf %s "$id" | sha256sum | cut -c 1-32)
if cp --reflink=auto "$linked" "$out" 2>/dev/null; then
  exit
fi
"$@"
# A file gets its name when it is complete, and the next one of the package removes what an interruption leaves. The
# program is linked, also if the copy fails.
rm -f "$name"@*
copy=$(mktemp "$name@copy.XXXXXX")
if ! { cp --reflink=auto -p "$out" "$copy" && mv "$copy" "$linked"; }; then
  rm -f "$copy"
fi
