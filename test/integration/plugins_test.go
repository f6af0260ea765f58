package integration_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/nightly"
)

// reference names a plugin.
func reference(o *unstructured.Unstructured) v1alpha1.PluginReference {
	return v1alpha1.PluginReference{APIGroup: o.GroupVersionKind().Group, Kind: o.GetKind(), Name: o.GetName()}
}

// named gives an object its place.
func (w *world) named(o *unstructured.Unstructured, name string) *unstructured.Unstructured {
	o.SetNamespace(w.name)
	o.SetName(name)
	return o
}

// parts are five plugins, two of them foreign, and what each has in the data of a machine.
func (w *world) parts(prefix string) ([]*unstructured.Unstructured, []string) {
	plugins := []*unstructured.Unstructured{
		w.named(pluginObject("ContainerdConfig", map[string]any{"sandboxImage": "example.com/pause:" + prefix}),
			prefix+"-runtime"),
		w.named(pluginObject("TimeSyncConfig", map[string]any{"servers": []any{prefix + ".time.example"}}), prefix+"-time"),
		w.named(pluginObject("SysctlConfig", map[string]any{"sysctls": map[string]any{"vm.swappiness": "7"}}),
			prefix+"-kernel"),
		w.named(motd(map[string]any{"message": "first of " + prefix, "before": []any{"Motd/" + prefix + "-second"}}),
			prefix+"-first"),
		w.named(motd(map[string]any{"message": "second of " + prefix, "after": []any{"SysctlConfig/" + prefix + "-kernel"}}),
			prefix+"-second"),
	}
	return plugins, []string{
		"example.com/pause:" + prefix, prefix + ".time.example", "vm.swappiness", "first of " + prefix,
		"second of " + prefix,
	}
}

// permutations returns the orders of n things.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for at := range n {
			order := append(append(append([]int{}, p[:at]...), n-1), p[at:]...)
			all = append(all, order)
		}
	}
	return all
}

// TestPluginsInEveryOrderOfArrival creates a machine for each of the 120 orders in which five plugins can arrive, or
// for three of them; the config comes first, last, or anywhere between them. TestOrderOfArrival composes all orders in
// memory.
func TestPluginsInEveryOrderOfArrival(t *testing.T) {
	t.Parallel()
	foreign(t)
	w := common(t, "plugin-orders")
	var group sync.WaitGroup
	slots := make(chan struct{}, 8)
	orders := nightly.Sample(permutations(5), 3)
	for i, order := range orders {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			if err := w.arrive(fmt.Sprintf("m%03d", i), order, i%6); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i := range orders {
		w.composed(fmt.Sprintf("m%03d", i))
	}
}

// arrive makes the plugins in the order, and the config with its machine before the plugin of the position.
func (w *world) arrive(prefix string, order []int, position int) error {
	plugins, _ := w.parts(prefix)
	m, infrastructure := w.machine(prefix, false)
	c := w.config(prefix, func(c *v1alpha1.MachineBootstrapConfig) {
		for _, p := range plugins {
			c.Spec.PluginRefs = append(c.Spec.PluginRefs, reference(p))
		}
	})
	objects := make([]client.Object, 0, len(plugins)+3)
	for i, at := range order {
		if i == position {
			objects = append(objects, infrastructure, m, c)
		}
		objects = append(objects, plugins[at])
	}
	if position == len(order) {
		objects = append(objects, c, infrastructure, m)
	}
	for _, o := range objects {
		if err := w.env.Client.Create(w.t.Context(), o); err != nil {
			return fmt.Errorf("%s: %w", prefix, err)
		}
	}
	return nil
}

// composed holds that all plugins are in a machine's data, the foreign ones in the order that they ask for.
func (w *world) composed(prefix string) {
	w.t.Helper()
	name := w.prefix + "-" + prefix
	c := w.published(name)
	w.Expect(c.Status.PluginConditions).To(HaveLen(5))
	for _, p := range c.Status.PluginConditions {
		w.Expect(p.Reason).To(Equal("Ready"), "%s %s", p.Kind, p.Message)
		w.Expect(p.SecretReady).To(HaveValue(BeTrue()))
		w.Expect(p.Template).To(BeNil())
	}
	_, texts := w.parts(prefix)
	data := string(w.data(name).Data["value"])
	for _, text := range texts {
		w.Expect(data).To(ContainSubstring(text), name)
	}
	w.Expect(strings.Index(data, texts[3])).To(BeNumerically("<", strings.Index(data, texts[4])),
		"the first asks to come before the second")
}
