package controller_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/compose"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/secret"
)

const group = "plugins.example.com"

// ofPlugins makes a config name a plugin and a template of one.
func ofPlugins(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
	c.Spec.PluginRefs = []v1alpha1.PluginReference{{APIGroup: group, Kind: "Widget", Name: "a"}}
	c.Spec.PluginTemplateRefs = []v1alpha1.PluginReference{{APIGroup: group, Kind: "WidgetTemplate", Name: "t"}}
}

func documents(path string) composition.Observed {
	text := "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: " + path + ", content: a}\n"
	return composition.Observed{State: composition.Ready, Text: secret.FromString(text)}
}

// TestPluginConditions verifies that each plugin is reported in the order of the spec, also while the config waits for
// something else.
func TestPluginConditions(t *testing.T) {
	template := composition.ID{Group: group, Kind: "WidgetTemplate", Name: "t"}
	instance := composition.InstanceOf("m1", template)
	named := v1alpha1.PluginReference{APIGroup: group, Kind: "Widget", Name: "a"}
	created := v1alpha1.PluginReference{APIGroup: group, Kind: "Widget", Name: instance.Name}
	from := &v1alpha1.PluginTemplate{Kind: "WidgetTemplate", Name: "t"}
	cases := map[string]struct {
		reason  string
		arrange func(*memory.PluginResources)
		change  func(*v1alpha1.MachineBootstrapConfig, *clusterv1.Cluster, *clusterv1.Machine)
		ready   string
		want    []v1alpha1.PluginCondition
	}{
		"ready": {
			reason: "all is there", ready: "True Ready",
			arrange: func(p *memory.PluginResources) {
				p.Put("default", composition.ID{Group: group, Kind: "Widget", Name: "a"}, documents("/a"))
				p.PutTemplate("default", template, documents("/t"))
			},
			want: []v1alpha1.PluginCondition{
				{PluginReference: named, SecretReady: ptr.To(true), Reason: "Ready"},
				{PluginReference: created, SecretReady: ptr.To(true), Reason: "Ready", Template: from},
			},
		},
		"waits": {
			reason: "each missing plugin is reported", ready: "False WaitingForPlugin",
			arrange: func(*memory.PluginResources) {},
			want: []v1alpha1.PluginCondition{
				{
					PluginReference: named, SecretReady: ptr.To(false), Reason: "NotFound",
					Message: composition.Missing().Message,
				},
				{
					PluginReference: created, SecretReady: ptr.To(false), Reason: "TemplateNotFound",
					Message: composition.MissingTemplate(template).Message, Template: from,
				},
			},
		},
		"early": {
			reason: "plugins are reported before their turn", ready: "False WaitingForInfrastructure",
			arrange: func(p *memory.PluginResources) {
				p.Put("default", composition.ID{Group: group, Kind: "Widget", Name: "a"}, documents("/a"))
			},
			change: func(_ *v1alpha1.MachineBootstrapConfig, c *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.Status.Initialization.InfrastructureProvisioned = nil
			},
			want: []v1alpha1.PluginCondition{
				{PluginReference: named, SecretReady: ptr.To(true), Reason: "Ready"},
				{
					PluginReference: created, SecretReady: ptr.To(false), Reason: "TemplateNotFound",
					Message: composition.MissingTemplate(template).Message, Template: from,
				},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			plugins := &memory.PluginResources{}
			tc.arrange(plugins)
			w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, cluster *clusterv1.Cluster, m *clusterv1.Machine) {
				ofPlugins(c, cluster, m)
				if tc.change != nil {
					tc.change(c, cluster, m)
				}
			})
			w.Plugins = &compose.Service{Plugins: plugins, Codec: codec.Codec{}}
			got := w.reconcile()
			if diff := cmp.Diff(tc.want, got.Status.PluginConditions); diff != "" || conditions(got)["Ready"] != tc.ready {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, conditions(got), diff)
			}
		})
	}
}

// TestConditionNamesTheReference verifies that the condition names the field, the resource and the remedy.
func TestConditionNamesTheReference(t *testing.T) {
	for state, want := range map[composition.State]string{
		"": "spec.pluginRefs[0]: Widget/a: there is no such resource in this namespace; create it, or correct the name; " +
			"another plugin is not ready",
		composition.Failed: "spec.pluginRefs[0]: Widget/a: broken; another plugin is not ready",
	} {
		plugins := &memory.PluginResources{}
		if state != "" {
			plugins.Put("default", composition.ID{Group: group, Kind: "Widget", Name: "a"}, composition.Observed{
				State: state, Message: "broken",
			})
		}
		w := newWorld(t, ofPlugins)
		w.Plugins = &compose.Service{Plugins: plugins, Codec: codec.Codec{}}
		if got := meta.FindStatusCondition(w.reconcile().Status.Conditions, "Ready"); got.Message != want {
			t.Errorf("%q, want %q", got.Message, want)
		}
	}
}

// TestUnwatchedKindsAreRetried verifies that only unwatched kinds are polled.
func TestUnwatchedKindsAreRetried(t *testing.T) {
	for state, want := range map[composition.State]time.Duration{
		composition.NoSuchKind: 15 * time.Second,
		composition.NotReady:   0,
	} {
		w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, cluster *clusterv1.Cluster, m *clusterv1.Machine) {
			ofPlugins(c, cluster, m)
			c.Spec.PluginTemplateRefs = nil
		})
		plugins := &memory.PluginResources{}
		plugins.Put("default", composition.ID{Group: group, Kind: "Widget", Name: "a"}, composition.Observed{
			State:   state,
			Message: "later",
		})
		w.Plugins = &compose.Service{Plugins: plugins, Codec: codec.Codec{}}
		result, err := w.Reconcile(t.Context(),
			ctrl.Request{NamespacedName: client.ObjectKey{Namespace: "default", Name: "m1"}})
		if err != nil || result.RequeueAfter != want {
			t.Errorf("%s: looked at again after %s, want %s, %v", state, result.RequeueAfter, want, err)
		}
	}
}

// TestPluginsAreIndexed verifies that a config is triggered by its plugins, their templates and plugins that are
// created from these.
func TestPluginsAreIndexed(t *testing.T) {
	config, cluster, machine := objects()
	ofPlugins(config, cluster, machine)
	names := controller.ReferencesOf(config)
	slices.Sort(names)
	instance := composition.InstanceOf("m1", composition.ID{Group: group, Kind: "WidgetTemplate", Name: "t"})
	want := []string{"Secret/m1", "Widget." + group + "/a", instance.Full(), "WidgetTemplate." + group + "/t"}
	if !slices.Equal(names, want) {
		t.Errorf("indexed %s", strings.Join(names, " "))
	}
}
