# shellcheck shell=sh
# reset_node runs kubeadm reset with the arguments. Meanwhile a condition keeps kubelet from starting, because a stop is
# not enough: systemd starts a unit again that a target upholds. A runtime mask would have no effect on a unit file in
# /etc. The condition does not survive a reboot. kubelet can start again after a reset that failed, too.
reset_node() {
  command -v kubeadm >/dev/null || return 0
  condition=/run/systemd/system/kubelet.service.d/90-machineadm-reset.conf
  [ ! -d /run/systemd/system ] || {
    mkdir -p "${condition%/*}" && printf '[Unit]\nConditionPathExists=!/\n' >"$condition" && systemctl daemon-reload
  } || :
  systemctl stop kubelet.service || :
  code=0
  kubeadm reset --force "$@" || code=$?
  [ ! -e "$condition" ] || { rm "$condition" && systemctl daemon-reload; } || :
  return $code
}
