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
_run_as() (
umask 077
_groups=--clear-groups
_user=$(getent passwd "$1"|cut -d: -f1)
[ ! "$_user" ]||_groups=--init-groups
if setpriv --reuid "$1" --regid "$2" "$_groups" true 2>/dev/null; then
set -- "$3" setpriv --reuid "$1" --regid "$2" "$_groups" env -i "PATH=$PATH" sh
elif [ "$_user" ]; then
set -- "$3" su -s /bin/sh "$_user"
else
echo "the user $1 has no name" >&2
exit 1
fi
_script=$1
shift
setsid timeout -k5 60 "$@" -c "$_script" >"$_state/output" 2>&1
set -- $?
head -c4096 "$_state/output"
rm -f "$_state/output"
exit "$1"
)
_authorized_keys='IFS= read -r home&&mkdir -p "$home/.ssh"&&chmod 700 "$home/.ssh"&&cd "$home/.ssh"||exit 1
new=.authorized_keys.machineadm-new
rm -f "$new"||exit 1
if [ -e authorized_keys ]; then
awk 1 authorized_keys >"$new"||exit 1
fi
while IFS= read -r key; do
grep -qxFse "$key" "$new"||printf '\''%s\n'\'' "$key" >>"$new"||exit 1
done
mv -f "$new" authorized_keys
'
_add_keys() {
_home=$(getent passwd "$1"|cut -d: -f6)
_group=$(id -g "$1")&&[ "$_home" ]||return 1
[ -e "$_home" ]||mkdir -p "$_home"||return 1
if [ "$(stat -Lc %u "$_home")" = 0 ]; then
mkdir -p "$_home/.ssh"&&chown -h "$1:$_group" "$_home/.ssh"||return 1
fi
_user=$1
shift
(umask 077&&printf '%s\n' "$_home" "$@" >"$_state/stage") &&
_run_as "$(id -u "$_user")" "$_group" "$_authorized_keys" <"$_state/stage" &&
rm -f "$_state/stage"
}
_add_sudoers() {
mkdir -p "${1%/*}"&&rm -f "$2"&&(umask 077&&printf %s "$3" >"$2")&&chmod 0440 "$2"||return 1
if command -v visudo >/dev/null&&! visudo -cqf "$2"; then
rm -f "$2"
return 1
fi
mv -f "$2" "$1"
}
_run_step user 'spec.machine.users[0]' 'if getent passwd ops>/dev/null;then usermod -a -G adm -s /bin/bash ops;elif getent group ops>/dev/null;then useradd -p '\''*'\'' -m -G adm -g ops -s /bin/bash ops;else useradd -p '\''*'\'' -m -U -G adm -s /bin/bash ops;fi&&_add_keys ops '\''ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw operator@example'\''&&_add_sudoers /etc/sudoers.d/machineadm-ops /etc/sudoers.d/.machineadm-ops.machineadm-new '\''ops ALL=(ALL) NOPASSWD:ALL
'\'''
_run_step file 'spec.machine.files[0]' 'mkdir -p /etc&&(umask 077&&{ printf %s '\''A node of the cluster demo.
'\'';}>/etc/.motd.machineadm-new)&&chmod 0644 /etc/.motd.machineadm-new&&mv -f /etc/.motd.machineadm-new /etc/motd'
_run_step file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_run_step file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_run_step file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"pwymvb.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"taints":[{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}],"kubeletExtraArgs":[{"name":"node-labels","value":"node.kubernetes.io/pool=general"}]}}
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
_run_step unit spec.machine.kubernetes '_unmask kubelet.service&&systemctl daemon-reload&&_enable_now kubelet.service'
_run_step unit 'spec.machine.units[0]' 'systemctl mask --now rpcbind.service'
_run_step unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_run_step unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_run_step boot 'spec.machine.bootCommands[0]' 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.boot.machineadm-new&&{ printf %s '\''#!/bin/sh
(eval '\''\'\'''\''echo booted'\''\'\'''\'')
_x=$?;[ $_x = 0 ]||{ printf '\''\'\'''\''%s failed: exit code %d\n'\''\'\'''\'' '\''\'\'''\''spec.machine.bootCommands[0]'\''\'\'''\'' $_x>&2;exit $_x;}
'\'';}>/etc/machineadm/.boot.machineadm-new)&&chmod 0700 /etc/machineadm/.boot.machineadm-new&&mv -f /etc/machineadm/.boot.machineadm-new /etc/machineadm/boot'
_run_step boot 'spec.machine.bootCommands[0]' 'mkdir -p /etc/systemd/system&&(umask 077&&{ printf %s '\''[Unit]
Description=Commands that machineadm runs at every boot
ConditionPathExists=/var/lib/machineadm/done
After=local-fs.target
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /etc/machineadm/boot

[Install]
WantedBy=multi-user.target
'\'';}>/etc/systemd/system/.machineadm-boot.service.machineadm-new)&&chmod 0644 /etc/systemd/system/.machineadm-boot.service.machineadm-new&&mv -f /etc/systemd/system/.machineadm-boot.service.machineadm-new /etc/systemd/system/machineadm-boot.service'
_run_step boot 'spec.machine.bootCommands[0]' 'systemctl daemon-reload&&{ ! systemctl -q is-active machineadm-boot.service||systemctl restart machineadm-boot.service;}&&_enable_now machineadm-boot.service'
_run_step boot 'spec.machine.bootCommands[0]' 'sh /etc/machineadm/boot'
_run_step pre 'spec.machine.preCommands[0]' 'swapoff -a'
_run_step join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml'
_run_step post 'spec.machine.postCommands[0]' 'touch /var/log/joined'
{ _replace_program&&: >"$_state/done"&&sh "$0"; }||_fail $?
_redact >&3
_upload Succeeded
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
