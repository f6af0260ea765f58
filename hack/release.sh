#!/usr/bin/env bash
# Writes a release into the layout of a clusterctl local repository:
#   OUT/bootstrap-machineadm/VERSION/{bootstrap-components.yaml,bootstrap-components-endpoint.yaml,metadata.yaml}
#   OUT/bootstrap-machineadm/VERSION/variants/*, kustomize components for the generated clusters
#   OUT/{bootstrap,control-plane}-machineadm/VERSION/aws-identity.yaml, a NetworkPolicy for controllers with an AWS identity
#   OUT/infrastructure-machineadm-hosts/VERSION/{infrastructure-components.yaml,metadata.yaml,cluster-template*.yaml}
#   OUT/control-plane-machineadm/VERSION/{control-plane-components.yaml,metadata.yaml}
#   OUT/infrastructure-machineadm-templates/VERSION/{metadata.yaml,cluster-template-*.yaml,clusterclass-*.yaml}, a
#   repository without a provider: clusterctl finds flavors only in repositories of infrastructure providers
#   OUT/clusterctl.yaml, a configuration that names the providers; OUT/clusterctl-endpoint.yaml the same, with the endpoint for machines
# usage: release.sh VERSION OUT [IMAGE]; IMAGE is NAME, NAME:TAG or NAME@DIGEST. If hack/image.sh has written the image
# of this version to OUT, the components use its digest.
set -euo pipefail

version=${1:?a version such as v0.1.0}
mkdir -p "${2:?the folder to write to}"
out=$(realpath "$2")
image=${3:-ghcr.io/machineadm/machineadm-controller:$version}
cd "$(dirname "$0")/.."

hack/version.sh "$version"

# reference prints the image as kustomize takes it: with the digest, or else with the tag, which is the version if
# IMAGE has none.
reference() {
  local index=$out/image/index.json name=${image%@*} digest='' tag=$version
  [[ $image == *@* ]] && digest=${image#*@}
  # A colon before the last slash is that of a port.
  [[ ${name##*/} == *:* ]] && tag=${name##*:} name=${name%:*}
  if [[ -z $digest && -f $index ]] && grep -qF "\"org.opencontainers.image.ref.name\":\"$version\"" "$index"; then
    digest=$(grep -o 'sha256:[0-9a-f]\{64\}' "$index" | head -n1)
  fi
  printf '  newName: %s\n' "$name"
  if [[ -n $digest ]]; then printf '  digest: %s\n' "$digest"; else printf '  newTag: %s\n' "$tag"; fi
}

repository=$out/bootstrap-machineadm/$version hosts=$out/infrastructure-machineadm-hosts/$version
planes=$out/control-plane-machineadm/$version templates=$out/infrastructure-machineadm-templates/$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$repository" "$hosts" "$planes" "$templates"

# An overlay of its own, so that no file of the tree changes for a release.
cp -r config "$work/config"
# The first line builds the program if it is needed, and -n prints its path.
go tool -modfile=go.tool.mod kustomize version >/dev/null
kustomize=$(go tool -modfile=go.tool.mod -n kustomize)
# components prints the manifests of a folder with the image of the release.
components() {
  cat >"$work/kustomization.yaml" <<EOF
resources: [$1]
images:
- name: controller
$(reference)
EOF
  "$kustomize" build "$work"
}

components config/hosts >"$hosts/infrastructure-components.yaml"
components config/control-plane >"$planes/control-plane-components.yaml"
for variant in '' -endpoint; do
  components "config/default$variant" >"$repository/bootstrap-components$variant.yaml"
  cat >"$out/clusterctl$variant.yaml" <<EOF
providers:
- name: machineadm
  type: BootstrapProvider
  url: file://$repository/bootstrap-components$variant.yaml
- name: machineadm
  type: ControlPlaneProvider
  url: file://$planes/control-plane-components.yaml
- name: machineadm-hosts
  type: InfrastructureProvider
  url: file://$hosts/infrastructure-components.yaml
- name: machineadm-templates
  type: InfrastructureProvider
  url: file://$templates/infrastructure-components.yaml
EOF
done
cp config/clusterctl/metadata.yaml config/clusterctl/cluster*.yaml "$templates/"
cp config/clusterctl/metadata.yaml "$repository/"
cp -r config/clusterctl/variants "$repository/"
cp config/clusterctl/metadata.yaml config/hosts/cluster-template*.yaml "$hosts/"
cp config/clusterctl/metadata.yaml "$planes/"
sed 's/machineadm-system/machineadm-control-plane-system/; s/bootstrap-machineadm/control-plane-machineadm/' \
  config/aws-identity/network_policy.yaml >"$planes/aws-identity.yaml"
cp config/aws-identity/network_policy.yaml "$repository/aws-identity.yaml"
echo "$repository"
