#!/bin/sh
# Created by machineadm. Run it as root; a second run changes nothing. It contains secrets: remove it afterwards.
main() {
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
umask 022
cd / || return 1
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
mkdir -p "${2%/*}" || return 1
(umask 077 && program >"$2.new") && mv -f "$2.new" "$2" || return 1
sh "$2" </dev/null
}
program() {
cat <<'END'
#!/bin/sh
# Made by machineadm: runs once, stops at the first failure.
_d=/var/lib/machineadm _r=/run/cluster-api _l=/var/log/machineadm.log _p=start _n=interrupted
mkdir -p $_r $_d&&(umask 77;:>>$_l)&&chmod go= $_d $_l||exit 1
_c(){ tr -cd '\n -~'|sed 's/[a-z0-9]\{6\}\.[a-z0-9]\{16\}/[redacted]/g';}
_f(){
[ -e $_d/failure.json ]||printf '{"phase":"%s","step":"%s","exitCode":%d,"log":"%s"}\n' $_p "$_n" $1 "$(_c<$_l|tail -c4096|sed 's/[\\"]/\\&/g'|awk '{printf "%s\\n",$0}')">$_d/failure.json
cp $_d/failure.json $_r/bootstrap-failure.json
_c<$_l>&3
exit $1
}
_s(){ _p=$1 _n=$2;printf '%s: %s\n' $1 "$2";(_x=$3;set --;eval "$_x") 3>&-;set $?;[ $1 = 0 ]||_f $1;}
exec 3>&1 >>$_l 2>&1 </dev/null
[ -e $_d/done ]&&{ echo success>$_r/bootstrap-success.complete;exit;}
[ -e $_d/started ]&&_f 1
:>$_d/started
_a()(umask 077
_i=--clear-groups;_u=$(getent passwd "$1"|cut -d: -f1);[ ! "$_u" ]||_i=--init-groups
if setpriv --reuid "$1" --regid "$2" $_i true 2>/dev/null;then set -- "$3" setpriv --reuid "$1" --regid "$2" $_i env -i "PATH=$PATH" sh
elif [ "$_u" ];then set -- "$3" su -s /bin/sh "$_u";else echo "the user $1 has no name">&2;exit 1;fi
_x=$1;shift;setsid timeout -k5 60 "$@" -c "$_x">/var/lib/machineadm/said 2>&1;set $?;head -c4096 /var/lib/machineadm/said;rm -f /var/lib/machineadm/said;exit $1)
_s user 'spec.machine.users[0]' 'if getent passwd ops>/dev/null;then usermod -a -G adm -s /bin/bash ops;elif getent group ops>/dev/null;then useradd -p '\''*'\'' -m -G adm -g ops -s /bin/bash ops;else useradd -p '\''*'\'' -m -U -G adm -s /bin/bash ops;fi&&_h=$(getent passwd ops|cut -d: -f6)&&[ "$_h" ]&&_g=$(id -g ops)&&{ [ -e "$_h" ]||mkdir -p "$_h";}&&{ [ "$(stat -Lc %u "$_h")" != 0 ]||{ mkdir -p "$_h/.ssh"&&chown -h ops:"$_g" "$_h/.ssh";};}&&(umask 077&&printf '\''%s\n'\'' '\''ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8E0Y0Q0Z0W0X0Y0Z0a0b0c0d0e0f0g0h0i0j0k operator@example'\''>/var/lib/machineadm/stage)&&_a "$(id -u ops)" "$_g" '\''_h=$(getent passwd ops|cut -d: -f6)&&[ "$_h" ]&&mkdir -p "$_h/.ssh"&&chmod 700 "$_h/.ssh"&&cd "$_h/.ssh"&&_k=.authorized_keys.machineadm-new&&rm -f $_k&&{ [ ! -e authorized_keys ]||awk 1 authorized_keys>$_k;}&&while IFS= read -r _l;do grep -qxFse "$_l" $_k||printf '\''\'\'''\''%s\n'\''\'\'''\'' "$_l">>$_k||exit 1;done&&mv -f $_k authorized_keys'\''</var/lib/machineadm/stage&&rm -f /var/lib/machineadm/stage&&mkdir -p /etc/sudoers.d&&rm -f /etc/sudoers.d/.machineadm-ops.machineadm-new&&(umask 077&&printf %s '\''ops ALL=(ALL) NOPASSWD:ALL
'\''>/etc/sudoers.d/.machineadm-ops.machineadm-new)&&chmod 0440 /etc/sudoers.d/.machineadm-ops.machineadm-new&&{ ! command -v visudo>/dev/null||visudo -cqf /etc/sudoers.d/.machineadm-ops.machineadm-new||{ rm -f /etc/sudoers.d/.machineadm-ops.machineadm-new;false;};}&&mv -f /etc/sudoers.d/.machineadm-ops.machineadm-new /etc/sudoers.d/machineadm-ops'
_s file 'spec.machine.files[0]' 'mkdir -p /etc&&(umask 077&&{ printf %s '\''A node of the cluster demo.
'\'';}>/etc/.motd.machineadm-new)&&chmod 0644 /etc/.motd.machineadm-new&&mv -f /etc/.motd.machineadm-new /etc/motd'
_s file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_s file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_s file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"pwymvb.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"criSocket":"unix:///run/containerd/containerd.sock","taints":[{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}],"kubeletExtraArgs":[{"name":"node-labels","value":"node.kubernetes.io/pool=general"}]}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_w(){ for _u;do :;done;[ ! -h "/etc/systemd/system/$_u" ]||systemctl unmask "$@";}
_s unit spec.machine.kubernetes '_w kubelet.service&&systemctl daemon-reload&&systemctl enable --now kubelet.service'
_s unit 'spec.machine.units[0]' 'systemctl mask --now rpcbind.service'
_s unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_s unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_s boot 'spec.machine.bootCommands[0]' 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.boot.machineadm-new&&{ printf %s '\''#!/bin/sh
(eval '\''\'\'''\''echo booted'\''\'\'''\'')
_x=$?;[ $_x = 0 ]||{ printf '\''\'\'''\''%s failed: exit code %d\n'\''\'\'''\'' '\''\'\'''\''spec.machine.bootCommands[0]'\''\'\'''\'' $_x>&2;exit $_x;}
'\'';}>/etc/machineadm/.boot.machineadm-new)&&chmod 0700 /etc/machineadm/.boot.machineadm-new&&mv -f /etc/machineadm/.boot.machineadm-new /etc/machineadm/boot'
_s boot 'spec.machine.bootCommands[0]' 'mkdir -p /etc/systemd/system&&(umask 077&&{ printf %s '\''[Unit]
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
_s boot 'spec.machine.bootCommands[0]' 'systemctl daemon-reload&&{ ! systemctl -q is-active machineadm-boot.service||systemctl restart machineadm-boot.service;}&&systemctl enable --now machineadm-boot.service'
_s boot 'spec.machine.bootCommands[0]' 'sh /etc/machineadm/boot'
_s pre 'spec.machine.preCommands[0]' 'swapoff -a'
_s join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml'
_s post 'spec.machine.postCommands[0]' 'touch /var/log/joined'
echo 'mkdir -p /run/cluster-api;echo success>/run/cluster-api/bootstrap-success.complete'>$0.new&&mv $0.new $0&&:>$_d/done&&sh $0||_f $?
_c<$_l>&3
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
