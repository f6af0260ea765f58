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
_run_step file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_run_step file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_run_step file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"ClusterConfiguration","clusterName":"demo","kubernetesVersion":"v1.36.3","controlPlaneEndpoint":"demo.example:6443","networking":{"podSubnet":"10.244.0.0/16","serviceSubnet":"10.96.0.0/16","dnsDomain":"cluster.local"},"apiServer":{},"controllerManager":{},"scheduler":{},"etcd":{"local":{"dataDir":"/var/lib/etcd"}}}
---
{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"InitConfiguration","nodeRegistration":{"taints":[]},"localAPIEndpoint":{"advertiseAddress":"10.0.0.12"},"patches":{"directory":"/etc/machineadm/patches"}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_run_step file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&{ printf %s '\''-----BEGIN CERTIFICATE-----
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
_run_step file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&rm -f /etc/kubernetes/pki/.ca.key.machineadm-new&&{ printf %s '\''-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIHQC+eVfdXQuQB3yW61PaYIfJF38rsqbhjDpWsICHkv0oAoGCCqGSM49
AwEHoUQDQgAElNiLrH01SSccgyHi71/0i1aqLCit70njoJiPEm8u1EohS+0FzCwP
meVpHePpR72VRfbhmIqHtLjgSm2cZoB/mA==
-----END EC PRIVATE KEY-----
'\'';}>/etc/kubernetes/pki/.ca.key.machineadm-new)&&chmod 0600 /etc/kubernetes/pki/.ca.key.machineadm-new&&mv -f /etc/kubernetes/pki/.ca.key.machineadm-new /etc/kubernetes/pki/ca.key'
_run_step file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&{ printf %s '\''-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErXj3DEkSIy0KP8BpIyUdZv0vGQo+
XIF0sbT/+dIS8Ri0EnP59MBgg3uVGbvFNYrMLeW9kcznzRYiVmRDUvPrBA==
-----END PUBLIC KEY-----
'\'';}>/etc/kubernetes/pki/.sa.pub.machineadm-new)&&chmod 0644 /etc/kubernetes/pki/.sa.pub.machineadm-new&&mv -f /etc/kubernetes/pki/.sa.pub.machineadm-new /etc/kubernetes/pki/sa.pub'
_run_step file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&rm -f /etc/kubernetes/pki/.sa.key.machineadm-new&&{ printf %s '\''-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIATsXYGHerHjd/3SWDBt44ML76wYY5K7UuCfmKnbNHKPoAoGCCqGSM49
AwEHoUQDQgAErXj3DEkSIy0KP8BpIyUdZv0vGQo+XIF0sbT/+dIS8Ri0EnP59MBg
g3uVGbvFNYrMLeW9kcznzRYiVmRDUvPrBA==
-----END EC PRIVATE KEY-----
'\'';}>/etc/kubernetes/pki/.sa.key.machineadm-new)&&chmod 0600 /etc/kubernetes/pki/.sa.key.machineadm-new&&mv -f /etc/kubernetes/pki/.sa.key.machineadm-new /etc/kubernetes/pki/sa.key'
_run_step file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&{ printf %s '\''-----BEGIN CERTIFICATE-----
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
_run_step file spec.node 'mkdir -p /etc/kubernetes/pki&&(umask 077&&rm -f /etc/kubernetes/pki/.front-proxy-ca.key.machineadm-new&&{ printf %s '\''-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIOj8+NnbHd2t1sntQbe5TvUkqUy40HrUL1C2+rmawnqEoAoGCCqGSM49
AwEHoUQDQgAEQ+m7Eq349jT50p5o14FINpJeZcDQ/1GmbJWS4AIelnt2Pkjgcq5S
raFQCYI0BP31NntCQWmkXfX2GaggdZQVuQ==
-----END EC PRIVATE KEY-----
'\'';}>/etc/kubernetes/pki/.front-proxy-ca.key.machineadm-new)&&chmod 0600 /etc/kubernetes/pki/.front-proxy-ca.key.machineadm-new&&mv -f /etc/kubernetes/pki/.front-proxy-ca.key.machineadm-new /etc/kubernetes/pki/front-proxy-ca.key'
_run_step file spec.node 'mkdir -p /etc/kubernetes/pki/etcd&&(umask 077&&{ printf %s '\''-----BEGIN CERTIFICATE-----
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
_run_step file spec.node 'mkdir -p /etc/kubernetes/pki/etcd&&(umask 077&&rm -f /etc/kubernetes/pki/etcd/.ca.key.machineadm-new&&{ printf %s '\''-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIN16kEHA7z7AeTSut5qFfUbaYi/b93IXO3+lsvhkF0fcoAoGCCqGSM49
AwEHoUQDQgAE7iCvdD58ksJuzeH3CXdK+X+oyVedO6XAQvB6o+8JS6X2DFEDVKJP
A2rSMyZQkxyb2P0Q9O+Hx5ggIHtIG7HlbQ==
-----END EC PRIVATE KEY-----
'\'';}>/etc/kubernetes/pki/etcd/.ca.key.machineadm-new)&&chmod 0600 /etc/kubernetes/pki/etcd/.ca.key.machineadm-new&&mv -f /etc/kubernetes/pki/etcd/.ca.key.machineadm-new /etc/kubernetes/pki/etcd/ca.key'
_run_step file spec.node 'mkdir -p /etc/machineadm/patches&&(umask 077&&rm -f /etc/machineadm/patches/.kube-apiserver0001+merge.yaml.machineadm-new&&{ printf %s '\''metadata:
  annotations:
    example.io/patched: "true"
'\'';}>/etc/machineadm/patches/.kube-apiserver0001+merge.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/patches/.kube-apiserver0001+merge.yaml.machineadm-new&&mv -f /etc/machineadm/patches/.kube-apiserver0001+merge.yaml.machineadm-new /etc/machineadm/patches/kube-apiserver0001+merge.yaml'
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
_run_step unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_run_step unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_run_step unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_run_step join spec.node 'kubeadm init --config /etc/machineadm/kubeadm.yaml --skip-token-print && rm -f /etc/machineadm/kubeadm.yaml && rm -rf /etc/machineadm/patches'
{ _replace_program&&: >"$_state/done"&&sh "$0"; }||_fail $?
_redact >&3
_upload Succeeded
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
