package integration_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/plugincontract"
	"github.com/machineadm/machineadm/test/programs"
)

// foreignGroup is the group of kinds that are not ours.
const foreignGroup = "plugins.example.com"

// foreignKinds starts a third-party controller, which is in a separate module, for the first test that needs it.
var foreignKinds = sync.OnceValue(func() error {
	e := shared()
	program, err := programs.BuildModule(e.ctx, "test/foreign")
	if err != nil {
		return err
	}
	objects, err := controlplane.ReadManifests(filepath.Join(programs.Root(), "test", "foreign", "config", "plugin.yaml"))
	if err != nil {
		return err
	}
	kubeconfig := filepath.Join(e.Dir, "motd.kubeconfig")
	if err := errors.Join(e.Apply(e.ctx, objects...), e.WriteKubeconfig(kubeconfig)); err != nil {
		return err
	}
	e.foreign, err = controlplane.StartProcess(e.ctx, filepath.Join(e.Dir, "motd.log"), program,
		"--kubeconfig="+kubeconfig)
	return err
})

func foreign(t *testing.T) {
	t.Helper()
	if err := foreignKinds(); err != nil {
		t.Fatal(err)
	}
}

// TestForeignPluginKeepsTheContract runs the test in the module of the third-party kind, as its author would.
func TestForeignPluginKeepsTheContract(t *testing.T) {
	t.Parallel()
	foreign(t)
	e := shared()
	if err := e.EnsureNamespace(t.Context(), "motd-contract"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-vet=off", "-ldflags=-s", programs.LinkCache(),
		"./...")
	cmd.Dir = filepath.Join(programs.Root(), "test", "foreign")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(e.Dir, "motd.kubeconfig"), "MOTD_NAMESPACE=motd-contract")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestOurPluginsKeepTheContract runs the suite of the contract for each of our own kinds in a nightly run, and
// for one of them otherwise.
func TestOurPluginsKeepTheContract(t *testing.T) {
	t.Parallel()
	specs := map[string][2]map[string]any{
		"ContainerdConfig": {{"sandboxImage": "example.com/pause:1"}, {"sandboxImage": "example.com/pause:2"}},
		"TimeSyncConfig":   {{"servers": []any{"a.example"}}, {"servers": []any{"b.example"}}},
		"SysctlConfig": {
			{"sysctls": map[string]any{"vm.swappiness": "1"}},
			{"sysctls": map[string]any{"vm.swappiness": "2"}},
		},
		"ControlPlaneConfig": {{"imageRepository": "a.example"}, {"imageRepository": "b.example"}},
		"HardeningConfig":    {{"profile": "CIS"}, {"profile": "STIG"}},
	}
	for _, p := range nightly.Sample(v1alpha1.Plugins(), 1) {
		kind := v1alpha1.PluginKind(p)
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "contract-"+strings.ToLower(kind))
			spec, found := specs[kind]
			if kind == "TrustedCAsConfig" {
				authority := string(w.env.ClusterCA(w.key("ca")).Data["tls.crt"])
				spec, found = [2]map[string]any{trusted("a", authority), trusted("b", authority)}, true
			}
			if !found {
				t.Fatalf("no spec for a %s", kind)
			}
			plugincontract.Test(t, plugincontract.Kind{
				Client: w.env.Client, Namespace: w.name,
				Plugin: func() *unstructured.Unstructured { return pluginObject(kind, spec[0]) },
				Change: func(o *unstructured.Unstructured) { o.Object["spec"] = spec[1] },
				Template: func() *unstructured.Unstructured {
					return pluginObject(kind+"Template", map[string]any{"template": map[string]any{"spec": spec[0]}})
				},
			})
		})
	}
}

func trusted(name, content string) map[string]any {
	return map[string]any{"trustedCAs": []any{map[string]any{"name": name, "content": content}}}
}

// pluginObject returns an object of one of our kinds.
func pluginObject(kind string, spec map[string]any) *unstructured.Unstructured {
	return anObject(v1alpha1.GroupVersion().WithKind(kind), spec)
}

func anObject(kind schema.GroupVersionKind, spec map[string]any) *unstructured.Unstructured {
	o := (&unstructured.Unstructured{Object: map[string]any{"spec": spec}}).DeepCopy()
	o.SetGroupVersionKind(kind)
	return o
}

// motd returns a message of the day, which is a plugin of the foreign kind.
func motd(spec map[string]any) *unstructured.Unstructured {
	return anObject(schema.GroupVersionKind{Group: foreignGroup, Version: "v1", Kind: "Motd"}, spec)
}
