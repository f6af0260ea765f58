package talos_test

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
)

// manifests of the components.
const (
	auditPolicy    = "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: RequestResponse\n"
	authentication = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\njwt: []\n"
	authorization  = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthorizationConfiguration\nauthorizers:\n" +
		"- type: Webhook\n  name: policy\n  webhook: {timeout: 3s, failurePolicy: Deny}\n"
	admission = "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n" +
		"- name: EventRateLimit\n  configuration: {kind: Configuration, limits: [{type: Server, qps: 5000}]}\n"
	schedulerConfig = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: " +
		"KubeSchedulerConfiguration\npercentageOfNodesToScore: 50\n"
	encryption = "apiVersion: apiserver.config.k8s.io/v1\nkind: " +
		"EncryptionConfiguration\nresources:\n- resources: [secrets]\n" +
		"  providers:\n  - secretbox: {keys: [{name: key2, secret: " +
		"dXNlcnMta2V5LW9mLTMyLWJ5dGVzLWZvci1zZWNyZXQ=}]}\n  - identity: {}\n"
	pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: proxy, namespace: kube-system, labels: {on: \"yes\"}}\n" +
		"spec: {hostNetwork: true, containers: [{name: proxy, image: registry.example/proxy:1, args: [\"0123\"]}]}\n"
)

// everyMachine is each document of a machine that every release supports.
func everyMachine() []document.Value {
	ca := authority(5)
	key := authority(6)
	return []document.Value{
		machine.SysctlConfig{Settings: []machine.Sysctl{
			{Name: "net.ipv4.conf.eth0/1.rp_filter", Value: "0"},
			{Name: "vm.nr_hugepages", Value: "16"},
		}},
		machine.KernelModulesConfig{Modules: []machine.KernelModule{
			{Name: "br_netfilter"},
			{Name: "dummy", Options: []string{"numdummies=2"}},
		}},
		machine.TimeSyncConfig{Servers: []string{"ntp.example"}, Pools: []string{"pool.example"}},
		machine.TrustedCAsConfig{CAs: []machine.TrustedCA{
			{Name: "site", PEM: ca.Certificate},
			{Name: "second", PEM: key.Certificate},
		}},
		machine.ProxyConfig{
			HTTPProxy:  secret.FromString("http://user:p%40ss@proxy.example:3128"),
			HTTPSProxy: secret.FromString("http://proxy.example:3128"),
			NoProxy:    []string{"10.0.0.0/8", ".example"},
		},
		machine.ContainerdConfig{
			SandboxImage: "registry.example/pause:3.10", DefaultRuntime: "kata",
			RawTOML: "[plugins.\"io.containerd.cri.v1.runtime\"]\nenable_cdi = true\n",
			Runtimes: []machine.Runtime{
				{
					Name: "kata", Type: "io.containerd.kata.v2", Path: "/usr/local/bin/kata",
					Options: map[string]string{"ConfigPath": "/usr/local/kata.toml"},
				},
				{Name: "crun", Path: "/usr/local/bin/crun"},
			},
			Registries: []machine.Registry{
				{
					Host: "docker.io", Auth: &machine.RegistryAuth{Username: "u", Password: secret.FromString("p: '\"#")},
					Mirrors: []machine.RegistryEndpoint{{
						URL: "https://mirror.example:5000/v2/docker", OverridePath: true, Capabilities: []string{"resolve", "pull"},
						TLS:  &machine.RegistryTLS{CA: ca.Certificate, Certificate: key.Certificate, Key: key.Key},
						Auth: &machine.RegistryAuth{Token: secret.FromString("token")},
					}},
				},
				{Host: "quay.io", Server: "https://quay.mirror.example"},
				{Host: "_default", Mirrors: []machine.RegistryEndpoint{{URL: "http://any.example"}}},
				{Host: "insecure.example", TLS: &machine.RegistryTLS{InsecureSkipVerify: true}},
			},
		},
		machine.File{Path: "/var/lib/app/run.sh", Content: document.Text("#!/bin/sh\r\n{{ %s }}\n\n"), Mode: 0o755},
		machine.File{Path: "/var/lib/app/run.sh", Content: document.Text("more"), Append: true},
		machine.File{
			Path: "/var/lib/app/secret", Content: document.Literal([]byte("\x00\xff no text")), Secret: true,
			Owner: machine.Owner{User: "root", Group: "0"},
		},
		machine.KubernetesConfig{Provision: machine.ProvisionImage},
		machine.OSUpdatesConfig{},
		node.StaticPod{Name: "anything", Manifest: []byte(pod)},
	}
}

// disks are two volumes, in words of every release.
func disks() []document.Value {
	return []document.Value{
		machine.Disk{Device: "/dev/vdb", Partitions: []machine.Partition{{SizeMiB: 4096, Label: "u-first"}, {Number: 2}}},
		machine.Filesystem{Device: "/dev/disk/by-partlabel/u-first", Format: "xfs"},
		machine.Filesystem{Device: "/dev/vdb2", Format: "xfs"},
		machine.Mount{Source: "PARTLABEL=u-first", Path: "/var/mnt/first", Type: "xfs", Options: []string{"defaults"}},
		machine.Mount{Source: "/dev/vdb2", Path: "/var/mnt/second"},
	}
}

// newDisks are volumes that only the newest release supports.
func newDisks() []document.Value {
	disk := "/dev/disk/by-id/virtio-3"
	return append(
		disks(),
		machine.Filesystem{Device: "/dev/vdc", Format: "ext4"},
		machine.Mount{Source: "/dev/vdc", Path: "/var/mnt/whole", Options: []string{"noatime", "nodev", "nosuid"}},
		machine.Disk{Device: disk, Partitions: []machine.Partition{{}}},
		machine.Filesystem{Device: disk + "-part1", Format: "swap"},
		machine.Swap{Device: disk + "-part1"},
		machine.Swap{Device: "/dev/vdd"},
	)
}

// everyNode is a node with every field.
func everyNode(n node.NodeConfig) node.NodeConfig {
	n.Registration.Name = document.Text("node-1.example")
	n.Registration.Labels = []node.Label{
		{Key: "example.com/rack", Value: document.Text("r1")},
		{Key: "topology.kubernetes.io/zone", Value: document.Text("z")},
	}
	n.Registration.Taints, n.Registration.TaintsSet = []node.Taint{
		{Key: "example.com/a", Value: "b", Effect: "NoSchedule"}, {Key: "example.com/a", Effect: "NoExecute"},
	}, true
	n.Registration.ImagePullPolicy, n.Registration.CRISocket = "IfNotPresent", "unix:///run/containerd/containerd.sock"
	n.Kubelet = node.Kubelet{
		Config: node.Tree{
			"maxPods": 250, "evictionHard": map[string]any{"memory.available": "100Mi"},
			"imageGCHighThresholdPercent": 85.0, "cpuCFSQuota": false,
		},
		Args: []node.Arg{
			{Name: "node-ip", Value: document.Text("192.0.2.10")},
			{Name: "v", Value: document.Text("$(HOME) ${A}")},
		},
	}
	n.Cluster.PodSubnets, n.Cluster.ServiceSubnets, n.Cluster.DNSDomain = []string{"10.1.0.0/16", "fd00::/48"},
		[]string{"10.2.0.0/16"}, "k8s.example"
	return n
}

// everyPlane is a control plane with every field.
func everyPlane() node.ControlPlaneConfig {
	return node.ControlPlaneConfig{
		APIServer: node.APIServer{
			Component: node.Component{
				Args: []node.Arg{
					{Name: "profiling", Value: document.Text("true")},
					{Name: "oidc-groups-prefix", Value: document.Text("$(A)$")},
				},
				Volumes: []node.Volume{{Name: "extra", HostPath: "/var/lib/extra", MountPath: "/etc/extra", ReadOnly: true}},
				Env:     []node.Env{{Name: "GODEBUG", Value: "a=$(B)"}},
			},
			CertSANs: []string{"api.example", "192.0.2.1"},
			Audit: &node.Audit{
				Policy: []byte(auditPolicy), LogPath: "/var/log/audit/kube/kube-apiserver.log",
				MaxAgeDays: 7, MaxBackups: 3, MaxSizeMB: 50,
			},
			EncryptionAtRest: secret.FromString(encryption),
			Authentication:   []byte(authentication),
			Authorization:    []byte(authorization),
			Admission:        []byte(admission),
		},
		ControllerManager: node.Component{Args: []node.Arg{{
			Name:  "terminated-pod-gc-threshold",
			Value: document.Text("10"),
		}}},
		Scheduler:       node.Component{Args: []node.Arg{{Name: "v", Value: document.Text("4")}}},
		SchedulerConfig: []byte(schedulerConfig),
		LocalEtcd: &node.LocalEtcd{
			ImageRepository: "registry.example/k8s", ImageTag: "v3.6.1", DataDir: "/var/lib/etcd",
			Args: []node.Arg{{Name: "quota-backend-bytes", Value: document.Text("8589934592")}},
		},
		KubeProxy: node.Addon{ImageTag: "v1.32.5"}, KubeProxyConfig: node.Tree{"mode": "nftables"},
		CoreDNS:         node.Addon{ImageRepository: "registry.example/dns"},
		ImageRepository: "registry.example/k8s",
		Certificates:    node.Certificates{CAValidityDays: 7300},
	}
}
