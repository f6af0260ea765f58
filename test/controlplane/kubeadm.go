package controlplane

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

const (
	kubeadmNamespace = "capi-kubeadm-bootstrap-system"
	kubeadmAccount   = "manager"
	kubeadmTool      = "capi-kubeadm-bootstrap-manager"
)

// KubeadmProviderUser is the name by which the audit log knows the kubeadm provider's manager.
const KubeadmProviderUser = "system:serviceaccount:" + kubeadmNamespace + ":" + kubeadmAccount

// InstallKubeadmProvider installs the kinds and the shipped roles of the kubeadm bootstrap provider. Its webhooks are
// not registered: what is made by tests is complete and valid without them.
func (c *ControlPlane) InstallKubeadmProvider(ctx context.Context) error {
	module, err := ModuleDir(ctx, Core114().Tools, clusterAPIModule)
	if err != nil {
		return err
	}
	config := filepath.Join(module, "bootstrap", "kubeadm", "config")
	labels := map[string]string{
		"cluster.x-k8s.io/provider": "bootstrap-kubeadm", "cluster.x-k8s.io/v1beta1": "v1beta1",
		"cluster.x-k8s.io/v1beta2": "v1beta2",
	}
	if err := c.InstallCRDs(labels, filepath.Join(config, "crd", "bases")); err != nil {
		return err
	}
	return c.installRoles(ctx, filepath.Join(config, "rbac"), kubeadmNamespace)
}

// InstallKubeadmKinds installs the kinds of the kubeadm providers, which is all that tests without their managers need.
func (c *ControlPlane) InstallKubeadmKinds(ctx context.Context) error {
	module, err := ModuleDir(ctx, Core114().Tools, clusterAPIModule)
	if err != nil {
		return err
	}
	labels := map[string]string{"cluster.x-k8s.io/v1beta1": "v1beta1", "cluster.x-k8s.io/v1beta2": "v1beta2"}
	return c.InstallCRDs(labels, filepath.Join(module, "bootstrap", "kubeadm", "config", "crd", "bases"),
		filepath.Join(module, "controlplane", "kubeadm", "config", "crd", "bases"))
}

// StartKubeadmProvider starts the kubeadm bootstrap provider's manager under its own ServiceAccount, which
// InstallKubeadmProvider made, and waits until it serves.
func (c *ControlPlane) StartKubeadmProvider(ctx context.Context, args ...string) (*Process, error) {
	program, err := Tool(ctx, kubeadmTool)
	if err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(c.Dir, kubeadmTool+".kubeconfig")
	if err := c.WriteServiceAccountKubeconfig(ctx, kubeadmNamespace, kubeadmAccount, kubeconfig); err != nil {
		return nil, err
	}
	// It does not start without a serving certificate.
	hooks := &envtest.WebhookInstallOptions{}
	if err := hooks.PrepWithoutInstalling(); err != nil {
		return nil, fmt.Errorf("make the certificate of webhooks: %w", err)
	}
	health, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	port := strconv.Itoa(hooks.LocalServingPort)
	all := append([]string{
		"--kubeconfig=" + kubeconfig, "--health-addr=" + health, "--diagnostics-address=127.0.0.1:0",
		"--insecure-diagnostics",
		"--webhook-port=" + port, "--webhook-cert-dir=" + hooks.LocalServingCertDir,
	}, args...)
	process, err := StartProcess(ctx, filepath.Join(c.Dir, kubeadmTool+".log"), program, all...)
	if err != nil {
		return nil, err
	}
	return process, process.waitFor(ctx, net.JoinHostPort(hooks.LocalServingHost, port))
}
