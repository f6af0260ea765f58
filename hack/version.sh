#!/usr/bin/env bash
# Fails unless a release can have the version: it is semantic, and metadata.yaml lists its series. clusterctl refuses a
# repository with a version that its metadata does not list, and with it the upgrade plan of every provider of the
# management cluster.
# usage: version.sh VERSION
set -euo pipefail

version=${1:?a version such as v0.1.0}
cd "$(dirname "$0")/.."
readonly metadata=config/clusterctl/metadata.yaml
[[ $version =~ ^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$ ]] || {
  echo "version.sh: $version is not a semantic version; write it as v0.1.0" >&2
  exit 2
}
series="${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
awk '$2 == "major:" { major = $3 } $1 == "minor:" { print major, $2 }' "$metadata" | grep -qxF "$series" || {
  echo "version.sh: releaseSeries of $metadata does not list ${series/ /.}; add it with its contract" >&2
  exit 2
}
