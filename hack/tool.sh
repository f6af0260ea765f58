#!/usr/bin/env bash
# Obtains real programs that tests talk to, and prints the absolute path of
# each, one a line. Everything else goes to stderr.
#
#   hack/tool.sh NAME...
#   hack/tool.sh --test     those that make test needs
#   hack/tool.sh --list     names only, builds nothing
#
# A program is built from a pinned module under tools/ when it is first needed,
# and stored outside the tree, so that `git clean` does not cost a rebuild of
# Kubernetes. Only tools/*/go.mod contain the versions.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly repo=$PWD
readonly cache=${MACHINEADM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/machineadm}

# name | directory under tools | package | module that gives the version | kind | use
#
# The kind chooses version stamps and build settings, see build_flags. No test of make test needs programs with the use
# "long".
readonly table='
kube-apiserver                  kubernetes        k8s.io/kubernetes/cmd/kube-apiserver           k8s.io/kubernetes                  kubernetes
kubectl                         kubernetes        k8s.io/kubernetes/cmd/kubectl                  k8s.io/kubernetes                  kubernetes
kubeadm                         kubernetes        k8s.io/kubernetes/cmd/kubeadm                  k8s.io/kubernetes                  kubernetes
kubelet                         kubernetes        k8s.io/kubernetes/cmd/kubelet                  k8s.io/kubernetes                  kubernetes
kube-controller-manager         kubernetes        k8s.io/kubernetes/cmd/kube-controller-manager k8s.io/kubernetes                  kubernetes
kube-scheduler                  kubernetes        k8s.io/kubernetes/cmd/kube-scheduler           k8s.io/kubernetes                  kubernetes
kubeadm-1.30                    kubernetes-1.30   k8s.io/kubernetes/cmd/kubeadm                  k8s.io/kubernetes                  kubernetes
kube-apiserver-1.35             kubernetes-1.35   k8s.io/kubernetes/cmd/kube-apiserver           k8s.io/kubernetes                  kubernetes long
kubeadm-1.35                    kubernetes-1.35   k8s.io/kubernetes/cmd/kubeadm                  k8s.io/kubernetes                  kubernetes long
kubelet-1.35                    kubernetes-1.35   k8s.io/kubernetes/cmd/kubelet                  k8s.io/kubernetes                  kubernetes long
kube-controller-manager-1.35    kubernetes-1.35   k8s.io/kubernetes/cmd/kube-controller-manager  k8s.io/kubernetes                  kubernetes long
kube-scheduler-1.35             kubernetes-1.35   k8s.io/kubernetes/cmd/kube-scheduler           k8s.io/kubernetes                  kubernetes long
etcd                            etcd              go.etcd.io/etcd/server/v3                      go.etcd.io/etcd/server/v3          plain
etcdutl                         etcdutl           go.etcd.io/etcd/etcdutl/v3                     go.etcd.io/etcd/etcdutl/v3         plain
age                             age               filippo.io/age/cmd/age                         filippo.io/age                     plain
age-keygen                      age               filippo.io/age/cmd/age-keygen                  filippo.io/age                     plain
capi-core-manager               cluster-api       sigs.k8s.io/cluster-api/core                   sigs.k8s.io/cluster-api            cluster-api
capi-kubeadm-bootstrap-manager  cluster-api       sigs.k8s.io/cluster-api/bootstrap/kubeadm      sigs.k8s.io/cluster-api            cluster-api
capi-kubeadm-control-plane-manager cluster-api    sigs.k8s.io/cluster-api/controlplane/kubeadm   sigs.k8s.io/cluster-api            cluster-api
clusterctl                      cluster-api       sigs.k8s.io/cluster-api/cmd/clusterctl         sigs.k8s.io/cluster-api            cluster-api
capi-core-manager-1.12          cluster-api-1.12  sigs.k8s.io/cluster-api                        sigs.k8s.io/cluster-api            cluster-api
ignition                        ignition          github.com/coreos/ignition/v2/internal         github.com/coreos/ignition/v2      ignition
ignition-validate               ignition          github.com/coreos/ignition/v2/validate         github.com/coreos/ignition/v2      ignition
ignition-2.15                   ignition-2.15     github.com/coreos/ignition/v2/internal         github.com/coreos/ignition/v2      ignition
ignition-flatcar                ignition-flatcar  github.com/flatcar/ignition/internal           github.com/flatcar/ignition        ignition-flatcar
ignition-validate-flatcar       ignition-flatcar  github.com/flatcar/ignition/validate           github.com/flatcar/ignition        ignition-flatcar
versitygw                       versitygw         github.com/versity/versitygw/cmd/versitygw       github.com/versity/versitygw       plain
containerd                      containerd        github.com/containerd/containerd/v2/cmd/containerd              github.com/containerd/containerd/v2 containerd
containerd-shim-runc-v2         containerd        github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2 github.com/containerd/containerd/v2 containerd
kube-bench                      kube-bench        github.com/aquasecurity/kube-bench               github.com/aquasecurity/kube-bench plain
cni-bridge                      cni               github.com/containernetworking/plugins/plugins/main/bridge     github.com/containernetworking/plugins plain
cni-loopback                    cni               github.com/containernetworking/plugins/plugins/main/loopback   github.com/containernetworking/plugins plain
cni-host-local                  cni               github.com/containernetworking/plugins/plugins/ipam/host-local github.com/containernetworking/plugins plain
kube-vip                        kube-vip          github.com/kube-vip/kube-vip                   github.com/kube-vip/kube-vip       plain
nfpm                            nfpm              github.com/goreleaser/nfpm/v2/cmd/nfpm           github.com/goreleaser/nfpm/v2      plain
promtool                        prometheus        github.com/prometheus/prometheus/cmd/promtool  github.com/prometheus/prometheus   prometheus
nodeadm                         nodeadm           github.com/awslabs/amazon-eks-ami/nodeadm/cmd/nodeadm       github.com/awslabs/amazon-eks-ami/nodeadm plain long
'

