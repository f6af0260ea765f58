#!/bin/sh
# Hosts in namespaces share the kernel and the control groups of this machine, which kubeadm cannot verify. The registry
# of the demo has no images of kube-proxy and CoreDNS.
case ${1-} in
  init | join) set -- "$@" --ignore-preflight-errors=SystemVerification,ImagePull ;;
esac
exec /usr/bin/kubeadm "$@"
