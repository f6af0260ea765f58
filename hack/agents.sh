#!/usr/bin/env bash
# Writes the agents of a release:
#   OUT/machineadm-OS-ARCH, OUT/SHA256SUMS, and with a key OUT/SHA256SUMS.sig
#   OUT/THIRD-PARTY-LICENSES.txt, the licences of what the programs link
#   OUT/layout, an OCI image layout that has each agent as one layer, by the platform and the version
# usage: agents.sh VERSION OUT [KEY]; PLATFORMS="linux/amd64" makes some of them. KEY is a private key in PEM. With
# GOFIPS140=v1.0.0, the agents contain this version of the Go Cryptographic Module.
set -euo pipefail

version=${1:?a version such as v0.1.0}
mkdir -p "${2:?the folder to write to}"
out=$(realpath "$2")
key=${3:+$(realpath "$3")}
cd "$(dirname "$0")/.."
read -ra platforms <<<"${PLATFORMS:-linux/amd64 linux/arm64 windows/amd64}"

# shellcheck source=hack/oci.sh
. hack/oci.sh

layout=$out/layout
rm -rf "$layout"
mkdir -p "$layout/blobs/sha256"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '{}' >"$work/config"
config=$(blob "$work/config" application/vnd.oci.empty.v1+json)
names=() manifests=()
for platform in "${platforms[@]}"; do
  os=${platform%/*} arch=${platform#*/}
  name=machineadm-$os-$arch
  [[ $os == windows ]] && name=$name.exe
  GOOS=$os GOARCH=$arch hack/build.sh "$version" "$out/$name" machineadm
  names+=("$name")
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.machineadm.agent","config":%s},"layers":[%s,"annotations":{"org.opencontainers.image.title":"%s"}}]}' \
    "$config" "$(blob "$out/$name" application/octet-stream)" "$name" >"$work/manifest"
  manifests+=("$(blob "$work/manifest" application/vnd.oci.image.manifest.v1+json),\"platform\":{\"os\":\"$os\",\"architecture\":\"$arch\"},\"annotations\":{\"org.opencontainers.image.ref.name\":\"$version\"}}")
done
printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
index "${manifests[@]}" >"$layout/index.json"
(cd "$out" && sha256sum "${names[@]}" >SHA256SUMS)
GOFIPS140=off go run ./hack/deps licenses "$out/THIRD-PARTY-LICENSES.txt"
rm -f "$out/SHA256SUMS.sig"
if [[ -n $key ]]; then
  command -v openssl >/dev/null || hack/packages.sh openssl >&2
  openssl dgst -sha256 -sign "$key" "$out/SHA256SUMS" | base64 -w0 >"$out/SHA256SUMS.sig"
fi
echo "$out"