say() { echo "tool.sh: $*" >&2; }

# names [test] prints the names of all programs, or of those that make test needs.
names() {
  awk -v use="${1-}" 'NF && !(use == "test" && $6 == "long") { print $1 }' <<<"$table"
  echo ignition-old
}

# build_flags KIND VERSION fills ldflags, tags and cgo.
build_flags() {
  local kind=$1 version=$2 minor
  minor=${version#v*.}
  minor=${minor%%.*}
  ldflags='-s -w' tags='' cgo=0
  local stamp
  case $kind in
    kubernetes | cluster-api)
      # Unstamped, kubeadm and the API server call themselves
      # v0.0.0-master, which no version skew check accepts, and the Cluster
      # API managers report an empty version.
      stamp=k8s.io/component-base/version
      [[ $kind == cluster-api ]] && stamp=sigs.k8s.io/cluster-api/version
      ldflags+=" -X $stamp.gitVersion=$version -X $stamp.gitMajor=1 -X $stamp.gitMinor=$minor"
      ldflags+=" -X $stamp.gitTreeState=clean -X $stamp.gitCommit=0000000"
      ;;
    ignition)
      # Built for a system without SELinux: otherwise the files stage fails
      # on a missing /etc/selinux/config after it has written every file.
      # cgo: it asks libblkid about file systems.
      ldflags+=" -X github.com/coreos/ignition/v2/internal/version.Raw=$version"
      ldflags+=' -X github.com/coreos/ignition/v2/internal/distro.selinuxRelabel=false'
      cgo=1
      ;;
    ignition-flatcar)
      ldflags+=" -X github.com/flatcar/ignition/internal/version.Raw=$version"
      ldflags+=' -X github.com/flatcar/ignition/internal/distro.chrootCmd=/usr/sbin/chroot'
      # cgo: it becomes other users, and asks the hypervisor, through C.
      cgo=1
      ;;
    prometheus)
      # Service discovery links the SDKs of all clouds, which take most of the time and which promtool does not need.
      tags=remove_all_sd
      ;;
    containerd)
      ldflags+=" -X github.com/containerd/containerd/v2/version.Version=$version"
      tags=no_btrfs,no_devmapper,no_zfs
      ;;
  esac
}

