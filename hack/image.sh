#!/usr/bin/env bash
# Writes the controller's image, for which it needs neither a container engine nor a network:
#   OUT/image, an OCI image layout, and OUT/machineadm-controller.tar, the same as an archive
# usage: image.sh VERSION OUT; PLATFORMS="linux/amd64" makes some of them. With GOFIPS140=v1.0.0, all programs contain
# this version of the Go Cryptographic Module.
#
# The image has no system below it. It holds
#   /manager                  the controller, static
#   /usr/libexec/machineadm   the plugins that are static, too: that for PKCS #11 needs C, and the vendor's module
#   /agents                   the agents of the version, for --agent-dir
#   /licenses                 the licences of the project and of what its programs link
#   /etc/ssl/certs            the certificates of the public authorities, by which storages and key management services are trusted
set -euo pipefail

version=${1:?a version such as v0.1.0}
"$(dirname "$0")/version.sh" "$version"
mkdir -p "${2:?the folder to write to}"
out=$(realpath "$2")
cd "$(dirname "$0")/.."
read -ra platforms <<<"${PLATFORMS:-linux/amd64 linux/arm64}"
readonly plugins=(machineadm-plugin-encryption-provider-{aws-kms,kms-v2} machineadm-remote-configuration-provider-s3)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
layout=$work/layout
mkdir -p "$layout/blobs/sha256"

# shellcheck source=hack/oci.sh
. hack/oci.sh

# layer DIRECTORY NAME makes NAME.tar, NAME.gz and NAME.diff, the digest of the former: the same bytes for the same files,
# with any umask. The user of the image is neither the owner nor in the group of the files.
layer() {
  chmod -R u=rwX,go=rX "$1"
  tar --create --file "$work/$2.tar" --directory "$1" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=gnu .
  gzip --no-name --stdout "$work/$2.tar" >"$work/$2.gz"
  sha256sum "$work/$2.tar" | cut -d' ' -f1 >"$work/$2.diff"
}

# authorities prints the path of the certificates of public CAs: the first file that Go also finds (crypto/x509), or that
# of Debian's package, which it installs.
authorities() {
  local file
  for file in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem \
    /etc/pki/tls/cacert.pem /etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem /etc/ssl/cert.pem; do
    [[ ! -s $file ]] || { echo "$file" && return; }
  done
  hack/packages.sh ca-certificates >&2
  echo /etc/ssl/certs/ca-certificates.crt
}

hack/agents.sh "$version" "$work/made" >&2
mkdir -p "$work/common/agents" "$work/common/etc/ssl/certs" "$work/common/licenses"
cp "$work"/made/machineadm-* "$work/common/agents/"
install -m 0644 LICENSE "$work/made/THIRD-PARTY-LICENSES.txt" "$work/common/licenses/"
install -m 0644 "$(authorities)" "$work/common/etc/ssl/certs/ca-certificates.crt"
layer "$work/common" common

manifests=()
for platform in "${platforms[@]}"; do
  os=${platform%/*} arch=${platform#*/} root=$work/root-${platform#*/}
  mkdir -p "$root/usr/libexec/machineadm"
  export GOOS=$os GOARCH=$arch
  hack/build.sh "$version" "$root/manager" machineadm-controller
  hack/build.sh "$version" "$root/usr/libexec/machineadm" "${plugins[@]}"
  layer "$root" "$arch"
  printf '{"architecture":"%s","os":"%s","config":{"User":"65532:65532","Entrypoint":["/manager"],"WorkingDir":"/","Labels":{"org.opencontainers.image.version":"%s"}},"rootfs":{"type":"layers","diff_ids":["sha256:%s","sha256:%s"]}}' \
    "$arch" "$os" "$version" "$(<"$work/common.diff")" "$(<"$work/$arch.diff")" >"$work/config"
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s},"layers":[%s},%s}]}' \
    "$(blob "$work/config" application/vnd.oci.image.config.v1+json)" "$(blob "$work/common.gz" application/vnd.oci.image.layer.v1.tar+gzip)" "$(blob "$work/$arch.gz" application/vnd.oci.image.layer.v1.tar+gzip)" >"$work/manifest"
  manifests+=("$(blob "$work/manifest" application/vnd.oci.image.manifest.v1+json),\"platform\":{\"os\":\"$os\",\"architecture\":\"$arch\"}}")
done
index "${manifests[@]}" >"$work/index"
index "$(blob "$work/index" application/vnd.oci.image.index.v1+json),\"annotations\":{\"org.opencontainers.image.ref.name\":\"$version\"}}" >"$layout/index.json"
printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
rm -rf "$out/image"
mv "$layout" "$out/image"
tar --create --file "$out/machineadm-controller.tar" --directory "$out/image" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner oci-layout index.json blobs
echo "$out/image"
