#!/bin/sh
# Created by machineadm. Run it as root; a second run changes nothing. It contains secrets: remove it afterwards.
main() {
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
umask 022
cd /||return 1
if [ "$(id -u)" != 0 ]; then
echo 'machineadm: run this as root' >&2
return 1
fi
if [ -e "$1/done" ]; then
echo 'machineadm: this machine is done; nothing was changed'
return 0
fi
if [ -e "$1/started" ]; then
echo "machineadm: an earlier run failed or was interrupted; see $1/failure.json" >&2
sh "$2"
return 1
fi
mkdir -p "${2%/*}"||return 1
(umask 077&&program >"$2.new")&&mv -f "$2.new" "$2"||return 1
sh "$2" </dev/null
}
program() {
cat <<'END'
#!/bin/sh
# Created by machineadm: runs once and stops at the first failure.
_state=/var/lib/machineadm
_run=/run/cluster-api
_log=/var/log/machineadm.log
_report=/etc/machineadm/report
_resume=
_stopped=
_phase=start
_step=interrupted
_upload() { :; }
_redact() {
tr -cd '\n -~' <$_log|sed 's/[a-z0-9]\{6\}\.[a-z0-9]\{16\}/[redacted]/g'
}
_record() {
printf '{"phase":"%s","step":"%s","exitCode":%d,"log":"%s"}\n' "$@" "$(_redact|tail -c4096|sed 's/[\\"]/\\&/g;s/$/\\n/'|tr -d '\n')"
}
mkdir -p "$_run" "$_state"&&(umask 077&&: >>"$_log")&&chmod go= "$_state" "$_log"||exit 1
_fail() {
[ "$1" != "$_stopped" ]||exit "$1"
[ -e "$_state/failure.json" ]||_record "$_phase" "$_step" "$1" >"$_state/failure.json"
cp "$_state/failure.json" "$_run/bootstrap-failure.json"
_redact >&3
_upload Failed ",\"failure\":$(cat "$_state/failure.json")"
exit "$1"
}
exec 3>&1 >>"$_log" 2>&1 </dev/null
_run_step() {
_phase=$1 _step=$2
printf '%s: %s\n' "$1" "$2"
(
_script=$3
set --
eval "$_script"
) 3>&-
set -- $?
[ "$1" = 0 ]||_fail "$1"
}
_replace_program() {
echo "mkdir -p $_run;echo success>$_run/bootstrap-success.complete" >"$0.new"&&sync&&mv "$0.new" "$0"
}
if [ -e "$_state/done" ]; then
rm -f "$_report"
_replace_program||rm -f "$0.new"
echo success >"$_run/bootstrap-success.complete"
exit
fi
if [ -e "$_state/started" ]; then
[ ! -e "$_resume" ]||exit 0
_fail 1
fi
sync
: >"$_state/started"
_run_step trust spec.machine.proxy 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.proxy.env.machineadm-new&&{ printf %s '\''HTTP_PROXY="http://user:canary7q9zk2xw5v@proxy.example:3128"
http_proxy="http://user:canary7q9zk2xw5v@proxy.example:3128"
HTTPS_PROXY="http://user:canary7q9zk2xw5v@proxy.example:3128"
https_proxy="http://user:canary7q9zk2xw5v@proxy.example:3128"
NO_PROXY="localhost,127.0.0.1,.cluster.local,10.0.0.0/8,::1,demo.example,10.244.0.0/16,10.96.0.0/16,.svc"
no_proxy="localhost,127.0.0.1,.cluster.local,10.0.0.0/8,::1,demo.example,10.244.0.0/16,10.96.0.0/16,.svc"
'\'';}>/etc/machineadm/.proxy.env.machineadm-new)&&chmod 0600 /etc/machineadm/.proxy.env.machineadm-new&&mv -f /etc/machineadm/.proxy.env.machineadm-new /etc/machineadm/proxy.env'
_run_step trust spec.machine.proxy 'mkdir -p /etc/apt/apt.conf.d&&(umask 077&&rm -f /etc/apt/apt.conf.d/.90machineadm-proxy.machineadm-new&&{ printf %s '\''Acquire::http::Proxy "http://user:canary7q9zk2xw5v@proxy.example:3128";
Acquire::https::Proxy "http://user:canary7q9zk2xw5v@proxy.example:3128";
'\'';}>/etc/apt/apt.conf.d/.90machineadm-proxy.machineadm-new)&&chmod 0600 /etc/apt/apt.conf.d/.90machineadm-proxy.machineadm-new&&mv -f /etc/apt/apt.conf.d/.90machineadm-proxy.machineadm-new /etc/apt/apt.conf.d/90machineadm-proxy'
_run_step file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_run_step file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_run_step file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"dpofzm.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"taints":[{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}]}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_run_step unit spec.machine.proxy 'mkdir -p /etc/systemd/system/containerd.service.d&&(umask 077&&{ printf %s '\''[Service]
EnvironmentFile=-/etc/machineadm/proxy.env
'\'';}>/etc/systemd/system/containerd.service.d/.50-machineadm-proxy.conf.machineadm-new)&&chmod 0644 /etc/systemd/system/containerd.service.d/.50-machineadm-proxy.conf.machineadm-new&&mv -f /etc/systemd/system/containerd.service.d/.50-machineadm-proxy.conf.machineadm-new /etc/systemd/system/containerd.service.d/50-machineadm-proxy.conf'
_run_step unit spec.machine.proxy 'systemctl daemon-reload'
_run_step unit spec.machine.proxy 'mkdir -p /etc/systemd/system/kubelet.service.d&&(umask 077&&{ printf %s '\''[Service]
EnvironmentFile=-/etc/machineadm/proxy.env
'\'';}>/etc/systemd/system/kubelet.service.d/.50-machineadm-proxy.conf.machineadm-new)&&chmod 0644 /etc/systemd/system/kubelet.service.d/.50-machineadm-proxy.conf.machineadm-new&&mv -f /etc/systemd/system/kubelet.service.d/.50-machineadm-proxy.conf.machineadm-new /etc/systemd/system/kubelet.service.d/50-machineadm-proxy.conf'
_run_step unit spec.machine.proxy 'systemctl daemon-reload&&{ ! systemctl -q is-active kubelet.service||systemctl restart kubelet.service;}'
_unmask() {
for _unit; do :; done
[ ! -h "/etc/systemd/system/$_unit" ]||systemctl unmask "$@"
}
_enable_now() {
_wait=
for _unit; do :; done
for _unit in $(systemctl show -p After -- "$_unit"); do
_unit=${_unit#After=}
case $_unit in multi-user.target|graphical.target|cloud-final.service|cloud-init.target|cloud-init-main.service|machineadm-bootstrap.service|machineadm-resume.service|machineadm.service)
case $(systemctl show -p Job "$_unit") in
''|Job=|Job=0) ;;
*) _wait=--no-block ;;
esac
;;
esac
done
systemctl enable --now $_wait "$@"
}
_run_step unit spec.machine.kubernetes '_unmask kubelet.service&&_enable_now kubelet.service'
_run_step unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_run_step unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_run_step unit spec.machine.proxy 'systemctl restart containerd.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_run_step join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml'
{ _replace_program&&: >"$_state/done"&&sh "$0"; }||_fail $?
_redact >&3
_upload Succeeded
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
