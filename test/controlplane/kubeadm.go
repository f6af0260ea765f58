package controlplane

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/machineadm/machineadm/test/port"
)

const (
	kubeadmNamespace       = "capi-kubeadm-bootstrap-system"
	kubeadmPlanesNamespace = "capi-kubeadm-control-plane-system"
	kubeadmAccount         = "manager"
)

// KubeadmProviderUser is the name by which the audit log knows the kubeadm provider's manager, and KubeadmPlanesUser
// that of KubeadmControlPlanes.
const (
	KubeadmProviderUser = "system:serviceaccount:" + kubeadmNamespace + ":" + kubeadmAccount
	KubeadmPlanesUser   = "system:serviceaccount:" + kubeadmPlanesNamespace + ":" + kubeadmAccount
)

// upstream is a provider of the module of Cluster API.
type upstream struct {
	// name is the value of its label, folder its place in the module, and tool its name in hack/tool.sh.
	name, folder, tool, namespace string
}

func kubeadmBootstrap() upstream {
	return upstream{"bootstrap-kubeadm", "bootstrap", "capi-kubeadm-bootstrap-manager", kubeadmNamespace}
}

func kubeadmPlanes() upstream {
	return upstream{
		"control-plane-kubeadm", "controlplane", "capi-kubeadm-control-plane-manager", kubeadmPlanesNamespace,
	}
}

// InstallKubeadmProvider installs the kinds and the shipped roles of the kubeadm bootstrap provider. Its webhooks are
// not registered: what is made by tests is complete and valid without them.
func (c *ControlPlane) InstallKubeadmProvider(ctx context.Context) error {
	return c.installUpstream(ctx, kubeadmBootstrap())
}

// InstallKubeadmPlanes installs the kinds and the shipped roles of the provider of KubeadmControlPlanes, without
// webhooks. Its aggregated role is bound as its kustomization does.
func (c *ControlPlane) InstallKubeadmPlanes(ctx context.Context) error {
	if err := c.installUpstream(ctx, kubeadmPlanes()); err != nil {
		return err
	}
	name := kubeadmPlanes().name + "-aggregated-manager-role"
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
		Subjects: []rbacv1.Subject{{
			Kind: rbacv1.ServiceAccountKind, Namespace: kubeadmPlanesNamespace, Name: kubeadmAccount,
		}},
	}
	if err := c.Client.Create(ctx, binding); client.IgnoreAlreadyExists(err) != nil {
		return fmt.Errorf("bind aggregated role: %w", err)
	}
	return nil
}

func (c *ControlPlane) installUpstream(ctx context.Context, u upstream) error {
	module, err := ModuleDir(ctx, Core114().Tools, clusterAPIModule)
	if err != nil {
		return err
	}
	config := filepath.Join(module, u.folder, "kubeadm", "config")
	labels := map[string]string{
		"cluster.x-k8s.io/provider": u.name, "cluster.x-k8s.io/v1beta1": "v1beta1",
		"cluster.x-k8s.io/v1beta2": "v1beta2",
	}
	if err := c.InstallCRDs(labels, filepath.Join(config, "crd", "bases")); err != nil {
		return err
	}
	if err := c.EnsureNamespace(ctx, u.namespace); err != nil {
		return err
	}
	objects, err := ReadManifests(filepath.Join(config, "rbac"))
	if err != nil {
		return fmt.Errorf("read roles: %w", err)
	}
	for _, object := range objects {
		move(object, u.namespace)
		rename(object, u.name+"-")
	}
	return c.Apply(ctx, objects...)
}

// rename does what a manager's kustomization does: the names of its cluster-wide roles begin with that of the provider.
// Those of all managers of the module are equal.
func rename(object *unstructured.Unstructured, prefix string) {
	if kind := object.GetKind(); kind != "ClusterRole" && kind != "ClusterRoleBinding" {
		return
	}
	object.SetName(prefix + object.GetName())
	if role, found, _ := unstructured.NestedString(object.Object, "roleRef", "name"); found {
		_ = unstructured.SetNestedField(object.Object, prefix+role, "roleRef", "name")
	}
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
	return c.startUpstream(ctx, kubeadmBootstrap(), args...)
}

// StartKubeadmPlanes starts the manager of KubeadmControlPlanes under its own ServiceAccount, which
// InstallKubeadmPlanes created, and waits until it serves.
func (c *ControlPlane) StartKubeadmPlanes(ctx context.Context, args ...string) (*Process, error) {
	return c.startUpstream(ctx, kubeadmPlanes(), args...)
}

func (c *ControlPlane) startUpstream(ctx context.Context, u upstream, args ...string) (*Process, error) {
	program, err := Tool(ctx, u.tool)
	if err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(c.Dir, u.tool+".kubeconfig")
	if err := c.WriteServiceAccountKubeconfig(ctx, u.namespace, kubeadmAccount, kubeconfig); err != nil {
		return nil, err
	}
	// It does not start without a serving certificate.
	hooks := &envtest.WebhookInstallOptions{}
	if err := hooks.PrepWithoutInstalling(); err != nil {
		return nil, fmt.Errorf("make the certificate of webhooks: %w", err)
	}
	health, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	port := strconv.Itoa(hooks.LocalServingPort)
	all := append([]string{
		"--kubeconfig=" + kubeconfig, "--health-addr=" + health, "--diagnostics-address=127.0.0.1:0",
		"--insecure-diagnostics",
		"--webhook-port=" + port, "--webhook-cert-dir=" + hooks.LocalServingCertDir,
	}, args...)
	process, err := StartProcess(ctx, filepath.Join(c.Dir, u.tool+".log"), program, all...)
	if err != nil {
		return nil, err
	}
	return process, process.waitFor(ctx, net.JoinHostPort(hooks.LocalServingHost, port))
}
