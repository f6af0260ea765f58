package clusterctl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// catalog returns a repository with two versions of the release, the providers of Cluster API's module and the stand-in
// for infrastructure. The later version of the release differs in the image.
func catalog(t *testing.T) repository {
	t.Helper()
	r := release(t)
	out := t.TempDir()
	templates := "infrastructure-machineadm-templates"
	if err := os.CopyFS(filepath.Join(out, templates), os.DirFS(filepath.Join(shared, templates))); err != nil {
		t.Fatal(err)
	}
	for name, folder := range ourFolders() {
		for _, v := range []string{version, later} {
			dir := filepath.Join(out, folder, v)
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(shared, folder, version))); err != nil {
				t.Fatal(err)
			}
			components := filepath.Join(dir, name+"-components.yaml")
			write(t, components, strings.ReplaceAll(read(t, components), "machineadm-controller:"+version,
				"machineadm-controller:"+v))
		}
	}
	metadata := read(t, filepath.Join(programs.Root(), "config/clusterctl/metadata.yaml"))
	publish(t, filepath.Join(out, "infrastructure-standin", version), "infrastructure",
		standInNamespace+string(standin.Manifests), metadata)
	module, err := controlplane.ModuleDir(t.Context(), controlplane.Core114().Tools, "sigs.k8s.io/cluster-api")
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range [][3]string{
		{"cluster-api", "core", "core/config/default"},
		{"bootstrap-kubeadm", "bootstrap", "bootstrap/kubeadm/config/default"},
		{"control-plane-kubeadm", "control-plane", "controlplane/kubeadm/config/default"},
	} {
		publish(t, filepath.Join(out, u[0], coreVersion), u[1], kustomized(t, filepath.Join(module, u[2])),
			read(t, filepath.Join(module, "metadata.yaml")))
	}
	r.config = filepath.Join(out, "clusterctl.yaml")
	r.dir = filepath.Join(out, "bootstrap-machineadm", version)
	r.configure(t, out, "cluster-api CoreProvider core "+coreVersion, "kubeadm BootstrapProvider bootstrap "+coreVersion,
		"kubeadm ControlPlaneProvider control-plane "+coreVersion, "machineadm BootstrapProvider bootstrap "+later,
		"machineadm ControlPlaneProvider control-plane "+later,
		"machineadm-hosts InfrastructureProvider infrastructure "+later,
		"machineadm-templates InfrastructureProvider infrastructure "+version,
		"standin InfrastructureProvider infrastructure "+version)
	return r
}

// ourFolders are those of the providers of machineadm in a repository, by the kinds of their components.
func ourFolders() map[string]string {
	return map[string]string{
		"bootstrap": "bootstrap-machineadm", "control-plane": "control-plane-machineadm",
		"infrastructure": "infrastructure-machineadm-hosts",
	}
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

// coreVersion is the version of the core provider, and of those for kubeadm.
const coreVersion = "v1.14.2"

// kustomized returns the objects of a kustomization.
func kustomized(t *testing.T, dir string) string {
	t.Helper()
	out, err := programs.Kustomize(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
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
