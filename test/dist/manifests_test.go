package dist_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/strvals"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/machineadm/machineadm/test/debian"
)

// parts are the providers: the path of the components in the release, the name of the chart, and clusterctl's flag and
// argument.
func parts() map[string]struct{ chart, flag, name string } {
	return map[string]struct{ chart, flag, name string }{
		"bootstrap-machineadm/v0.1.0/bootstrap-components.yaml": {
			"machineadm-bootstrap", "--bootstrap", "machineadm",
		},
		"control-plane-machineadm/v0.1.0/control-plane-components.yaml": {
			"machineadm-control-plane", "--control-plane", "machineadm",
		},
		"infrastructure-machineadm-hosts/v0.1.0/infrastructure-components.yaml": {
			"machineadm-hosts", "--infrastructure", "machineadm-hosts",
		},
	}
}

// byName returns the objects of a provider by their kinds and names. It removes what clusterctl adds: a label, and
// empty fields of CRDs and Deployments.
func byName(objects []*unstructured.Unstructured, provider string) map[string]map[string]any {
	all := map[string]map[string]any{}
	for _, o := range objects {
		labels := o.GetLabels()
		if labels["cluster.x-k8s.io/provider"] != provider {
			continue
		}
		delete(labels, "clusterctl.cluster.x-k8s.io")
		o.SetLabels(labels)
		delete(o.Object, "status")
		if strategy, _, _ := unstructured.NestedMap(o.Object, "spec", "strategy"); len(strategy) == 0 {
			unstructured.RemoveNestedField(o.Object, "spec", "strategy")
		}
		all[o.GetKind()+"/"+o.GetNamespace()+"/"+o.GetName()] = o.Object
	}
	return all
}

// installed returns the objects of a provider in install.yaml.
func installed(t *testing.T, provider string) map[string]map[string]any {
	t.Helper()
	return byName(decode(t, read(t, release(t), "install.yaml")), provider)
}

func providerOf(components string) string {
	provider, _, _ := strings.Cut(components, "/")
	return provider
}

// TestInstallHasNoVariables checks install.yaml, and that each of its objects belongs to a provider.
func TestInstallHasNoVariables(t *testing.T) {
	text := read(t, release(t), "install.yaml")
	if bytes.Contains(text, []byte("${")) {
		t.Error("install.yaml contains a variable")
	}
	want := len(decode(t, text))
	got := 0
	for components := range parts() {
		got += len(installed(t, providerOf(components)))
	}
	if got != want || want == 0 {
		t.Errorf("%d of %d objects belong to a provider", got, want)
	}
}

// TestAggregatedRolesHaveNoRules checks that the manifests do not set the rules of aggregated ClusterRoles. The
// controller manager owns this field: a second server-side apply would fail, or remove the permissions for a moment.
func TestAggregatedRolesHaveNoRules(t *testing.T) {
	aggregated := 0
	for _, o := range decode(t, read(t, release(t), "install.yaml")) {
		if _, found := o.Object["aggregationRule"]; !found {
			continue
		}
		aggregated++
		if rules, found := o.Object["rules"]; found {
			t.Errorf("%s sets the rules %v", o.GetName(), rules)
		}
	}
	if aggregated != 2 {
		t.Errorf("there are %d aggregated roles", aggregated)
	}
}

// TestClusterctlMovesObjectsOfOtherInstallations checks the label of definitions that clusterctl adds to what it
// installs: clusterctl move reads only the objects of kinds that have it.
func TestClusterctlMovesObjectsOfOtherInstallations(t *testing.T) {
	objects := decode(t, read(t, release(t), "install.yaml"))
	for _, p := range parts() {
		more, _ := rendered(t, p.chart, nil)
		objects = append(objects, more...)
	}
	definitions := 0
	for _, o := range objects {
		if o.GetKind() != "CustomResourceDefinition" {
			continue
		}
		definitions++
		if _, found := o.GetLabels()["clusterctl.cluster.x-k8s.io"]; !found {
			t.Errorf("%s has no label for clusterctl", o.GetName())
		}
	}
	if definitions == 0 {
		t.Error("there are no definitions")
	}
}

// TestClusterctlGeneratesTheSame compares install.yaml with the objects that the real clusterctl installs from the
// release, which it finds at another path by the variable MACHINEADM_RELEASE.
func TestClusterctlGeneratesTheSame(t *testing.T) {
	clusterctl := debian.Tool(t, "clusterctl")
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Symlink(release(t), moved); err != nil {
		t.Fatal(err)
	}
	for components, p := range parts() {
		cmd := exec.CommandContext(t.Context(), clusterctl, "generate", "provider", p.flag, p.name+":"+version,
			"--config", filepath.Join(moved, "clusterctl.yaml"))
		cmd.Env = append(os.Environ(), "MACHINEADM_RELEASE="+moved, "HOME="+t.TempDir(), "GOPROXY=off",
			"CLUSTERCTL_DISABLE_VERSIONCHECK=true")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &stderr)
		}
		provider := providerOf(components)
		if diff := cmp.Diff(installed(t, provider), byName(decode(t, out), provider)); diff != "" {
			t.Errorf("%s: clusterctl installs other objects than install.yaml:\n%s", components, diff)
		}
	}
}

