package clusterctl_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/programs"
)

// later is a version after that of the release.
const later = "v0.1.1"

// certManager are definitions of the kinds of cert-manager that clusterctl creates to see whether it is installed.
const certManager = `
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: issuers.cert-manager.io},
 spec: {group: cert-manager.io, scope: Namespaced, names: {kind: Issuer, plural: issuers},
  versions: [{name: v1, served: true, storage: true,
   schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: certificates.cert-manager.io},
 spec: {group: cert-manager.io, scope: Namespaced, names: {kind: Certificate, plural: certificates},
  versions: [{name: v1, served: true, storage: true,
   schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}
`

// standInNamespace is the namespace of the stand-in for an infrastructure provider.
const standInNamespace = "{apiVersion: v1, kind: Namespace, metadata: {name: standin-system}}\n---\n"

// standInRights let the provider of control planes manage the stand-in's machines. kube-controller-manager, which would
// aggregate the role, does not run.
const standInRights = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: standin-control-plane},
 roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: standin-infrastructure},
 subjects: [{kind: ServiceAccount, name: machineadm-control-plane-manager, namespace: machineadm-control-plane-system}]}
`

// catalog returns a repository with two versions of the release, the core provider and the stand-in for infrastructure.
// The later version of the release differs in the image.
func catalog(t *testing.T) repository {
	t.Helper()
	r := release(t)
	out := t.TempDir()
	providers := map[string]string{
		"bootstrap-machineadm": "bootstrap", "control-plane-machineadm": "control-plane",
	}
	for folder, name := range providers {
		source := filepath.Join(shared, folder, version)
		for _, v := range []string{version, later} {
			text := read(t, filepath.Join(source, name+"-components.yaml"))
			text = strings.ReplaceAll(text, "machineadm-controller:"+version, "machineadm-controller:"+v)
			publish(t, filepath.Join(out, folder, v), name, text, read(t, filepath.Join(source, "metadata.yaml")))
		}
	}
	metadata := read(t, filepath.Join(programs.Root(), "config/clusterctl/metadata.yaml"))
	publish(t, filepath.Join(out, "infrastructure-standin", version), "infrastructure",
		standInNamespace+string(standin.Manifests), metadata)
	core, coreMetadata := coreComponents(t)
	publish(t, filepath.Join(out, "cluster-api", coreVersion), "core", core, coreMetadata)
	r.config = filepath.Join(out, "clusterctl.yaml")
	r.configure(t, out, "cluster-api CoreProvider core "+coreVersion, "machineadm BootstrapProvider bootstrap "+later,
		"machineadm ControlPlaneProvider control-plane "+later, "standin InfrastructureProvider infrastructure "+version)
	return r
}

// configure writes a configuration of clusterctl with providers: name, type, kind of components, latest version.
func (r repository) configure(t *testing.T, out string, providers ...string) {
	t.Helper()
	config := "providers:\n"
	for _, p := range providers {
		f := strings.Fields(p)
		folder := f[2] + "-" + f[0]
		if f[2] == "core" {
			folder = f[0]
		}
		config += fmt.Sprintf("- name: %s\n  type: %s\n  url: file://%s\n", f[0], f[1],
			filepath.Join(out, folder, f[3], f[2]+"-components.yaml"))
	}
	write(t, r.config, config)
}

// coreVersion is the version of the core provider.
const coreVersion = "v1.14.2"

// coreComponents returns the components of the core provider and its metadata. They are without webhooks, which no
// process serves, and without the objects of cert-manager.
func coreComponents(t *testing.T) (components, metadata string) {
	t.Helper()
	module, err := controlplane.ModuleDir(t.Context(), controlplane.Core114().Tools, "sigs.k8s.io/cluster-api")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "tool", "-modfile=go.tool.mod", "kustomize", "build",
		filepath.Join(module, "core/config/default"))
	cmd.Dir, cmd.Stderr = programs.Root(), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	without := []string{"Certificate", "Issuer", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
	var text bytes.Buffer
	for _, o := range decode(t, out) {
		if slices.Contains(without, o.GetKind()) {
			continue
		}
		unstructured.RemoveNestedField(o.Object, "spec", "conversion")
		one, err := yaml.Marshal(o.Object)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString("---\n")
		text.Write(one)
	}
	return text.String(), read(t, filepath.Join(module, "metadata.yaml"))
}

// publish writes the components of a provider and its metadata.
func publish(t *testing.T, dir, kind, components, metadata string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, kind+"-components.yaml"), components)
	write(t, filepath.Join(dir, "metadata.yaml"), metadata)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// install lets clusterctl install all providers, in the earlier version of the release.
func (r repository) install(t *testing.T, c *controlplane.ControlPlane) (kubeconfig string) {
	t.Helper()
	if err := c.Apply(t.Context(), decode(t, []byte(certManager))...); err != nil {
		t.Fatal(err)
	}
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := c.WriteKubeconfig(kubeconfig); err != nil {
		t.Fatal(err)
	}
	r.run(t, "init", "--kubeconfig", kubeconfig, "--core", "cluster-api:"+coreVersion, "--bootstrap",
		"machineadm:"+version, "--control-plane", "machineadm:"+version, "--infrastructure", "standin:"+version)
	if err := c.Apply(t.Context(), decode(t, []byte(standInRights))...); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}
