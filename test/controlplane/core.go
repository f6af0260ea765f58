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
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/machineadm/machineadm/test/port"
)

// Core is a version of the core Cluster API manager.
type Core struct {
	// Tool is its name in hack/tool.sh.
	Tool string
	// Tools is the folder whose go.mod pins it.
	Tools string
	// Config is the directory of its manifests in the module.
	Config string
}

// Core114 is the newest core manager; Core112 is one of two minor versions before.
func Core114() Core {
	return Core{Tool: "capi-core-manager", Tools: "tools/cluster-api", Config: "core/config"}
}

// Core112 is the core manager two minor versions before the newest.
func Core112() Core {
	return Core{Tool: "capi-core-manager-1.12", Tools: "tools/cluster-api-1.12", Config: "config"}
}

const (
	clusterAPIModule = "sigs.k8s.io/cluster-api"
	coreNamespace    = "capi-system"
	coreAccount      = "manager"
)

// InstallCoreCRDs installs the core's CustomResourceDefinitions, which is all that tests without its manager need.
func (c *ControlPlane) InstallCoreCRDs(ctx context.Context, core Core) error {
	config, err := coreConfig(ctx, core)
	if err != nil {
		return err
	}
	return c.InstallCRDs(map[string]string{
		"cluster.x-k8s.io/provider": "cluster-api", "cluster.x-k8s.io/v1beta1": "v1beta1",
		"cluster.x-k8s.io/v1beta2": "v1beta2",
	}, filepath.Join(config, "crd", "bases"))
}

func coreConfig(ctx context.Context, core Core) (string, error) {
	module, err := ModuleDir(ctx, core.Tools, clusterAPIModule)
	if err != nil {
		return "", err
	}
	return filepath.Join(module, core.Config), nil
}

// StartCore installs the core manager's kinds, roles and webhooks and starts it as a process under its own
// ServiceAccount, with its shipped roles and what is aggregated to them, and nothing more.
func (c *ControlPlane) StartCore(ctx context.Context, core Core) (*Process, error) {
	program, err := Tool(ctx, core.Tool)
	if err != nil {
		return nil, err
	}
	if err := c.InstallCoreCRDs(ctx, core); err != nil {
		return nil, err
	}
	config, err := coreConfig(ctx, core)
	if err != nil {
		return nil, err
	}
	if err := c.installCoreRoles(ctx, filepath.Join(config, "rbac")); err != nil {
		return nil, err
	}
	hooks, err := c.serveWebhooks(filepath.Join(config, "webhook", "manifests.yaml"))
	if err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(c.Dir, core.Tool+".kubeconfig")
	if err := c.WriteServiceAccountKubeconfig(ctx, coreNamespace, coreAccount, kubeconfig); err != nil {
		return nil, err
	}
	return c.runCore(ctx, core, program, kubeconfig, hooks)
}

func (c *ControlPlane) runCore(ctx context.Context, core Core, program, kubeconfig string,
	hooks *envtest.WebhookInstallOptions,
) (*Process, error) {
	health, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	diagnostics, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	process, err := StartProcess(ctx, filepath.Join(c.Dir, core.Tool+".log"), program,
		"--kubeconfig="+kubeconfig, "--health-addr="+health, "--diagnostics-address="+diagnostics, "--insecure-diagnostics",
		"--webhook-port="+strconv.Itoa(hooks.LocalServingPort), "--webhook-cert-dir="+hooks.LocalServingCertDir, "--v=2",
		"--feature-gates=ClusterTopology=true")
	if err != nil {
		return nil, err
	}
	process.metrics = diagnostics
	// Objects may only be made once the webhooks answer.
	address := net.JoinHostPort(hooks.LocalServingHost, strconv.Itoa(hooks.LocalServingPort))
	if err := process.waitFor(ctx, address); err != nil {
		return nil, err
	}
	return process, nil
}

// serveWebhooks registers the webhooks at an address on loopback, with a serving certificate made for it.
func (c *ControlPlane) serveWebhooks(manifest string) (*envtest.WebhookInstallOptions, error) {
	hooks := &envtest.WebhookInstallOptions{Paths: []string{manifest}}
	if err := hooks.Install(c.Config); err != nil {
		return nil, fmt.Errorf("install webhooks: %w", err)
	}
	return hooks, nil
}

// installCoreRoles applies the core's role, binding and account in its namespace, and binds the aggregated role, which
// is how providers outside of the project's group are made known to it.
func (c *ControlPlane) installCoreRoles(ctx context.Context, path string) error {
	if err := c.installRoles(ctx, path, coreNamespace); err != nil {
		return err
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "capi-aggregated-manager-rolebinding"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "aggregated-manager-role"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: coreNamespace, Name: coreAccount}},
	}
	if err := c.Client.Create(ctx, binding); err != nil {
		return fmt.Errorf("bind aggregated role: %w", err)
	}
	return nil
}

// installRoles applies a manager's roles, bindings and account in a namespace, which it makes.
func (c *ControlPlane) installRoles(ctx context.Context, path, namespace string) error {
	if err := c.EnsureNamespace(ctx, namespace); err != nil {
		return err
	}
	objects, err := ReadManifests(path)
	if err != nil {
		return fmt.Errorf("read roles: %w", err)
	}
	for _, object := range objects {
		move(object, namespace)
	}
	return c.Apply(ctx, objects...)
}

// move does what a manager's kustomization does: objects and subjects of namespace system go to its own.
func move(object *unstructured.Unstructured, namespace string) {
	switch object.GetKind() {
	case "ServiceAccount", "Role", "RoleBinding":
		object.SetNamespace(namespace)
	}
	subjects, found, _ := unstructured.NestedSlice(object.Object, "subjects")
	if !found {
		return
	}
	for _, s := range subjects {
		if subject, ok := s.(map[string]any); ok {
			subject["namespace"] = namespace
		}
	}
	_ = unstructured.SetNestedSlice(object.Object, subjects, "subjects")
}