# build NAME DIR PACKAGE MODULE KIND [USE] prints the path of the program, building
# it when this version, with these flags, is not in the cache.
build() {
  local name=$1 dir=$repo/tools/$2 package=$3 module=$4 kind=$5
  local version key ldflags tags cgo
  # Read from go.mod itself: asking `go list` would download modules even
  # when the program is already there.
  version=$(awk -v m="$module" '$1 == m && $2 ~ /^v/ { print $2; exit }
    $1 == "require" && $2 == m { print $3; exit }' "$dir/go.mod")
  [[ -n $version ]] || {
    say "no version of $module in $dir/go.mod"
    return 1
  }
  build_flags "$kind" "$version"
  key=$version-$( (
    cat "$dir/go.mod"
    echo "$package $ldflags $tags $cgo"
  ) | sha256sum | cut -c1-12)
  local target=$cache/$name/$key/$name
  if [[ ! -x $target ]]; then
    mkdir -p "$cache/$name"
    [[ $kind == ignition ]] && "$repo/hack/packages.sh" gcc libblkid-dev >&2
    # Several tests may want the same program at the same moment; the second
    # waits and finds it done. The lock goes with the process, whatever ends
    # it.
    (
      flock 9
      if [[ ! -x $target ]]; then
        compile "$dir" "$package" "$target"
      fi
    ) 9>"$cache/$name/.lock"
  fi
  echo "$target"
}

# compile DIR PACKAGE TARGET: a half-written program must never carry the
# final name, so it is built beside it and renamed.
compile() {
  local dir=$1 package=$2 target=$3 began=$SECONDS work
  work=$(mktemp -d "$(dirname "$(dirname "$target")")/.build.XXXXXX")
  say "building $(basename "$target") from $package"
  # GOFLAGS and GOWORK of the caller belong to the caller's module.
  if ! (cd "$dir" && env GOWORK=off GOFLAGS=-mod=readonly CGO_ENABLED="$cgo" \
    go build -trimpath -buildvcs=false -tags "$tags" -ldflags "$ldflags" \
    -o "$work/$(basename "$target")" "$package" >&2); then
    rm -rf "$work"
    return 1
  fi
  chmod 755 "$work"
  rm -rf "$(dirname "$target")"
  mv "$work" "$(dirname "$target")"
  say "built $(basename "$target") in $((SECONDS - began)) s"
}

# obtain NAME prints the path of one program.
obtain() {
  local name=$1 row
  case $name in
    kube-apiserver | etcd)
      # The usual variable of envtest names a directory with these two.
      if [[ -n ${KUBEBUILDER_ASSETS:-} && -x $KUBEBUILDER_ASSETS/$name ]]; then
        (cd "$KUBEBUILDER_ASSETS" && echo "$PWD/$name")
        return
      fi
      ;;
    ignition-old)
      # The distribution's engine understands specifications up to 3.3 only,
      # which is what an old consumer is wanted for.
      "$repo/hack/packages.sh" ignition >&2
      local engine=/usr/lib/dracut/modules.d/30ignition/ignition
      [[ -x $engine ]] || {
        say "the package ignition did not bring $engine"
        return 1
      }
      echo "$engine"
      return
      ;;
  esac
  row=$(awk -v n="$name" '$1 == n' <<<"$table")
  [[ -n $row ]] || {
    say "unknown program $name; one of: $(names | xargs)"
    return 2
  }
  # shellcheck disable=SC2086 # words, none with spaces
  build $row
}

main() {
  local name wanted
  if [[ $# -eq 0 ]]; then
    say 'usage: hack/tool.sh NAME... | --test | --list'
    return 2
  fi
  case $1 in
    --list)
      names
      return
      ;;
    --test) mapfile -t wanted < <(names test) ;;
    *) wanted=("$@") ;;
  esac
  for name in "${wanted[@]}"; do
    obtain "$name"
  done
}

main "$@"
