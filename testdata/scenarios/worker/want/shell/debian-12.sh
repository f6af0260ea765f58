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
_run_step file spec.machine.timeSync 'mkdir -p /etc/chrony&&(umask 077&&{ printf %s '\''server ntp1.example iburst
server ntp2.example iburst
driftfile /var/lib/chrony/chrony.drift
makestep 1.0 3
rtcsync
'\'';}>/etc/chrony/.chrony.conf.machineadm-new)&&chmod 0644 /etc/chrony/.chrony.conf.machineadm-new&&mv -f /etc/chrony/.chrony.conf.machineadm-new /etc/chrony/chrony.conf'
_run_step file spec.machine.timeSync 'mkdir -p /etc/systemd/timesyncd.conf.d&&(umask 077&&{ printf %s '\''[Time]
NTP=
NTP=ntp1.example ntp2.example
'\'';}>/etc/systemd/timesyncd.conf.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/systemd/timesyncd.conf.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/systemd/timesyncd.conf.d/.90-machineadm.conf.machineadm-new /etc/systemd/timesyncd.conf.d/90-machineadm.conf'
_run_step file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_run_step file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_run_step file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"diinl6.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"taints":[{"key":"example.org/dedicated","value":"batch","effect":"NoSchedule"},{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}],"kubeletExtraArgs":[{"name":"node-labels","value":"node.kubernetes.io/pool=general"}]},"patches":{"directory":"/etc/machineadm/patches"}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_run_step file spec.node 'mkdir -p /etc/machineadm/patches&&(umask 077&&rm -f /etc/machineadm/patches/.kubeletconfiguration0000+merge.yaml.machineadm-new&&{ printf %s '\''{"maxPods":64}
'\'';}>/etc/machineadm/patches/.kubeletconfiguration0000+merge.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/patches/.kubeletconfiguration0000+merge.yaml.machineadm-new&&mv -f /etc/machineadm/patches/.kubeletconfiguration0000+merge.yaml.machineadm-new /etc/machineadm/patches/kubeletconfiguration0000+merge.yaml'
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
_run_step unit spec.machine.kubernetes '_unmask kubelet.service&&systemctl daemon-reload&&_enable_now kubelet.service'
_run_step unit spec.machine.timeSync 'units='\''chrony.service systemd-timesyncd.service'\''
daemon='\'''\'' running=is-active
[ -d /run/systemd/system ]||running='\'''\''
for state in $running is-enabled disabled; do
for unit in $units; do
[ -z "$daemon" ]||break
case $state in
disabled) [ "$(systemctl is-enabled "$unit" 2>/dev/null)" != disabled ]||daemon=$unit ;;
*) ! systemctl -q $state "$unit"||daemon=$unit ;;
esac
done
done
if [ -z "$daemon" ]; then
echo "no time daemon is installed, so the time servers are not used; install one of $units" >&2
else
systemctl -q is-enabled "$daemon" ||
{ mkdir -p /etc/machineadm&&echo "$daemon" >/etc/machineadm/time-daemon&&systemctl enable "$daemon"; } &&
{ [ ! -d /run/systemd/system ]||systemctl restart "$daemon"; }
fi
'
_run_step unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_run_step unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_run_step join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml && rm -rf /etc/machineadm/patches'
{ _replace_program&&: >"$_state/done"&&sh "$0"; }||_fail $?
_redact >&3
_upload Succeeded
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
