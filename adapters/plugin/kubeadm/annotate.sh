# shellcheck shell=sh
# Sets the annotations of the Node with the credentials of kubelet, whose user name contains the name of the Node. The
# Node may not exist yet, because kubeadm does not wait until kubelet has created it.
if ! command -v kubectl >/dev/null; then
  echo 'the annotations of the Node require kubectl, which is not installed' >&2
  exit 1
fi
export HOME="${HOME:-/root}" KUBECONFIG=/etc/kubernetes/kubelet.conf
attempts=60
until user=$(kubectl --request-timeout=30s auth whoami -o 'jsonpath={.status.userInfo.username}') &&
  kubectl --request-timeout=30s patch node "${user#system:node:}" --type merge \
    --patch-file /etc/machineadm/annotations.json; do
  attempts=$((attempts - 1))
  [ "$attempts" -gt 0 ] || exit 1
  sleep 5
done
