package portstest

import (
	"testing"

	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/ports"
)

// PluginScene arranges resources for the suite.
type PluginScene interface {
	// Plugin has the plugin be there and ready, with the text as its documents.
	Plugin(t *testing.T, namespace string, id composition.ID, text string)
	// Template has a template be there; what is made from it is ready with the text, perhaps after Settle.
	Template(t *testing.T, namespace string, id composition.ID, text string)
	// Settle does what the plugin's own controller would.
	Settle(t *testing.T, namespace string, id composition.ID)
}

// PluginResources holds an implementation to the port. The function makes an empty one.
func PluginResources(t *testing.T, empty func(t *testing.T) (ports.PluginResources, PluginScene)) {
	t.Helper()
	t.Run("find", func(t *testing.T) { findPlugins(t, empty) })
	t.Run("instantiate", func(t *testing.T) { instantiate(t, empty) })
}

func widget(name string) composition.ID {
	return composition.ID{Group: "plugins.example.com", Kind: "Widget", Name: name}
}

func findPlugins(t *testing.T, empty func(t *testing.T) (ports.PluginResources, PluginScene)) {
	t.Helper()
	p, scene := empty(t)
	scene.Plugin(t, "default", widget("a"), "text")
	cases := map[string]struct {
		reason, namespace, name string
		want                    composition.State
	}{
		"ready":             {"what is there is found", "default", "a", composition.Ready},
		"missing":           {"what is not there is no error", "default", "b", composition.NotFound},
		"another namespace": {"a name counts in its namespace", "other", "a", composition.NotFound},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := p.Find(t.Context(), tc.namespace, widget(tc.name))
			if err != nil || got.State != tc.want {
				t.Fatalf("%s %q %v, want %s: %s", got.State, got.Message, err, tc.want, tc.reason)
			}
			if ready := tc.want == composition.Ready; ready != (string(got.Text.Reveal()) == "text") ||
				ready != (got.Message == "") {
				t.Errorf("message %q: %s", got.Message, tc.reason)
			}
		})
	}
}

func instantiate(t *testing.T, empty func(t *testing.T) (ports.PluginResources, PluginScene)) {
	t.Helper()
	p, scene := empty(t)
	owner := ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "uid-1"}
	template := widget("t")
	template.Kind += composition.TemplateSuffix
	i := composition.InstanceOf(owner.Name, template)
	get := func(owner ports.Owner, want composition.State, reason string) composition.Observed {
		t.Helper()
		got, err := p.Instantiate(t.Context(), owner, "c1", i)
		if err != nil || got.State != want {
			t.Fatalf("%s %q %v, want %s: %s", got.State, got.Message, err, want, reason)
		}
		return got
	}
	get(owner, composition.NoTemplate, "a template may come later")
	scene.Template(t, "default", template, "text")
	if _, err := p.Instantiate(t.Context(), owner, "c1", i); err != nil {
		t.Fatal(err)
	}
	scene.Settle(t, "default", i.ID)
	for range 2 {
		if got := get(owner, composition.Ready, "it is made once"); string(got.Text.Reveal()) != "text" {
			t.Error("it does not have what the template has")
		}
	}
	owner.UID = "uid-2"
	get(owner, composition.NotOwned, "what another made is never adopted")
}
