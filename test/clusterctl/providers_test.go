package clusterctl_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/machineadm/machineadm/test/programs"
)

// infrastructureGroup is the API group of the providers.
const infrastructureGroup = "infrastructure.cluster.x-k8s.io"

// provider is an infrastructure provider whose objects a template contains.
type provider struct {
	template, name, system, userdata string
	// repository, release and commit name the schemas: those of a release's module, or those of a commit.
	repository, release, commit string
	// module and sum are the module of the release, and its digest as in go.sum. Without a module, no module proxy has
	// the provider, and the schemas of the commit were compared once, with the variable PROVIDER_CRDS.
	module, sum string
	// crds is the folder of the definitions, and kinds are those of the template.
	crds  string
	kinds []string
}

func providers() []provider {
	const bases = "config/crd/bases"
	return []provider{
		{
			template: "aws", name: "AWS", system: "Ubuntu", userdata: cloudInit, crds: bases,
			repository: "kubernetes-sigs/cluster-api-provider-aws", release: "v2.11.1",
			module: "sigs.k8s.io/cluster-api-provider-aws/v2", sum: "h1:Z/H2UtjE9frE2syrDksLZy4ouvz8CaUZk4HoVDUgSbE=",
			kinds: []string{"awsclusters", "awsmachinetemplates"},
		},
		{
			template: "aws-machinepool", name: "AWS", system: "Ubuntu", userdata: cloudInit, crds: bases,
			repository: "kubernetes-sigs/cluster-api-provider-aws", release: "v2.11.1",
			module: "sigs.k8s.io/cluster-api-provider-aws/v2", sum: "h1:Z/H2UtjE9frE2syrDksLZy4ouvz8CaUZk4HoVDUgSbE=",
			kinds: []string{"awsclusters", "awsmachinetemplates", "awsmachinepools"},
		},
		{
			template: "azure", name: "Azure", system: "Ubuntu", userdata: cloudInit, crds: bases,
			repository: "kubernetes-sigs/cluster-api-provider-azure", release: "v1.26.0",
			module: "sigs.k8s.io/cluster-api-provider-azure", sum: "h1:r8j3FPec1GZ9SMx0f2Z9Pd0qXYu+qUOfR0U/TTgZ+6w=",
			kinds: []string{"azureclusters", "azuremachinetemplates", "azureclusteridentities"},
		},
		{
			template: "docker", name: "Docker", system: "image of kind", userdata: cloudInit,
			repository: "kubernetes-sigs/cluster-api", release: "v1.14.2",
			module: "sigs.k8s.io/cluster-api/test", sum: "h1:nZ/Ql57cR7Huwqd7o3X+2AFSg5kcAmSTUZovLwzIhIs=",
			crds: "infrastructure/docker/" + bases, kinds: []string{"devclusters", "devmachinetemplates"},
		},
		{
			template: "gcp", name: "Google Cloud", system: "Ubuntu", userdata: cloudInit, crds: bases,
			repository: "kubernetes-sigs/cluster-api-provider-gcp", release: "v1.12.0",
			module: "sigs.k8s.io/cluster-api-provider-gcp", sum: "h1:RFdAxck4j62e320n8uUbFcro4zxdYZnTWj0mAHZ+CFo=",
			kinds: []string{"gcpclusters", "gcpmachinetemplates"},
		},
		{
			template: "hetzner", name: "Hetzner Cloud", system: "Ubuntu", userdata: cloudInit, crds: bases,
			repository: "syself/cluster-api-provider-hetzner", commit: "1c4fe745f3bf5b22b94d4dddd6c4b3b98f6770fc",
			kinds: []string{"hetznerclusters", "hcloudmachinetemplates"},
		},
		{
			template: "kubevirt", name: "KubeVirt", system: "Ubuntu", userdata: cloudInit, crds: bases,
			repository: "kubernetes-sigs/cluster-api-provider-kubevirt", release: "v0.11.2",
			module: "sigs.k8s.io/cluster-api-provider-kubevirt", sum: "h1:+DyQP1xvAD34Cce/5efG1sJFwJZ3pxwoj17oEuKv/EI=",
			kinds: []string{"kubevirtclusters", "kubevirtmachinetemplates"},
		},
		{
			template: "metal3", name: "Metal3", system: "Ubuntu", userdata: cloudInit, crds: bases,
			repository: "metal3-io/cluster-api-provider-metal3", commit: "2f6d76b88b8a20f3030e8c6e00f4c441bb46825b",
			kinds: []string{"metal3clusters", "metal3machinetemplates", "metal3datatemplates"},
		},
		{
			template: "openstack", name: "OpenStack", system: "Flatcar", userdata: ignition34, crds: bases,
			repository: "kubernetes-sigs/cluster-api-provider-openstack", release: "v0.14.7",
			module: "sigs.k8s.io/cluster-api-provider-openstack", sum: "h1:paxhYMaCVkoOBBL3IL02Su2x+/ocXOxqNgZ0AyG2KSI=",
			kinds: []string{"openstackclusters", "openstackmachinetemplates"},
		},
		{
			template: "proxmox", name: "Proxmox VE", system: "Ubuntu", userdata: cloudInit, crds: bases,
			repository: "ionos-cloud/cluster-api-provider-proxmox", release: "v0.9.0",
			module: "github.com/ionos-cloud/cluster-api-provider-proxmox",
			sum:    "h1:ZaCkjLHRPzBGn99GttQjeQCf7Z4HfhG04PyItO64CxE=",
			kinds:  []string{"proxmoxclusters", "proxmoxmachinetemplates"},
		},
		{
			template: "vsphere", name: "vSphere", system: "Ubuntu", userdata: cloudInit,
			repository: "kubernetes-sigs/cluster-api-provider-vsphere", release: "v1.16.1",
			module: "sigs.k8s.io/cluster-api-provider-vsphere", sum: "h1:6fN9Df5EBtxzI5546L4kzevCyE/wM9qWv8ZS+iAU9f8=",
			crds: "config/default/crd/bases", kinds: []string{"vsphereclusters", "vspheremachinetemplates"},
		},
	}
}

