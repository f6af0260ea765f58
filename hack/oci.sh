# shellcheck shell=bash
# Functions for scripts that write an OCI image layout. The variable layout is its folder.
# shellcheck disable=SC2154

# blob FILE TYPE puts the file into the layout and prints its descriptor without the closing brace.
blob() {
  local digest
  digest=$(sha256sum "$1" | cut -d' ' -f1)
  cp "$1" "$layout/blobs/sha256/$digest"
  printf '{"mediaType":"%s","digest":"sha256:%s","size":%s' "$2" "$digest" "$(stat -c %s "$1")"
}

# index MANIFEST... prints an image index of the descriptors.
index() {
  local IFS=,
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s]}' "$*"
}
