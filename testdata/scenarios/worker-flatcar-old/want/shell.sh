#!/bin/sh
# Made by machineadm. Run it as root; a second run changes nothing. It holds secrets: remove it afterwards.
main() {
	PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	export PATH
	umask 022
	cd / || return 1
	if [ "$(id -u)" != 0 ]; then
		echo 'machineadm: run this as root' >&2
		return 1
	fi
	if [ -e /var/lib/machineadm/done ]; then
		echo 'machineadm: this machine is done; nothing was changed'
		return 0
	fi
	if [ -e /var/lib/machineadm/started ]; then
		echo 'machineadm: an earlier run failed or was interrupted; see /var/lib/machineadm/failure.json' >&2
		sh /etc/machineadm/bootstrap
		return 1
	fi
	mkdir -p /etc/machineadm || return 1
	(umask 077 && program >/etc/machineadm/bootstrap.new) && mv -f /etc/machineadm/bootstrap.new /etc/machineadm/bootstrap || return 1
	sh /etc/machineadm/bootstrap </dev/null
}
program() {
cat <<'END'
#!/bin/sh
# Made by machineadm: runs once, stops at the first failure.
_d=/var/lib/machineadm _r=/run/cluster-api _l=/var/log/machineadm.log _p=start _n=interrupted
mkdir -p $_r&&mkdir -pm700 $_d&&(umask 077&&:>>$_l)||exit 1
_c(){ tr -cd '\n -~'|sed 's/[a-z0-9]\{6\}\.[a-z0-9]\{16\}/[redacted]/g';}
_f(){
[ -e $_d/failure.json ]||printf '{"phase":"%s","step":"%s","exitCode":%d,"log":"%s"}\n' $_p "$_n" $1 "$(tail -c4096 $_l|_c|sed 's/[\\"]/\\&/g'|awk '{printf "%s\\n",$0}')">$_d/failure.json
cp $_d/failure.json $_r/bootstrap-failure.json
_c<$_l>&3
exit $1
}
_s(){ _p=$1 _n=$2;printf '%s: %s\n' $1 "$2";(_x=$3;set --;eval "$_x") 3>&-||_f $?;}
exec 3>&1 >>$_l 2>&1 </dev/null
[ -e $_d/done ]&&{ echo success>$_r/bootstrap-success.complete;exit;}
[ -e $_d/started ]&&_f 1
:>$_d/started
PATH=$PATH:/opt/bin
_s file spec.machine.kubernetes 'mkdir -p /opt/bin&&if command -v curl>/dev/null;then curl -fsSL --retry 5 --retry-connrefused -o /opt/bin/kubelet.machineadm-new https://mirror.example/release/v1.30.4/bin/linux/amd64/kubelet;else wget -qO /opt/bin/kubelet.machineadm-new https://mirror.example/release/v1.30.4/bin/linux/amd64/kubelet;fi&&{ [ "$(sha512sum</opt/bin/kubelet.machineadm-new)" = '\''ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff  -'\'' ]||{ echo '\''wrong digest'\''>&2;rm -f /opt/bin/kubelet.machineadm-new;false;};}&&chmod 0755 /opt/bin/kubelet.machineadm-new&&mv -f /opt/bin/kubelet.machineadm-new /opt/bin/kubelet'
_s file spec.machine.kubernetes 'mkdir -p /opt/bin&&if command -v curl>/dev/null;then curl -fsSL --retry 5 --retry-connrefused -o /opt/bin/kubeadm.machineadm-new https://mirror.example/release/v1.30.4/bin/linux/amd64/kubeadm;else wget -qO /opt/bin/kubeadm.machineadm-new https://mirror.example/release/v1.30.4/bin/linux/amd64/kubeadm;fi&&{ [ "$(sha512sum</opt/bin/kubeadm.machineadm-new)" = '\''ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff  -'\'' ]||{ echo '\''wrong digest'\''>&2;rm -f /opt/bin/kubeadm.machineadm-new;false;};}&&chmod 0755 /opt/bin/kubeadm.machineadm-new&&mv -f /opt/bin/kubeadm.machineadm-new /opt/bin/kubeadm'
_s file spec.machine.sysctls 'mkdir -p /etc/sysctl.d&&(umask 077&&{ printf %s '\''net.core.somaxconn = 4096
net.ipv4.ip_forward = 1
'\'';}>/etc/sysctl.d/90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/sysctl.d/90-machineadm.conf.machineadm-new&&mv -f /etc/sysctl.d/90-machineadm.conf.machineadm-new /etc/sysctl.d/90-machineadm.conf'
_s file spec.machine.kernelModules 'mkdir -p /etc/modules-load.d&&(umask 077&&{ printf %s '\''br_netfilter
overlay
'\'';}>/etc/modules-load.d/90-machineadm.conf.machineadm-new)&&chmod 0644 /etc/modules-load.d/90-machineadm.conf.machineadm-new&&mv -f /etc/modules-load.d/90-machineadm.conf.machineadm-new /etc/modules-load.d/90-machineadm.conf'
_s file spec.node 'mkdir -p /etc/machineadm&&(umask 077&&{ printf %s '\''{"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"JoinConfiguration","discovery":{"bootstrapToken":{"token":"ol3jgj.mzuhvlpymk6xo3ep","apiServerEndpoint":"demo.example:6443","caCertHashes":["sha256:8ebe765fcbdc38d23cf210a58c264518341824c01e5f360b048a67960628742c"]}},"nodeRegistration":{"criSocket":"unix:///run/containerd/containerd.sock","taints":[{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}]}}
'\'';}>/etc/machineadm/kubeadm.yaml.machineadm-new)&&chmod 0600 /etc/machineadm/kubeadm.yaml.machineadm-new&&mv -f /etc/machineadm/kubeadm.yaml.machineadm-new /etc/machineadm/kubeadm.yaml'
_s unit spec.machine.kubernetes 'mkdir -p /etc/systemd/system&&(umask 077&&{ printf %s '\''[Unit]
Description=Kubernetes node agent
Wants=network-online.target
After=network-online.target containerd.service
StartLimitIntervalSec=0

