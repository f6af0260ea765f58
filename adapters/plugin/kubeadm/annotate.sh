# shellcheck shell=sh
# Sets the annotations of the Node with the credentials of kubelet, whose user name contains the name of the Node. The
# Node may not exist yet, because kubeadm does not wait until kubelet has created it.
export HOME="${HOME:-/root}" KUBECONFIG=/etc/kubernetes/kubelet.conf
attempts=60
until user=$(kubectl auth whoami -o 'jsonpath={.status.userInfo.username}') &&
  kubectl patch node "${user#system:node:}" --type merge --patch-file /etc/machineadm/annotations.json; do
  attempts=$((attempts - 1))
  [ "$attempts" -gt 0 ] || exit 1
  sleep 5
done
