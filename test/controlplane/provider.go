package controlplane

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/machineadm/machineadm/test/port"
	"github.com/machineadm/machineadm/test/programs"
)

// ProviderNamespace is where the manager lives.
const ProviderNamespace = "machineadm-system"

const providerAccount = "machineadm-manager"

// Provider is this project's manager, running as a process.
type Provider struct {
	*Process
	// Diagnostics is the address that serves metrics, without authentication since it is on loopback.
	Diagnostics string
}

// ProviderUser is the name by which the audit log knows the manager.
const ProviderUser = "system:serviceaccount:" + ProviderNamespace + ":" + providerAccount

// InstallProvider applies what a release ships (config/default), but for the Deployment: its program runs as a process
// here.
func (c *ControlPlane) InstallProvider(ctx context.Context) error {
	return c.install(ctx, "config/default")
}

// Manifests returns the objects of a folder of config, as a release ships them.
func Manifests(ctx context.Context, folder string) ([]*unstructured.Unstructured, error) {
	manifests, err := programs.Manifests(ctx, folder)
	if err != nil {
		return nil, err
	}
	return Decode(bytes.NewReader(manifests))
}

// install applies the manifests of a folder, but for Deployments.
func (c *ControlPlane) install(ctx context.Context, folder string) error {
	objects, err := Manifests(ctx, folder)
	if err != nil {
		return err
	}
	objects = slices.DeleteFunc(objects, func(o *unstructured.Unstructured) bool { return o.GetKind() == "Deployment" })
	if err := c.Apply(ctx, objects...); err != nil {
		return err
	}
	return c.waitForKinds(objects)
}

// waitForKinds waits until the API server serves the kinds that the objects define: a manager that starts earlier ends.
func (c *ControlPlane) waitForKinds(objects []*unstructured.Unstructured) error {
	var definitions []*apiextensionsv1.CustomResourceDefinition
	for _, o := range objects {
		if o.GetKind() != "CustomResourceDefinition" {
			continue
		}
		d := &apiextensionsv1.CustomResourceDefinition{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, d); err != nil {
			return fmt.Errorf("read definition %s: %w", o.GetName(), err)
		}
		definitions = append(definitions, d)
	}
	options := envtest.CRDInstallOptions{MaxTime: kindTimeout, PollInterval: 100 * time.Millisecond}
	if err := envtest.WaitForCRDs(c.Config, definitions, options); err != nil {
		return fmt.Errorf("wait for kinds: %w", err)
	}
	return nil
}

// StartProvider starts the manager under its own ServiceAccount, which InstallProvider made, and waits until it is
// ready and serves metrics.
func (c *ControlPlane) StartProvider(ctx context.Context, program string, args ...string) (*Provider, error) {
	// The servers of tests listen here.
	all := append([]string{"--storage-endpoints=127.0.0.1:*"}, args...)
	return c.startManager(ctx, manager{"machineadm-controller", ProviderNamespace, providerAccount}, program, all)
}

// manager is the name of a manager's files, and its ServiceAccount.
type manager struct{ name, namespace, account string }

func (c *ControlPlane) startManager(ctx context.Context, m manager, program string, args []string) (*Provider, error) {
	kubeconfig := filepath.Join(c.Dir, m.name+".kubeconfig")
	if err := c.WriteServiceAccountKubeconfig(ctx, m.namespace, m.account, kubeconfig); err != nil {
		return nil, err
	}
	health, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	diagnostics, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	all := append([]string{
		"--kubeconfig=" + kubeconfig, "--health-addr=" + health, "--diagnostics-address=" + diagnostics,
		"--insecure-diagnostics",
	}, args...)
	process, err := StartProcess(ctx, c.unusedLog(m.name), program, all...)
	if err != nil {
		return nil, err
	}
	process.metrics = diagnostics
	for _, address := range []string{health, diagnostics} {
		if err := process.waitFor(ctx, address); err != nil {
			return nil, err
		}
	}
	return &Provider{Process: process, Diagnostics: diagnostics}, nil
}

// unusedLog returns the path of a log that is not there yet, so that each process of a program keeps its own.
func (c *ControlPlane) unusedLog(name string) string {
	for i := 0; ; i++ {
		path := filepath.Join(c.Dir, name+".log")
		if i > 0 {
			path = filepath.Join(c.Dir, fmt.Sprintf("%s-%d.log", name, i))
		}
		if _, err := os.Stat(path); err != nil {
			return path
		}
	}
}

// listening reports whether something accepts connections at the address.
func listening(address string) bool {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