[Service]
ExecStart=/opt/bin/kubelet
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
'\'';}>/etc/systemd/system/kubelet.service.machineadm-new)&&chmod 0644 /etc/systemd/system/kubelet.service.machineadm-new&&mv -f /etc/systemd/system/kubelet.service.machineadm-new /etc/systemd/system/kubelet.service'
_s unit spec.machine.kubernetes 'mkdir -p /etc/systemd/system/kubelet.service.d&&(umask 077&&{ printf %s '\''[Service]
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/sysconfig/kubelet
ExecStart=
ExecStart=/opt/bin/kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf --config=/var/lib/kubelet/config.yaml $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
'\'';}>/etc/systemd/system/kubelet.service.d/10-kubeadm.conf.machineadm-new)&&chmod 0644 /etc/systemd/system/kubelet.service.d/10-kubeadm.conf.machineadm-new&&mv -f /etc/systemd/system/kubelet.service.d/10-kubeadm.conf.machineadm-new /etc/systemd/system/kubelet.service.d/10-kubeadm.conf'
_s unit spec.machine.kubernetes 'systemctl daemon-reload&&systemctl enable --now kubelet.service'
_s unit spec.machine.osUpdates 'systemctl mask --now update-engine.service'
_s unit spec.machine.osUpdates 'systemctl mask --now locksmithd.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-modules-load.service'
_s unit spec.machine.sysctls 'systemctl restart systemd-sysctl.service'
_s join spec.node 'kubeadm join --config /etc/machineadm/kubeadm.yaml && rm -f /etc/machineadm/kubeadm.yaml'
echo 'mkdir -p /run/cluster-api;echo success>/run/cluster-api/bootstrap-success.complete'>$0.new&&mv $0.new $0&&:>$_d/done&&sh $0||_f $?
_c<$_l>&3
END
}
main
