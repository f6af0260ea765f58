package node_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
)

func TestCoreDNSRepository(t *testing.T) {
	for want, config := range map[string]node.ControlPlaneConfig{
		"":                        {},
		"mirror.example/k8s":      {ImageRepository: "mirror.example/k8s/"},
		"dns.example":             {ImageRepository: "registry.k8s.io", CoreDNS: node.Addon{ImageRepository: "dns.example"}},
		"registry.k8s.io/coredns": {CoreDNS: node.Addon{ImageRepository: "registry.k8s.io/"}},
	} {
		if got := config.CoreDNSRepository(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestControlPlaneCheck(t *testing.T) {
	server := func(a node.APIServer) document.Value { return node.ControlPlaneConfig{APIServer: a} }
	volumes := func(v ...node.Volume) document.Value {
		return node.ControlPlaneConfig{Scheduler: node.Component{Volumes: v}}
	}
	hold(t, map[string]verdict{
		"nothing": {value: node.ControlPlaneConfig{}},
		"arguments": {
			value: node.ControlPlaneConfig{ControllerManager: node.Component{Args: []node.Arg{{Name: "-v"}}}},
			want:  "controllerManager.extraArgs[0].name",
		},
		"environment": {value: node.ControlPlaneConfig{Scheduler: node.Component{Env: []node.Env{
			{Name: "A"},
			{Name: "A=B"},
			{},
		}}}, want: "scheduler.extraEnvs[1].name scheduler.extraEnvs[2].name"},
		"volume": {value: volumes(node.Volume{
			Name: "a-1", HostPath: "/a b", MountPath: "/b",
			PathType: "DirectoryOrCreate",
		})},
		"volume, name": {
			reason: "the API takes a DNS label",
			value:  volumes(node.Volume{Name: "a.b", HostPath: "/a", MountPath: "/b"}), want: "scheduler.extraVolumes[0].name",
		},
		"volume, relative": {
			value: volumes(node.Volume{Name: "a", HostPath: "a", MountPath: "/b/../c"}),
			want:  "scheduler.extraVolumes[0].hostPath scheduler.extraVolumes[0].mountPath",
		},
		"volume, empty": {value: volumes(node.Volume{Name: "a"}), want: "scheduler.extraVolumes[0]"},
		"volume, colon": {
			value: volumes(node.Volume{Name: "a", HostPath: "/a:b", MountPath: "/a:b"}),
			want:  "scheduler.extraVolumes[0].mountPath",
		},
		"volume, type": {
			value: volumes(node.Volume{Name: "a", HostPath: "/a", MountPath: "/a", PathType: "Magic"}),
			want:  "scheduler.extraVolumes[0].pathType",
		},
		"volume, NUL": {
			value: volumes(node.Volume{Name: "a", HostPath: "/a\x00", MountPath: "/a"}),
			want:  "scheduler.extraVolumes[0].hostPath",
		},
		"volumes twice": {value: volumes(node.Volume{Name: "a", HostPath: "/a", MountPath: "/a"},
			node.Volume{Name: "a", HostPath: "/b", MountPath: "/b"}), want: "scheduler.extraVolumes[1].name"},
		"names": {value: server(node.APIServer{CertSANs: []string{
			"api.example", "*.example",
			"192.0.2.1", "fd00::1",
		}})},
		"names, bad": {
			value: server(node.APIServer{CertSANs: []string{"https://x", "a b", "", "*."}}),
			want:  "apiServer.certSANs[0] apiServer.certSANs[1] apiServer.certSANs[2] apiServer.certSANs[3]",
		},
		"audit": {value: server(node.APIServer{Audit: &node.Audit{Policy: []byte("x"), LogPath: "/var/log/a " +
			"b.log"}})},
		"audit, no policy": {
			value: server(node.APIServer{Audit: &node.Audit{LogPath: "log", MaxBackups: -1}}),
			want:  "apiServer.audit.logPath apiServer.audit.policy apiServer.audit",
		},
		"key algorithm": {value: node.ControlPlaneConfig{Certificates: node.Certificates{
			Algorithm:    node.ECDSAP384,
			ValidityDays: 30,
		}}},
		"key algorithm, odd": {value: node.ControlPlaneConfig{Certificates: node.Certificates{
			Algorithm:      "DSA",
			CAValidityDays: -1,
		}}, want: "certificates.algorithm certificates"},
		"feature gate": {
			value: node.ControlPlaneConfig{FeatureGates: []node.FeatureGate{{Name: "A"}, {Name: "a b"}}},
			want:  "featureGates[1]",
		},
	})
}

func TestEtcdCheck(t *testing.T) {
	external := func(e node.ExternalEtcd) document.Value { return node.ControlPlaneConfig{ExternalEtcd: &e} }
	local := func(e node.LocalEtcd) document.Value { return node.ControlPlaneConfig{LocalEtcd: &e} }
	hold(t, map[string]verdict{
		"both": {value: node.ControlPlaneConfig{
			LocalEtcd:    &node.LocalEtcd{},
			ExternalEtcd: &node.ExternalEtcd{},
		}, want: "externalEtcd"},
		"local": {value: local(node.LocalEtcd{
			DataDir:        "/var/lib/etcd 2",
			ServerCertSANs: []string{"externalEtcd"},
		})},
		"local, directory": {value: local(node.LocalEtcd{DataDir: "etcd"}), want: "localEtcd.dataDir"},
		"local, fields": {value: local(node.LocalEtcd{
			Args: []node.Arg{{}}, Env: []node.Env{{}},
			PeerCertSANs: []string{"_"},
		}), want: "localEtcd.extraArgs[0].name localEtcd.extraEnvs[0].name localEtcd.peerCertSANs[0]"},
		"external": {value: external(node.ExternalEtcd{
			Endpoints: []string{"https://etcd:2379"}, CAFile: "/a",
			CertFile: "/b", KeyFile: "/c",
		})},
		"external, none": {value: external(node.ExternalEtcd{}), want: "externalEtcd.endpoints"},
		"external, no URL": {value: external(node.ExternalEtcd{Endpoints: []string{
			"etcd:2379", "https://",
			"https://u:p@etcd",
		}}), want: "externalEtcd.endpoints[0] externalEtcd.endpoints[1] externalEtcd.endpoints[2]"},
		"external, no file": {value: external(node.ExternalEtcd{
			Endpoints: []string{"https://e"}, CAFile: "a", CertFile: "b",
			KeyFile: "c",
		}), want: "externalEtcd.caFile externalEtcd.certFile externalEtcd.keyFile"},
	})
}

func TestRoles(t *testing.T) {
	for role, want := range map[node.Role]bool{
		node.RoleInit: true, node.RoleControlPlane: true,
		node.RoleWorker: false, "": false,
	} {
		if got := role.IsControlPlane(); got != want {
			t.Errorf("%q runs a control plane: %v", role, got)
		}
	}
}
