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
_s trust spec.machine.proxy 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.proxy.env.machineadm-new&&{ printf %s '\''HTTP_PROXY=""
http_proxy=""
HTTPS_PROXY="https://user:canary7q9zk2xw5v@proxy.example:3128"
https_proxy="https://user:canary7q9zk2xw5v@proxy.example:3128"
NO_PROXY=".cluster.local"
no_proxy=".cluster.local"
'\'';}>/etc/machineadm/.proxy.env.machineadm-new)&&chmod 0600 /etc/machineadm/.proxy.env.machineadm-new&&mv -f /etc/machineadm/.proxy.env.machineadm-new /etc/machineadm/proxy.env'
_s trust spec.machine.proxy 'mkdir -p /etc/apt/apt.conf.d&&(umask 077&&rm -f /etc/apt/apt.conf.d/.90machineadm-proxy.machineadm-new&&{ printf %s '\''Acquire::https::Proxy "https://user:canary7q9zk2xw5v@proxy.example:3128";
'\'';}>/etc/apt/apt.conf.d/.90machineadm-proxy.machineadm-new)&&chmod 0600 /etc/apt/apt.conf.d/.90machineadm-proxy.machineadm-new&&mv -f /etc/apt/apt.conf.d/.90machineadm-proxy.machineadm-new /etc/apt/apt.conf.d/90machineadm-proxy'
_s user 'spec.machine.users[0]' 'if getent passwd keeper>/dev/null;then :;elif getent group keeper>/dev/null;then useradd -p '\''*'\'' -m -G '\'''\'' -g keeper keeper;else useradd -p '\''*'\'' -m -U -G '\'''\'' keeper;fi&&printf '\''%s\n'\'' '\''keeper:$6$canary7q9zk2xw5v$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ./0123456789abcdefghijkl'\''|chpasswd -e'
_s file spec.machine.containerd 'mkdir -p /etc/containerd&&(umask 077&&rm -f /etc/containerd/.config.toml.machineadm-new&&{ printf %s '\''version = 2

[plugins]
[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\'']
[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\''.registry]
config_path = '\''\'\'''\''/etc/containerd/certs.d'\''\'\'''\''

[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\''.registry.configs]
[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\''.registry.configs.'\''\'\'''\''registry.example'\''\'\'''\'']
[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\''.registry.configs.'\''\'\'''\''registry.example'\''\'\'''\''.auth]
username = '\''\'\'''\''puller'\''\'\'''\''
password = '\''\'\'''\''canary7q9zk2xw5v'\''\'\'''\''

[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\''.containerd]
default_runtime_name = '\''\'\'''\''runc'\''\'\'''\''

[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\''.containerd.runtimes]
[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\''.containerd.runtimes.runc]
runtime_type = '\''\'\'''\''io.containerd.runc.v2'\''\'\'''\''

[plugins.'\''\'\'''\''io.containerd.grpc.v1.cri'\''\'\'''\''.containerd.runtimes.runc.options]
SystemdCgroup = true
'\'';}>/etc/containerd/.config.toml.machineadm-new)&&chmod 0600 /etc/containerd/.config.toml.machineadm-new&&mv -f /etc/containerd/.config.toml.machineadm-new /etc/containerd/config.toml'
_s file spec.machine.containerd 'mkdir -p /etc/containerd/certs.d/registry.example&&(umask 077&&{ :;}>/etc/containerd/certs.d/registry.example/.hosts.toml.machineadm-new)&&chmod 0644 /etc/containerd/certs.d/registry.example/.hosts.toml.machineadm-new&&mv -f /etc/containerd/certs.d/registry.example/.hosts.toml.machineadm-new /etc/containerd/certs.d/registry.example/hosts.toml'
_s file 'spec.machine.files[0]' 'mkdir -p /etc&&(umask 077&&rm -f /etc/.licence.key.machineadm-new&&{ printf %s '\''licence-of: demo
key: canary7q9zk2xw5v
'\'';}>/etc/.licence.key.machineadm-new)&&chmod 0600 /etc/.licence.key.machineadm-new&&mv -f /etc/.licence.key.machineadm-new /etc/licence.key'
_s file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/.90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_s file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/.90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/.90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/.90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_s file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&rm -f /etc/machineadm/.kubeadm.yaml.machineadm-new&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"y4dtqu.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"criSocket":"unix:///run/containerd/containerd.sock","taints":[{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}]}}
'\'';}>/etc/machineadm/.kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/.kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/.kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_s unit spec.machine.proxy 'mkdir -p /etc/systemd/system/containerd.service.d&&(umask 077&&{ printf %s '\''[Service]
EnvironmentFile=-/etc/machineadm/proxy.env
'\'';}>/etc/systemd/system/containerd.service.d/.50-machineadm-proxy.conf.machineadm-new)&&chmod 0644 /etc/systemd/system/containerd.service.d/.50-machineadm-proxy.conf.machineadm-new&&mv -f /etc/systemd/system/containerd.service.d/.50-machineadm-proxy.conf.machineadm-new /etc/systemd/system/containerd.service.d/50-machineadm-proxy.conf'
_s unit spec.machine.proxy 'systemctl daemon-reload'
_s unit spec.machine.proxy 'mkdir -p /etc/systemd/system/kubelet.service.d&&(umask 077&&{ printf %s '\''[Service]
EnvironmentFile=-/etc/machineadm/proxy.env
'\'';}>/etc/systemd/system/kubelet.service.d/.50-machineadm-proxy.conf.machineadm-new)&&chmod 0644 /etc/systemd/system/kubelet.service.d/.50-machineadm-proxy.conf.machineadm-new&&mv -f /etc/systemd/system/kubelet.service.d/.50-machineadm-proxy.conf.machineadm-new /etc/systemd/system/kubelet.service.d/50-machineadm-proxy.conf'
_s unit spec.machine.proxy 'systemctl daemon-reload&&{ ! systemctl -q is-active kubelet.service||systemctl restart kubelet.service;}'
_w(){ for _u;do :;done;[ ! -h "/etc/systemd/system/$_u" ]||systemctl unmask "$@";}
_s unit spec.machine.kubernetes '_w kubelet.service&&systemctl enable --now kubelet.service'
_s unit spec.machine.containerd '_w containerd.service&&systemctl enable containerd.service'
_s unit spec.machine.osUpdates 'systemctl mask --now apt-daily-upgrade.timer'
_s unit spec.machine.osUpdates 'systemctl mask --now unattended-upgrades.service'
_s unit spec.machine.proxy 'systemctl restart containerd.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_s join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml'
echo 'mkdir -p /run/cluster-api;echo success>/run/cluster-api/bootstrap-success.complete'>$0.new&&mv $0.new $0&&:>$_d/done&&sh $0||_f $?
_c<$_l>&3
END
}
main /var/lib/machineadm /etc/machineadm/bootstrap
