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
_b(){ _i=0;until [ -b "$1" ];do [ $((_i=_i+1)) -le 60 ]||{ echo "$1 did not appear">&2;return 1;};udevadm settle||:;sleep 1;done;}
_m(){ _o=/etc/fstab _t=/etc/.fstab.machineadm-new
[ -e $_o ]||:>$_o
cp -p $_o $_t&&L=$2 awk -v k=$1 'BEGIN{l=ENVIRON["L"];split(l,w)}/^[ \t]*#/||$k""!=w[k]""{print;next}!p++{print l}END{if(!p)print l}' $_o>$_t&&mv -f $_t $_o;}
_e(){ _o=;cd /;set -f;IFS=/
for _c in $1;do [ "$_c" ]||continue
_n=$(pwd -P);_m=;mkdir "./$_c" 2>/dev/null&&_m=1
cd -P "./$_c"||return 1
[ ! "$_o" ]||{ [ "$(pwd -P)" = "${_n%/}/$_c" ]||{ echo "$1: a link in a directory of $_o">&2;return 1;}
[ ! "$_m" ]||[ "${_o%:*}" = 0 ]||[ "$(stat -c %u .)$(ls -A .)" != 0 ]||chown "$_o" .||return 1;}
[ "$_o" ]||case "$(stat -c '%u %A' .)" in '0 '?????-??-*);;*)_o=$(stat -c %u:%g .);;esac
done;unset IFS;set +f;_g=$_o;case "$_o $(stat -c '%u %A' .)" in 0:*' 0 '?????-??-*)_g=;;esac
_t=./.machineadm-new;[ ! "$_g" ]||_t=/var/lib/machineadm/stage;rm -f "$_t";}
_p(){ _e "${1%/*}"&&_b=./${1##*/};}
_r(){ _e "$1"&&{ [ ! "$_o" ]||{ echo "$1: other users own or write a directory of the path">&2;return 1;};};}
_s disk 'spec.machine.disks[0]' '_b /dev/vdb&&wipefs -afq /dev/vdb&&printf %s '\''1: size=4096MiB, name="etcd"
2: size=+, name="data"
'\''|sfdisk -q -X gpt -w always -W always /dev/vdb&&{ udevadm settle||:;}'
_s disk 'spec.machine.filesystems[0]' '_b /dev/disk/by-partlabel/etcd&&wipefs -afq /dev/disk/by-partlabel/etcd&&mkfs.ext4 -F -L etcd /dev/disk/by-partlabel/etcd&&{ udevadm settle||:;}'
_s disk 'spec.machine.filesystems[1]' '_b /dev/disk/by-partlabel/data&&{ _t=$(blkid -p -o value -s TYPE -s PTTYPE /dev/disk/by-partlabel/data)||[ $? = 2 ];}&&case $_t in '\'''\'')mkfs.xfs -f -L data /dev/disk/by-partlabel/data&&{ udevadm settle||:;};;xfs);;*)echo /dev/disk/by-partlabel/data" contains $_t; set wipe to replace it">&2;false;;esac'
_s disk 'spec.machine.mounts[0]' '_r /var/lib&&_b /dev/disk/by-partlabel/etcd&&mkdir -p /var/lib/etcd&&_m 2 '\''/dev/disk/by-partlabel/etcd /var/lib/etcd ext4 noatime 0 2'\''&&systemctl daemon-reload&&{ mountpoint -q /var/lib/etcd||mount /var/lib/etcd;}'
_s disk 'spec.machine.mounts[1]' '_r /mnt&&_b /dev/disk/by-partlabel/data&&mkdir -p /mnt/data-disk&&_m 2 '\''/dev/disk/by-partlabel/data /mnt/data-disk xfs defaults 0 2'\''&&systemctl daemon-reload&&{ mountpoint -q /mnt/data-disk||mount /mnt/data-disk;}'
_s user 'spec.machine.groups[0]' 'if getent group app>/dev/null;then { [ "$(getent group app|cut -d: -f3)" = 1500 ]||{ echo '\''the group app exists with another number than 1500'\''>&2;false;};};else groupadd -g 1500 app;fi'
_s user 'spec.machine.users[0]' 'if getent passwd app>/dev/null;then { [ "$(id -u app)" = 1500 ]||{ echo '\''the user app exists with another number than 1500'\''>&2;false;};}&&usermod -d /var/app -g app app;else { [ -e /var/app ]||(_r /var);}&&useradd -p '\''*'\'' -m -u 1500 -G '\'''\'' -d /var/app -g app app;fi'
_s file 'spec.machine.files[0]' '_p /mnt/data-disk/app/settings&&(umask 077&&rm -f "$_t"&&{ printf %s '\''a: b
'\'';}>"$_t")&&chown app:app "$_t"&&chmod 0640 "$_t"&&mv -fT "$_t" "$_b"'
_s file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_s file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_s file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"5wj7i5.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"criSocket":"unix:///run/containerd/containerd.sock","taints":[{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}]}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_w(){ for _u;do :;done;[ ! -h "/etc/systemd/system/$_u" ]||systemctl unmask "$@";}
_s unit spec.machine.kubernetes '_w kubelet.service&&systemctl daemon-reload&&systemctl enable --now kubelet.service'
_s unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_s unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_s join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml'
echo 'mkdir -p /run/cluster-api;echo success>/run/cluster-api/bootstrap-success.complete'>$0.new&&mv $0.new $0&&:>$_d/done&&sh $0||_f $?
_c<$_l>&3
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