// definitions returns the files with the schemas of the provider's kinds, or none if no module contains them.
func (p provider) definitions(t *testing.T) (paths []string) {
	t.Helper()
	dir := os.Getenv("PROVIDER_CRDS")
	switch {
	case p.module != "":
		dir = filepath.Join(p.download(t), p.crds)
	case dir == "":
		return nil
	}
	for _, kind := range p.kinds {
		paths = append(paths, filepath.Join(dir, infrastructureGroup+"_"+kind+".yaml"))
	}
	return paths
}

// download returns the directory of the module, whose digest is that of the table.
func (p provider) download(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", p.module+"@"+p.release)
	cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	if module.Sum != p.sum {
		t.Fatalf("the digest of %s is %s, want %s", p.module, module.Sum, p.sum)
	}
	return module.Dir
}

// validates lets machineadmctl validate the manifests, without a warning.
func validates(t *testing.T, machineadmctl string, manifests []byte) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), machineadmctl, "validate", "-f", "-")
	cmd.Stdin = bytes.NewReader(manifests)
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte(": 0 errors, 0 warnings")) {
		t.Errorf("validate: %v\n%s", err, out)
	}
}

// refersToItself checks that each reference to an infrastructure object names an object of the template, and that no
// object of the provider is without a schema in the table.
func (p provider) refersToItself(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	generated, known := map[string]bool{}, strings.Join(p.kinds, " ")
	for _, o := range objects {
		generated[o.GetKind()+"/"+o.GetName()] = true
		plural := strings.TrimSuffix(strings.ToLower(o.GetKind()), "y")
		if o.GroupVersionKind().Group == infrastructureGroup && !strings.Contains(known, plural) {
			t.Errorf("the table does not name the definition of %s", o.GetKind())
		}
	}
	paths := map[string][]string{
		"Cluster":                {"spec", "infrastructureRef"},
		"MachineDeployment":      {"spec", "template", "spec", "infrastructureRef"},
		"MachinePool":            {"spec", "template", "spec", "infrastructureRef"},
		"MachineadmControlPlane": {"spec", "machineTemplate", "spec", "infrastructureRef"},
	}
	for _, o := range objects {
		path, refers := paths[o.GetKind()]
		if !refers {
			continue
		}
		ref, _, err := unstructured.NestedStringMap(o.Object, path...)
		if err != nil || ref["apiGroup"] != infrastructureGroup || !generated[ref["kind"]+"/"+ref["name"]] {
			t.Errorf("%s refers to %v: %v", o.GetKind(), ref, err)
		}
	}
}

// TestTemplateVariants adds each variant to generated clusters, also to those with a MachinePool and a ClusterClass.
// machineadmctl accepts the result, in which the machines of the control plane and the workers have the field of the
// variant.
func TestTemplateVariants(t *testing.T) {
	r := release(t)
	machineadmctl, err := programs.Build(t.Context(), "machineadmctl")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string][]string{
		"agent": {"delivery", "mode"}, "reporting": {"reporting", "deadlineSeconds"}, "storage": {"storageRef", "name"},
	}
	variants, err := os.ReadDir(filepath.Join(r.dir, "variants"))
	if err != nil || len(variants) != len(fields) {
		t.Fatalf("%d variants, error %v", len(variants), err)
	}
	for _, template := range []string{"aws", "aws-machinepool", "topology"} {
		cluster, stderr, err := r.output(t, append(variables(), examples()...), r.generate(template)...)
		if err != nil {
			t.Fatal(err, stderr)
		}
		for _, v := range variants {
			t.Run(template+"/"+v.Name(), func(t *testing.T) {
				manifests := withVariant(t, cluster, filepath.Join(r.dir, "variants", v.Name()))
				validates(t, machineadmctl, manifests)
				if got := machinesWith(decode(t, manifests), fields[v.Name()]); got != 2 {
					t.Errorf("%d objects have the field %v, want 2", got, fields[v.Name()])
				}
			})
		}
	}
}

// withVariant returns the manifests of a cluster with the variant.
func withVariant(t *testing.T, cluster []byte, variant string) []byte {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "cluster.yaml"), string(cluster))
	write(t, filepath.Join(dir, "kustomization.yaml"), "resources: [cluster.yaml]\ncomponents: [variant]\n")
	if err := os.CopyFS(filepath.Join(dir, "variant"), os.DirFS(variant)); err != nil {
		t.Fatal(err)
	}
	manifests, err := programs.Kustomize(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return manifests
}

// machinesWith counts the control planes and bootstrap configurations that have the field.
func machinesWith(objects []*unstructured.Unstructured, field []string) (count int) {
	specs := map[string][]string{
		"MachineadmControlPlane":         {"spec", "bootstrap"},
		"MachineadmControlPlaneTemplate": {"spec", "template", "spec", "bootstrap"},
		"MachineBootstrapConfigTemplate": {"spec", "template", "spec"},
		"MachineBootstrapConfig":         {"spec"},
	}
	for _, o := range objects {
		spec, of := specs[o.GetKind()]
		if _, found, _ := unstructured.NestedFieldNoCopy(o.Object, append(spec, field...)...); of && found {
			count++
		}
	}
	return count
}
