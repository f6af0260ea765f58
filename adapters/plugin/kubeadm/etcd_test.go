package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

// TestEtcdMount finds data directories of etcd that contain lost+found.
func TestEtcdMount(t *testing.T) {
	const found = "warning: doc: the file system of other has a directory lost+found, and kubeadm refuses a data " +
		"directory of etcd that is not empty; set spec.controlPlane.localEtcd.dataDir to a directory below the mount " +
		"such as /var/lib/etcd/data, use xfs, or add DirAvailable--var-lib-etcd to spec.node.ignorePreflightErrors"
	mount := machine.Mount{Source: "LABEL=etcd", Path: "/var/lib/etcd"}
	typed := machine.Mount{Source: "/dev/vdb", Path: "/var/lib/etcd", Type: "ext4"}
	ext4 := machine.Filesystem{Device: "/dev/vdb", Format: "ext4", Label: "etcd"}
	xfs := machine.Filesystem{Device: "/dev/vdb", Format: "xfs", Label: "etcd"}
	external := node.ControlPlaneConfig{ExternalEtcd: &node.ExternalEtcd{Endpoints: []string{"https://a.example:2379"}}}
	below := node.ControlPlaneConfig{LocalEtcd: &node.LocalEtcd{DataDir: "/var/lib/etcd/data"}}
	cases := map[string]struct {
		reason string
		role   node.Role
		ignore []string
		others []document.Value
		want   string
	}{
		"label":     {reason: "mkfs.ext4 creates it", others: []document.Value{ext4, mount}, want: found},
		"type":      {reason: "as the mount describes it", others: []document.Value{typed}, want: found},
		"join":      {reason: "so, too", role: node.RoleControlPlane, others: []document.Value{typed}, want: found},
		"worker":    {reason: "it has no etcd", role: node.RoleWorker, others: []document.Value{typed}},
		"xfs":       {reason: "its root is empty", others: []document.Value{xfs, mount}},
		"unknown":   {reason: "the image may contain any file system", others: []document.Value{mount}},
		"below":     {reason: "kubeadm creates the directory", others: []document.Value{ext4, mount, below}},
		"external":  {reason: "there is no data directory", others: []document.Value{ext4, mount, external}},
		"ignored":   {reason: "in any case", ignore: []string{"dirAvailable--var-lib-etcd"}, others: []document.Value{typed}},
		"all":       {reason: "nothing is checked", ignore: []string{"all"}, others: []document.Value{typed}},
		"elsewhere": {reason: "another directory", others: []document.Value{machine.Mount{Path: "/var", Type: "ext4"}}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			n := node.NodeConfig{Role: tc.role, KubernetesVersion: "v1.36.3"}
			if n.Role == "" {
				n.Role = node.RoleInit
			}
			if n.Role != node.RoleInit {
				n.Discovery = &node.Discovery{UnsafeSkipCAVerification: true}
			}
			n.Registration.IgnorePreflightErrors = tc.ignore
			_, r := plugintest.Expand(t, kubeadm.Expander{}, plugintest.Target(t, "ubuntu"), n, tc.others...)
			got := ""
			for _, f := range r {
				if strings.Contains(f.Message, "lost+found") {
					got = f.String()
				}
			}
			if got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}
