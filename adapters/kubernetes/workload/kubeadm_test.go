//go:build linux && !unit

package workload_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/workload"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/test/controlplane"
)

// initConfiguration is the part of kubeadm's configuration that is not stored in the cluster.
const initConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: {name: n1, criSocket: "unix:///run/containerd/containerd.sock"}
localAPIEndpoint: {advertiseAddress: 192.0.2.1}
---
`

// upload makes real kubeadm store the configuration of a cluster, as kubeadm init does.
func upload(t *testing.T, configuration string) {
	t.Helper()
	program, err := controlplane.Tool(t.Context(), "kubeadm")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config, kubeconfig := filepath.Join(dir, "kubeadm.yaml"), filepath.Join(dir, "kubeconfig")
	if err := os.WriteFile(config, []byte(initConfiguration+configuration), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := server.WriteKubeconfig(kubeconfig); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "init", "phase", "upload-config", "kubeadm",
		"--config="+config, "--kubeconfig="+kubeconfig).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// storedConfiguration returns the configuration in the cluster.
func storedConfiguration(t *testing.T) string {
	t.Helper()
	config := &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: "kubeadm-config"}
	if err := server.Client.Get(t.Context(), key, config); err != nil {
		t.Fatal(err)
	}
	return config.Data["ClusterConfiguration"]
}

// TestRealKubeadm verifies that the configuration which real kubeadm stores, with its defaults, needs no change for a
// machine with the same specification, and that real kubeadm reads the configuration that PrepareJoin writes.
func TestRealKubeadm(t *testing.T) {
	args := []node.Arg{{Name: "v", Value: document.Text("2")}, {Name: "profiling", Value: document.Text("false")}}
	env := []node.Env{{Name: "GODEBUG", Value: "x509negativeserial=1"}}
	volume := node.Volume{
		Name: "logs", HostPath: "/var/log/x", MountPath: "/var/log/x", ReadOnly: true, PathType: "DirectoryOrCreate",
	}
	full := node.ControlPlaneConfig{
		APIServer: node.APIServer{
			Component: node.Component{Args: args, Env: env, Volumes: []node.Volume{volume}},
			CertSANs:  []string{"b.example", "a.example"}, Audit: &node.Audit{Policy: []byte("kind: Policy")},
		},
		ControllerManager: node.Component{Args: args}, Scheduler: node.Component{Args: args},
		LocalEtcd: &node.LocalEtcd{
			DataDir: "/data", ImageTag: "3.6.8-0", Args: args, Env: env, ServerCertSANs: []string{"etcd.example"},
		},
		CoreDNS:         node.Addon{ImageTag: "v1.13.1", ImageRepository: "mirror.example/coredns"},
		ImageRepository: "mirror.example/k8s",
		FeatureGates:    []node.FeatureGate{{Name: "NodeLocalCRISocket", Enabled: false}},
		Certificates:    node.Certificates{Algorithm: node.ECDSAP256, ValidityDays: 30, CAValidityDays: 365},
	}
	external := node.ControlPlaneConfig{ExternalEtcd: &node.ExternalEtcd{
		Endpoints: []string{"https://192.0.2.20:2379"}, CAFile: "/etc/etcd/ca.crt", CertFile: "/etc/etcd/client.crt",
		KeyFile: "/etc/etcd/client.key",
	}}
	for name, config := range map[string]node.ControlPlaneConfig{
		"defaults": {}, "every setting": full, "external etcd": external,
		"disabled add-ons": {KubeProxy: node.Addon{Disabled: true}, CoreDNS: node.Addon{Disabled: true}},
	} {
		t.Run(name, func(t *testing.T) {
			c := plane()
			c.Config, c.Addons.CoreDNS, c.Addons.KubeProxy = config, false, false
			text, findings := kubeadm.ClusterConfiguration("v1.36.3", c.Network, config)
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			t.Cleanup(func() {
				remove(t, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
					Namespace: metav1.NamespaceSystem, Name: "kubeadm-config",
				}})
			})
			upload(t, string(text))
			before := storedConfiguration(t)
			cluster := workload.NewCluster(workload.ClusterOptions{
				Clusters: reachable(), Clock: memory.NewClock(time.Now()),
				Configuration: kubeadm.ClusterConfiguration, Timeout: timeout,
			})
			if err := cluster.PrepareJoin(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if after := storedConfiguration(t); after != before {
				t.Errorf("the configuration was changed from\n%s\nto\n%s", before, after)
			}
			c.Config.Scheduler.Args = []node.Arg{{Name: "v", Value: document.Text("5")}}
			if err := cluster.PrepareJoin(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			changed := storedConfiguration(t)
			if !strings.Contains(changed, `value: "5"`) {
				t.Errorf("the argument is missing:\n%s", changed)
			}
			// Real kubeadm reads it, and stores it again with its defaults.
			upload(t, changed)
			if got, err := cluster.Observe(t.Context(), c); err != nil || !got.JoinPrepared {
				t.Errorf("observed %+v, error %v; stored\n%s", got, err, storedConfiguration(t))
			}
		})
	}
}
