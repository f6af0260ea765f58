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
_s file spec.machine.kubernetes '_p /var/lib/extensions.d/kubernetes-v1.35.0-x86-64.raw&&if command -v curl>/dev/null;then timeout 14400 curl -fsSL -Y16384 -y60 --retry 5 --retry-connrefused -o "$_t" https://mirror.example/extensions/kubernetes-v1.35.0-x86-64.raw;else timeout 14400 wget -qT60 -O "$_t" https://mirror.example/extensions/kubernetes-v1.35.0-x86-64.raw;fi&&{ [ "$(sha256sum<"$_t")" = '\''9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  -'\'' ]||{ echo '\''wrong digest'\''>&2;rm -f "$_t";false;};}&&chmod 0644 "$_t"&&mv -fT "$_t" "$_b"&&{ restorecon "$_b"||:;}'
_s file spec.machine.kubernetes '_p /var/lib/extensions/kubernetes.raw&&ln -sfnT /var/lib/extensions.d/kubernetes-v1.35.0-x86-64.raw "$_b"'
_s file spec.machine.kubernetes 'test -e /usr/lib/extension-release.d/extension-release.kubernetes || { systemd-sysext refresh && systemctl daemon-reload; }'
_s file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_s file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_s file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"ClusterConfiguration","clusterName":"demo","kubernetesVersion":"v1.35.0","controlPlaneEndpoint":"demo.example:6443","networking":{"podSubnet":"10.244.0.0/16","serviceSubnet":"10.96.0.0/16","dnsDomain":"cluster.local"},"apiServer":{},"controllerManager":{"extraArgs":[{"name":"flex-volume-plugin-dir","value":"/var/lib/kubelet/volumeplugins"}]},"scheduler":{},"etcd":{}}
---
{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"InitConfiguration","nodeRegistration":{"criSocket":"unix:///var/run/crio/crio.sock"}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_s file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&{ printf %s '\''-----BEGIN CERTIFICATE-----
MIIBXTCCAQOgAwIBAgIBADAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwprdWJlcm5l
dGVzMCAXDTcwMDEwMTAwMDAwMFoYDzIxMDAwMTAxMDAwMDAwWjAVMRMwEQYDVQQD
EwprdWJlcm5ldGVzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAElNiLrH01SScc
gyHi71/0i1aqLCit70njoJiPEm8u1EohS+0FzCwPmeVpHePpR72VRfbhmIqHtLjg
Sm2cZoB/mKNCMEAwDgYDVR0PAQH/BAQDAgKkMA8GA1UdEwEB/wQFMAMBAf8wHQYD
VR0OBBYEFGXAaof2H6Zpqc1PZ7KsLqFPTkWXMAoGCCqGSM49BAMCA0gAMEUCIHyB
DGmeucPklHepIHF8x845CARL1bZ4kkcGSmYZE5HoAiEA+UURuUaQnTIXoF5ikLhE
XNoQdXqCrO7kV45Dy74E4Fo=
-----END CERTIFICATE-----
'\'';}>/etc/kubernetes/pki/.ca.crt.machineadm-new)&&chmod 0644 /etc/kubernetes/pki/.ca.crt.machineadm-new&&mv -f /etc/kubernetes/pki/.ca.crt.machineadm-new /etc/kubernetes/pki/ca.crt'
_s file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&rm -f /etc/kubernetes/pki/.ca.key.machineadm-new&&{ printf %s '\''-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIHQC+eVfdXQuQB3yW61PaYIfJF38rsqbhjDpWsICHkv0oAoGCCqGSM49
AwEHoUQDQgAElNiLrH01SSccgyHi71/0i1aqLCit70njoJiPEm8u1EohS+0FzCwP
meVpHePpR72VRfbhmIqHtLjgSm2cZoB/mA==
-----END EC PRIVATE KEY-----
'\'';}>/etc/kubernetes/pki/.ca.key.machineadm-new)&&chmod 0600 /etc/kubernetes/pki/.ca.key.machineadm-new&&mv -f /etc/kubernetes/pki/.ca.key.machineadm-new /etc/kubernetes/pki/ca.key'
_s file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&{ printf %s '\''-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErXj3DEkSIy0KP8BpIyUdZv0vGQo+
XIF0sbT/+dIS8Ri0EnP59MBgg3uVGbvFNYrMLeW9kcznzRYiVmRDUvPrBA==
-----END PUBLIC KEY-----
'\'';}>/etc/kubernetes/pki/.sa.pub.machineadm-new)&&chmod 0644 /etc/kubernetes/pki/.sa.pub.machineadm-new&&mv -f /etc/kubernetes/pki/.sa.pub.machineadm-new /etc/kubernetes/pki/sa.pub'
_s file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&rm -f /etc/kubernetes/pki/.sa.key.machineadm-new&&{ printf %s '\''-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIATsXYGHerHjd/3SWDBt44ML76wYY5K7UuCfmKnbNHKPoAoGCCqGSM49
AwEHoUQDQgAErXj3DEkSIy0KP8BpIyUdZv0vGQo+XIF0sbT/+dIS8Ri0EnP59MBg
g3uVGbvFNYrMLeW9kcznzRYiVmRDUvPrBA==
-----END EC PRIVATE KEY-----
'\'';}>/etc/kubernetes/pki/.sa.key.machineadm-new)&&chmod 0600 /etc/kubernetes/pki/.sa.key.machineadm-new&&mv -f /etc/kubernetes/pki/.sa.key.machineadm-new /etc/kubernetes/pki/sa.key'
_s file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&{ printf %s '\''-----BEGIN CERTIFICATE-----
MIIBXjCCAQOgAwIBAgIBADAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwprdWJlcm5l
dGVzMCAXDTcwMDEwMTAwMDAwMFoYDzIxMDAwMTAxMDAwMDAwWjAVMRMwEQYDVQQD
EwprdWJlcm5ldGVzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEQ+m7Eq349jT5
0p5o14FINpJeZcDQ/1GmbJWS4AIelnt2Pkjgcq5SraFQCYI0BP31NntCQWmkXfX2
GaggdZQVuaNCMEAwDgYDVR0PAQH/BAQDAgKkMA8GA1UdEwEB/wQFMAMBAf8wHQYD
VR0OBBYEFK+/vM4XasHbxf4CcfazFs84UBZrMAoGCCqGSM49BAMCA0kAMEYCIQCF
oYFXWt/xxrN2VIb6S1sWKez87Xj+IxszJt7ijvewvwIhAK2q2ddjIlm4sSkAdOR3
zeOPdvd2q2QSdslRIkZ4lvPT
-----END CERTIFICATE-----
'\'';}>/etc/kubernetes/pki/.front-proxy-ca.crt.machineadm-new)&&chmod 0644 /etc/kubernetes/pki/.front-proxy-ca.crt.machineadm-new&&mv -f /etc/kubernetes/pki/.front-proxy-ca.crt.machineadm-new /etc/kubernetes/pki/front-proxy-ca.crt'
_s file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&rm -f /etc/kubernetes/pki/.front-proxy-ca.key.machineadm-new&&{ printf %s '\''-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIOj8+NnbHd2t1sntQbe5TvUkqUy40HrUL1C2+rmawnqEoAoGCCqGSM49
AwEHoUQDQgAEQ+m7Eq349jT50p5o14FINpJeZcDQ/1GmbJWS4AIelnt2Pkjgcq5S
raFQCYI0BP31NntCQWmkXfX2GaggdZQVuQ==
-----END EC PRIVATE KEY-----
'\'';}>/etc/kubernetes/pki/.front-proxy-ca.key.machineadm-new)&&chmod 0600 /etc/kubernetes/pki/.front-proxy-ca.key.machineadm-new&&mv -f /etc/kubernetes/pki/.front-proxy-ca.key.machineadm-new /etc/kubernetes/pki/front-proxy-ca.key'
_s file spec.node 'mkdir -p /etc/kubernetes/pki/etcd&&(umask 077&&{ printf %s '\''-----BEGIN CERTIFICATE-----
MIIBXjCCAQOgAwIBAgIBADAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwprdWJlcm5l
dGVzMCAXDTcwMDEwMTAwMDAwMFoYDzIxMDAwMTAxMDAwMDAwWjAVMRMwEQYDVQQD
EwprdWJlcm5ldGVzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7iCvdD58ksJu
zeH3CXdK+X+oyVedO6XAQvB6o+8JS6X2DFEDVKJPA2rSMyZQkxyb2P0Q9O+Hx5gg
IHtIG7HlbaNCMEAwDgYDVR0PAQH/BAQDAgKkMA8GA1UdEwEB/wQFMAMBAf8wHQYD
VR0OBBYEFHp8qA+qRRc72RQJO2WgXq06ykj3MAoGCCqGSM49BAMCA0kAMEYCIQC+
6qjqYEvf27wadYT3wi/L6ERaSQevuQ+r6Omm0H0TdwIhAPGxvUxnbkn3hCOMCFEL
ZnQPYwDH/30OIF4pVqEgYEri
-----END CERTIFICATE-----
'\'';}>/etc/kubernetes/pki/etcd/.ca.crt.machineadm-new)&&chmod 0644 /etc/kubernetes/pki/etcd/.ca.crt.machineadm-new&&mv -f /etc/kubernetes/pki/etcd/.ca.crt.machineadm-new /etc/kubernetes/pki/etcd/ca.crt'
_s file spec.node 'mkdir -p /etc/kubernetes/pki/etcd&&(umask 077&&rm -f /etc/kubernetes/pki/etcd/.ca.key.machineadm-new&&{ printf %s '\''-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIN16kEHA7z7AeTSut5qFfUbaYi/b93IXO3+lsvhkF0fcoAoGCCqGSM49
AwEHoUQDQgAE7iCvdD58ksJuzeH3CXdK+X+oyVedO6XAQvB6o+8JS6X2DFEDVKJP
A2rSMyZQkxyb2P0Q9O+Hx5ggIHtIG7HlbQ==
-----END EC PRIVATE KEY-----
'\'';}>/etc/kubernetes/pki/etcd/.ca.key.machineadm-new)&&chmod 0600 /etc/kubernetes/pki/etcd/.ca.key.machineadm-new&&mv -f /etc/kubernetes/pki/etcd/.ca.key.machineadm-new /etc/kubernetes/pki/etcd/ca.key'
_w(){ for _u;do :;done;[ ! -h "/etc/systemd/system/$_u" ]||systemctl unmask "$@";}
_s unit spec.machine.kubernetes '_w systemd-sysext.service&&systemctl daemon-reload&&systemctl enable --now systemd-sysext.service'
_s unit spec.machine.kubernetes 'mkdir -p /etc/systemd/system/multi-user.target.d&&(umask 077&&{ printf %s '\''[Unit]
Upholds=crio.service kubelet.service
'\'';}>/etc/systemd/system/multi-user.target.d/.50-machineadm-kubernetes.conf.machineadm-new)&&chmod 0644 /etc/systemd/system/multi-user.target.d/.50-machineadm-kubernetes.conf.machineadm-new&&mv -f /etc/systemd/system/multi-user.target.d/.50-machineadm-kubernetes.conf.machineadm-new /etc/systemd/system/multi-user.target.d/50-machineadm-kubernetes.conf'
_s unit spec.machine.kubernetes 'systemctl daemon-reload'
_s unit spec.machine.osUpdates 'systemctl mask --now zincati.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_s join spec.node 'kubeadm init --config /etc/machineadm/kubeadm.yaml --skip-token-print && rm -f /etc/machineadm/kubeadm.yaml'
echo 'mkdir -p /run/cluster-api;echo success>/run/cluster-api/bootstrap-success.complete'>$0.new&&mv $0.new $0&&:>$_d/done&&sh $0||_f $?
_c<$_l>&3
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