// rendered returns the objects of a chart with values, as Helm renders them, and the rendered text.
func rendered(t *testing.T, chart string, values map[string]any) (objects []*unstructured.Unstructured, text string) {
	t.Helper()
	c, err := loader.Load(filepath.Join(release(t), "charts", chart+"-0.1.0.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	all, err := chartutil.ToRenderValues(c, values, chartutil.ReleaseOptions{Name: "r", Namespace: "n"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := engine.Render(c, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text += file
	}
	return decode(t, []byte(text)), text
}

// TestChartsRenderTheSame compares what Helm renders with install.yaml. The only difference is the annotation by which
// Helm keeps CRDs.
func TestChartsRenderTheSame(t *testing.T) {
	const policy = "helm.sh/resource-policy"
	for components, p := range parts() {
		objects, _ := rendered(t, p.chart, nil)
		for _, o := range objects {
			annotations := o.GetAnnotations()
			if kept := annotations[policy] == "keep"; kept != (o.GetKind() == "CustomResourceDefinition") {
				t.Errorf("%s %s is kept: %v", o.GetKind(), o.GetName(), kept)
			}
			if o.GetKind() == "CustomResourceDefinition" {
				delete(annotations, policy)
				o.SetAnnotations(annotations)
			}
		}
		provider := providerOf(components)
		if diff := cmp.Diff(installed(t, provider), byName(objects, provider)); diff != "" {
			t.Errorf("%s renders other objects than install.yaml:\n%s", p.chart, diff)
		}
	}
}

// TestChartValues sets values, also hostile ones: a value must stay in its argument. A list is joined.
func TestChartValues(t *testing.T) {
	const hostile = "a\"\n        - --leader-elect=false # {{ .Values.image }} ${A:=b}"
	values, err := strvals.Parse("insecureDiagnostics=true,privateNetworks={192.0.2.0/24,2001:db8::/32}")
	if err != nil {
		t.Fatal(err)
	}
	values["image"], values["storageEndpoints"] = "other.example/c:1", hostile
	objects, _ := rendered(t, "machineadm-bootstrap", values)
	for _, o := range objects {
		if o.GetKind() != "Deployment" {
			continue
		}
		containers, _, err := unstructured.NestedSlice(o.Object, "spec", "template", "spec", "containers")
		if err != nil {
			t.Fatal(err)
		}
		container, _ := containers[0].(map[string]any)
		args, _, err := unstructured.NestedStringSlice(container, "args")
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"--leader-elect", "--diagnostics-address=:8443", "--insecure-diagnostics=true", "--bootstrap-token-ttl=15m",
			"--storage-endpoints=" + hostile, "--private-networks=192.0.2.0/24,2001:db8::/32",
			"--storage-identity-namespaces=none", "--kms-identity-namespaces=none",
		}
		if diff := cmp.Diff(want, args); diff != "" || container["image"] != "other.example/c:1" {
			t.Errorf("the image is %v, and the arguments differ:\n%s", container["image"], diff)
		}
		return
	}
	t.Error("there is no Deployment")
}

// TestChartsFitIntoSecrets stores a release as Helm does. A Secret has at most 1 MiB.
func TestChartsFitIntoSecrets(t *testing.T) {
	for _, p := range parts() {
		c, err := loader.Load(filepath.Join(release(t), "charts", p.chart+"-0.1.0.tgz"))
		if err != nil {
			t.Fatal(err)
		}
		_, text := rendered(t, p.chart, nil)
		stored, err := json.Marshal(map[string]any{"chart": c, "manifest": text})
		if err != nil {
			t.Fatal(err)
		}
		var compressed bytes.Buffer
		z := gzip.NewWriter(&compressed)
		if _, err := z.Write(stored); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		// Helm encodes in base64 before the API does.
		if size := base64.StdEncoding.EncodedLen(compressed.Len()); size > 900<<10 {
			t.Errorf("Helm stores %d bytes for %s", size, p.chart)
		}
	}
}

// TestOperatorHasTheComponents compares the components for the Cluster API Operator with those for clusterctl.
func TestOperatorHasTheComponents(t *testing.T) {
	found := 0
	for _, o := range decode(t, read(t, release(t), "operator.yaml")) {
		if o.GetKind() != "ConfigMap" {
			continue
		}
		encoded, _, err := unstructured.NestedString(o.Object, "binaryData", "components")
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		for components := range parts() {
			if o.GetName() != providerOf(components)+"-"+version {
				continue
			}
			found++
			metadata, _, _ := unstructured.NestedString(o.Object, "data", "metadata")
			if !bytes.Equal(text, read(t, release(t), components)) ||
				metadata != string(read(t, release(t), filepath.Dir(components), "metadata.yaml")) {
				t.Errorf("%s has other components or other metadata", o.GetName())
			}
		}
	}
	if found != 3 {
		t.Errorf("there are the components of %d providers", found)
	}
}
