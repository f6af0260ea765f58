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
_enter() {
_owner=
cd /||return 1
set -f
IFS=/
for _name in $1; do
[ "$_name" ]||continue
_parent=$(pwd -P)
_created=
mkdir "./$_name" 2>/dev/null&&_created=1
cd -P "./$_name"||return 1
if [ ! "$_owner" ]; then
_only_root_writes||_owner=$(stat -c %u:%g .)
elif [ "$(pwd -P)" != "${_parent%/}/$_name" ]; then
echo "$1: a link in a directory of $_owner" >&2
return 1
elif [ "$_created" ]&&[ "${_owner%:*}" != 0 ]&&[ "$(stat -c %u .)$(ls -A .)" = 0 ]; then
chown "$_owner" .||return 1
fi
done
unset IFS
set +f
_sharer=$_owner
_temporary=$_state/stage
if [ "${_owner%:*}" = 0 ]&&_only_root_writes; then
_sharer=
fi
[ "$_sharer" ]||_temporary=./.machineadm-new
rm -f "$_temporary"
}
_only_root_writes() {
case "$(stat -c '%u %A' .)" in
'0 '?????-??-*) ;;
*) return 1 ;;
esac
}
_enter_parent() {
_enter "${1%/*}"&&_entry=./${1##*/}
}
_enter_private() {
_enter "$1"||return 1
if [ "$_owner" ]; then
echo "$1: other users own or write a directory of the path" >&2
return 1
fi
}
_run_step file spec.machine.kubernetes '_enter_parent /opt/extensions/kubernetes/kubernetes-v1.36.3-x86-64.raw&&if command -v curl>/dev/null;then timeout 14400 curl -fsSL -Y16384 -y60 --retry 5 --retry-connrefused -o "$_temporary" https://mirror.example/extensions/kubernetes-v1.36.3-x86-64.raw;else timeout 14400 wget -qT60 -O "$_temporary" https://mirror.example/extensions/kubernetes-v1.36.3-x86-64.raw;fi&&{ [ "$(sha256sum<"$_temporary")" = '\''9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  -'\'' ]||{ echo '\''wrong digest'\''>&2;rm -f "$_temporary";false;};}&&chmod 0644 "$_temporary"&&mv -fT "$_temporary" "$_entry"'
_run_step file spec.machine.kubernetes 'mkdir -p /etc/extensions&&ln -sfnT /opt/extensions/kubernetes/kubernetes-v1.36.3-x86-64.raw /etc/extensions/kubernetes.raw'
_run_step file spec.machine.kubernetes 'test -e /usr/lib/extension-release.d/extension-release.kubernetes || { systemd-sysext refresh && systemctl daemon-reload; }'
_run_step file spec.machine.crio 'mkdir -p /etc/crio/crio.conf.d&&(umask 077&&{ printf %s '\''[crio]
[crio.runtime]
cgroup_manager = '\''\'\'''\''systemd'\''\'\'''\''
conmon_cgroup = '\''\'\'''\''pod'\''\'\'''\''

[crio.image]
pause_image = '\''\'\'''\''registry.example/pause:3.10.2'\''\'\'''\''
'\'';}>/etc/crio/crio.conf.d/.50-machineadm.conf.machineadm-new)&&chmod 0644 /etc/crio/crio.conf.d/.50-machineadm.conf.machineadm-new&&mv -f /etc/crio/crio.conf.d/.50-machineadm.conf.machineadm-new /etc/crio/crio.conf.d/50-machineadm.conf'
_run_step file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_run_step file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_run_step file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"2ay6y7.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"criSocket":"unix:///var/run/crio/crio.sock","taints":[{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}]}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
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
_run_step unit spec.machine.kubernetes '_unmask systemd-sysext.service&&systemctl daemon-reload&&_enable_now systemd-sysext.service'
_run_step unit spec.machine.kubernetes 'mkdir -p /etc/systemd/system/multi-user.target.d&&(umask 077&&{ printf %s '\''[Unit]
Upholds=crio.service kubelet.service
'\'';}>/etc/systemd/system/multi-user.target.d/.50-machineadm-kubernetes.conf.machineadm-new)&&chmod 0644 /etc/systemd/system/multi-user.target.d/.50-machineadm-kubernetes.conf.machineadm-new&&mv -f /etc/systemd/system/multi-user.target.d/.50-machineadm-kubernetes.conf.machineadm-new /etc/systemd/system/multi-user.target.d/50-machineadm-kubernetes.conf'
_run_step unit spec.machine.kubernetes 'systemctl daemon-reload'
_run_step unit spec.machine.crio '_unmask crio.service&&systemctl enable crio.service'
_run_step unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_run_step unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_run_step unit spec.machine.crio 'systemctl restart crio.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_run_step join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml'
{ _replace_program&&: >"$_state/done"&&sh "$0"; }||_fail $?
_redact >&3
_upload Succeeded
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
