package controlplane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StartNodeControllers starts kube-controller-manager with all that a cluster needs which real machines join, besides
// what StartControllerManager starts.
func (c *ControlPlane) StartNodeControllers(ctx context.Context) (*Process, error) {
	key := filepath.Join(c.Dir, "pki", "ca.key")
	if err := os.WriteFile(key, c.pki.pair.KeyPair.Key, 0o600); err != nil {
		return nil, fmt.Errorf("write the CA's key: %w", err)
	}
	return c.startControllers(ctx, []string{"*", "bootstrap-signer-controller", "token-cleaner-controller"},
		"--cluster-signing-cert-file="+filepath.Join(c.Dir, "pki", "ca.crt"), "--cluster-signing-key-file="+key,
		"--root-ca-file="+filepath.Join(c.Dir, "pki", "ca.crt"),
		"--service-account-private-key-file="+filepath.Join(c.Dir, "pki", "sa-signer.key"))
}

// kubeadmConfig is what kubeadm init would have been given on the cluster's first machine.
const kubeadmConfig = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: {name: NODE, criSocket: "unix:///run/containerd/containerd.sock"}
localAPIEndpoint: {advertiseAddress: 10.0.2.2}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
controlPlaneEndpoint: ENDPOINT
kubernetesVersion: VERSION
`

// Welcome has real kubeadm put into the cluster what machines ask for that join it. The node is that of the first
// machine, and is there; the endpoint is host:port, at which machines reach the API server.
func (c *ControlPlane) Welcome(ctx context.Context, node, endpoint, version string) error {
	program, err := Tool(ctx, "kubeadm")
	if err != nil {
		return err
	}
	config, kubeconfig := filepath.Join(c.Dir, "kubeadm.yaml"), filepath.Join(c.Dir, "kubeadm.kubeconfig")
	text := strings.NewReplacer("NODE", node, "ENDPOINT", endpoint, "VERSION", version).Replace(kubeadmConfig)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write kubeadm's configuration: %w", err)
	}
	if err := c.WriteKubeconfig(kubeconfig); err != nil {
		return err
	}
	for _, phase := range [][]string{{"upload-config", "all"}, {"bootstrap-token", "--skip-token-print"}} {
		args := append(append([]string{"init", "phase"}, phase...), "--config="+config, "--kubeconfig="+kubeconfig)
		if out, err := exec.CommandContext(ctx, program, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("kubeadm init phase %v: %w\n%s", phase, err, out)
		}
	}
	return c.announce(ctx, endpoint)
}

// announce has the public description of the cluster name the endpoint: kubeadm has copied the address of its own
// kubeconfig.
func (c *ControlPlane) announce(ctx context.Context, endpoint string) error {
	info := &corev1.ConfigMap{}
	if err := c.Client.Get(ctx, client.ObjectKey{Namespace: metav1.NamespacePublic, Name: "cluster-info"},
		info); err != nil {
		return fmt.Errorf("read cluster-info: %w", err)
	}
	before := info.DeepCopy()
	info.Data["kubeconfig"] = strings.ReplaceAll(info.Data["kubeconfig"], c.Address(), endpoint)
	if err := c.Client.Patch(ctx, info, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("change cluster-info: %w", err)
	}
	return nil
}
