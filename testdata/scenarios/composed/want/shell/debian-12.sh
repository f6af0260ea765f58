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
_s trust 'spec.pluginRefs[1].documents[0].spec' 'mkdir -p /usr/local/share/ca-certificates&&(umask 077&&{ printf %s '\''-----BEGIN CERTIFICATE-----
MIIBfDCCASGgAwIBAgIULCEWbYcrilrPcSy5truh3ohwH6swCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHc2l0ZSBDQTAgFw0yNjExMjEwNDUyMTdaGA8yMTI2MTAyODA0
NTIxN1owEjEQMA4GA1UEAwwHc2l0ZSBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABMwYQ9T8R3Gt8hygMo8nTAJrS90NOl6IHsDHgCbkc/EMiasoA+VRheJvdmcV
YKLQR7vlKMmqupES5pdj+atMHb2jUzBRMB0GA1UdDgQWBBR5TvsSrx9ZIp5Wb97I
+yMEhQZT+TAfBgNVHSMEGDAWgBR5TvsSrx9ZIp5Wb97I+yMEhQZT+TAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQD1lY7u33o9WD8WFEFMskx1me2r
XgMsjrE3eTPH6k0mlAIhAJ4xVWfG3BsZTi1W2AA02C4J4lPrr/Wl+PwVUkCzSSy4
-----END CERTIFICATE-----
'\'';}>/usr/local/share/ca-certificates/.site.crt.machineadm-new)&&chmod 0644 /usr/local/share/ca-certificates/.site.crt.machineadm-new&&mv -f /usr/local/share/ca-certificates/.site.crt.machineadm-new /usr/local/share/ca-certificates/site.crt'
_s trust 'spec.pluginRefs[1].documents[0].spec' update-ca-certificates
_s file 'spec.pluginRefs[0].documents[0].spec' 'mkdir -p /etc/systemd/timesyncd.conf.d&&(umask 077&&{ printf %s '\''[Time]
NTP=
NTP=ntp1.site.example ntp2.site.example
'\'';}>/etc/systemd/timesyncd.conf.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/systemd/timesyncd.conf.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/systemd/timesyncd.conf.d/.90-machineadm.conf.machineadm-new /etc/systemd/timesyncd.conf.d/90-machineadm.conf'
_s file 'spec.pluginTemplateRefs[0].documents[0].spec' 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
vm.max_map_count = 262144
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_s file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_s file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"fzfa3z.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"criSocket":"unix:///run/containerd/containerd.sock","taints":[{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}]}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_s unit 'spec.pluginRefs[1].documents[0].spec' 'systemctl daemon-reload'
_w(){ for _u;do :;done;[ ! -h "/etc/systemd/system/$_u" ]||systemctl unmask "$@";}
_s unit spec.machine.kubernetes '_w kubelet.service&&systemctl enable --now kubelet.service'
_s unit 'spec.pluginRefs[0].documents[0].spec' '_w systemd-timesyncd.service&&systemctl enable systemd-timesyncd.service'
_s unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_s unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_s unit 'spec.pluginRefs[1].documents[0].spec' 'systemctl restart containerd.service'
_s unit 'spec.pluginRefs[0].documents[0].spec' 'systemctl restart systemd-timesyncd.service'
_s unit 'spec.pluginTemplateRefs[0].documents[0].spec' 'systemctl restart systemd-modules-load.service'
_s unit 'spec.pluginTemplateRefs[0].documents[0].spec' 'systemctl restart systemd-sysctl.service'
_s join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml'
echo 'mkdir -p /run/cluster-api;echo success>/run/cluster-api/bootstrap-success.complete'>$0.new&&mv $0.new $0&&:>$_d/done&&sh $0||_f $?
_c<$_l>&3
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
