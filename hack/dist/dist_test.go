package main

import (
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// components are manifests as kustomize writes them.
const components = `apiVersion: v1
kind: Namespace
metadata:
  name: machineadm-hosts-system
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.20.1
  name: hosts.infrastructure.machineadm.io
spec:
  description: the template {{ .random }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    a: b
  name: manager
spec:
  args:
  - --networks=${MACHINEADM_HOSTS_NETWORKS:=any}
  - --private-networks=${MACHINEADM_PRIVATE_NETWORKS:=none}
  image: registry.example/controller@sha256:0
`

func hosts() provider { return providers()[2] }

func TestChartTemplate(t *testing.T) {
	text, values, err := chartTemplate(hosts(), components)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  annotations:\n    helm.sh/resource-policy: keep\n    controller-gen",
		"  description: the template {{ \"{{\" }} .random {{ \"}}\" }}\n",
		"  annotations:\n    a: b\n",
		"  - {{ printf \"--networks=%s\" (join \",\" .Values.networks) | quote }}\n",
		"  - {{ printf \"--private-networks=%s\" (join \",\" .Values.privateNetworks) | quote }}\n",
		"  image: {{ .Values.image | quote }}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the template does not contain %q:\n%s", want, text)
		}
	}
	if len(values) != 3 || values["networks"] != "any" || values["privateNetworks"] != "none" ||
		values["image"] != "registry.example/controller@sha256:0" {
		t.Errorf("the values are %v", values)
	}
}

func TestComponentsAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"two images":             {"args:", "image: other\n  args:", "several images"},
		"no image":               {"  image:", "  picture:", "there is no image"},
		"no annotations":         {"  annotations:\n    controller", "  labels:\n    controller", "has no annotations"},
		"no default":             {":=any}", "}", "a variable has no default"},
		"two variables":          {":=any}", ":=any}${A:=b}", "more than one variable"},
		"a format":               {"--networks=", "--networks=%s", "more than one variable"},
		"a quoted variable":      {"- --networks=${MACHINEADM_HOSTS_NETWORKS:=any}", `- "${A:=b}"`, "not in a plain scalar"},
		"a value with a bracket": {":=any}", ":={any}}", "a variable has no default"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(components, c.before, c.after, 1)
			if changed == components {
				t.Fatalf("the components have no %q", c.before)
			}
			if _, _, err := chartTemplate(hosts(), changed); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestSubstituteDefaults(t *testing.T) {
	text, err := substituteDefaults("a: ${A:=:8443}\nb: ${B:=}\n")
	if err != nil || text != "a: :8443\nb: \n" {
		t.Errorf("got %q and %v", text, err)
	}
	for _, text := range []string{"a: ${A}\nb: c", "a: ${A:=b", "a: ${A:-b}", "${a:=b}"} {
		if got, err := substituteDefaults(text); err == nil {
			t.Errorf("%q is accepted: %q", text, got)
		}
	}
}

func TestNamespaceOf(t *testing.T) {
	if name, err := namespaceOf([]byte(components)); err != nil || name != "machineadm-hosts-system" {
		t.Errorf("got %q and %v", name, err)
	}
	for _, text := range []string{"", "kind: Deployment\n", "kind: ["} {
		if name, err := namespaceOf([]byte(text)); err == nil {
			t.Errorf("%q has the namespace %q", text, name)
		}
	}
}

// TestOperatorSelectsOneVersion checks that a selector for the Cluster API Operator matches only the ConfigMap of its
// version. The operator finds the ConfigMaps of all releases that were applied.
func TestOperatorSelectsOneVersion(t *testing.T) {
	selectors, configMaps := map[string]labels.Selector{}, map[string]labels.Set{}
	for _, version := range []string{"v0.1.0", "v0.1.1", "v0.2.0"} {
		objects, err := operatorObjects(hosts(), version, []byte(components), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range objects {
			var o operatorProvider
			if err := yaml.Unmarshal(text, &o); err != nil {
				t.Fatal(err)
			}
			switch o.Kind {
			case "ConfigMap":
				configMaps[version] = o.Labels
			case hosts().kind:
				if selectors[version], err = metav1.LabelSelectorAsSelector(&o.Spec.FetchConfig.Selector); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if len(selectors) != 3 || len(configMaps) != 3 {
		t.Fatalf("there are %d selectors and %d ConfigMaps", len(selectors), len(configMaps))
	}
	for of, selector := range selectors {
		for version, set := range configMaps {
			if got := selector.Matches(set); got != (of == version) {
				t.Errorf("the selector of %s matches the ConfigMap of %s: %v", of, version, got)
			}
		}
	}
}

// TestMaintainerHasAnAddress holds that packages have a maintainer as the Debian policy, section 5.6.2, requires it.
func TestMaintainerHasAnAddress(t *testing.T) {
	for _, p := range packages() {
		c := release{}.nfpmConfig(p, "amd64")
		if a, err := mail.ParseAddress(c.Maintainer); err != nil || a.Name == "" {
			t.Errorf("%s: the maintainer %q: %v", c.Name, c.Maintainer, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "other"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// Commands run in the root directory of the tree.
	t.Chdir("../..")
	free := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		args  []string
		epoch string
		want  string
	}{
		{[]string{"v0.1.0"}, "", "usage: dist"},
		{[]string{"-platforms", "linux/amd64 plan9/386", "v0.1.0", free}, "", `"plan9/386" is not supported; use some of`},
		{[]string{"v7.0.0", free}, "", "does not list 7.0"},
		{[]string{"v0.1.0", free}, "yesterday", `SOURCE_DATE_EPOCH: "yesterday" is not a number`},
		{[]string{"v0.1.0", free}, "-1", "SOURCE_DATE_EPOCH"},
		{[]string{"v0.1.0", full}, "0", "is not empty; delete it, or choose another folder"},
	} {
		if err := run(t.Context(), c.args, c.epoch); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.args, err, c.want)
		}
	}
	if _, err := os.Stat(free); err == nil {
		t.Error("a refused release was written")
	}
}

func TestTimeOfTheCommit(t *testing.T) {
	t.Chdir("../..")
	commit, err := release{}.time(t.Context(), "")
	if err != nil || commit.Before(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("got %v and %v", commit, err)
	}
	if epoch, err := (release{}).time(t.Context(), "86400"); err != nil || epoch.Format(time.DateOnly) != "1970-01-02" {
		t.Errorf("got %v and %v", epoch, err)
	}
}

func TestKeysAreRefused(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"not PEM":      "secret",
		"a public key": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
		"another key":  "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
	} {
		path := filepath.Join(dir, "key")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := sign(path, []byte("text"))
		if err == nil || !strings.Contains(err.Error(), "private key") {
			t.Errorf("%s: got %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "AAAA") {
			t.Errorf("%s: the error contains the key: %v", name, err)
		}
	}
}
