package pluginresources_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/pluginresources"
	"github.com/machineadm/machineadm/domain/composition"
)

// TestUnknownKindsShareADiscovery has many configs that each name many kinds that do not exist. A discovery reads all
// kinds of the API server, so one must answer all of them.
func TestUnknownKindsShareADiscovery(t *testing.T) {
	s := newScene(t)
	var all sync.WaitGroup
	for i := range 256 {
		all.Go(func() {
			id := composition.ID{Group: fmt.Sprintf("g%d.example.com", i), Kind: "Widget", Name: "a"}
			if got, err := s.Find(t.Context(), "default", id); err != nil || got.State != composition.NoSuchKind {
				t.Errorf("%s: %s, %v", id, got.State, err)
			}
		})
	}
	all.Wait()
	if got, err := s.Find(t.Context(), "default", pluginID("Widget", "a")); err != nil ||
		got.State != composition.NotFound {
		t.Errorf("a kind that exists: %s, %v", got.State, err)
	}
	if n := s.discoveries.Load(); n != 1 {
		t.Errorf("%d discoveries", n)
	}
}

// TestKindsAreDiscoveredLater has a definition that is created after its kind was looked up.
func TestKindsAreDiscoveredLater(t *testing.T) {
	for name, c := range map[string]struct {
		reason string
		wait   time.Duration
		before func(*scene)
		want   composition.State
	}{
		"soon":  {reason: "the kinds were just read", wait: 9 * time.Second, want: composition.NoSuchKind},
		"later": {reason: "the kinds are read again", wait: 10 * time.Second, want: composition.NotFound},
		"after a kubeconfig": {
			reason: "whether a kind is one of plugins decides whether a kubeconfig is used, so the API server is asked",
			want:   composition.NotFound, before: func(s *scene) {
				if is, err := s.IsPlugin(t.Context(), group().WithKind("Widget").GroupKind()); !is || err != nil {
					t.Errorf("it is no plugin: %v", err)
				}
			},
		},
	} {
		s := newScene(t)
		later := s.served
		s.served = meta.NewDefaultRESTMapper(nil)
		if got, err := s.Find(t.Context(), "default", pluginID("Widget", "a")); err != nil ||
			got.State != composition.NoSuchKind {
			t.Fatalf("%s: at first: %s, %v", name, got.State, err)
		}
		s.served = later
		s.clock.Advance(c.wait)
		if c.before != nil {
			c.before(s)
		}
		if got, err := s.Find(t.Context(), "default", pluginID("Widget", "a")); err != nil || got.State != c.want {
			t.Errorf("%s: %s, %v, want %s: %s", name, got.State, err, c.want, c.reason)
		}
	}
}

// TestRefusedKindsAreAskedOnce has many configs that name a kind that the controller may not read.
func TestRefusedKindsAreAskedOnce(t *testing.T) {
	s := newScene(t)
	find := func(want composition.State, reviews int) {
		t.Helper()
		for range 100 {
			if got, err := s.Find(t.Context(), "default", pluginID("Widget", "a")); err != nil || got.State != want {
				t.Fatalf("%s, %v, want %s", got.State, err, want)
			}
		}
		if s.reviews != reviews {
			t.Errorf("%d reviews, want %d", s.reviews, reviews)
		}
	}
	s.forbidden = "list"
	find(composition.NotPermitted, 1)
	s.forbidden = ""
	find(composition.NotPermitted, 1)
	s.clock.Advance(10 * time.Second)
	find(composition.NotFound, 3)
}

// TestDiscoverKinds reads the kinds of a server in their preferred versions.
func TestDiscoverKinds(t *testing.T) {
	server := &fake.FakeDiscovery{Fake: &clienttesting.Fake{}}
	for _, version := range []string{"v1", "v1alpha1"} {
		server.Resources = append(server.Resources, &metav1.APIResourceList{
			GroupVersion: group().Group + "/" + version,
			APIResources: []metav1.APIResource{{Name: "widgets", Kind: "Widget", Namespaced: true}},
		})
	}
	mapper, err := pluginresources.DiscoverKinds(server)()
	if err != nil {
		t.Fatal(err)
	}
	found, err := mapper.RESTMapping(group().WithKind("Widget").GroupKind())
	if err != nil || found.Resource != group().WithResource("widgets") ||
		found.Scope.Name() != meta.RESTScopeNameNamespace {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := mapper.RESTMapping(group().WithKind("Gadget").GroupKind()); !meta.IsNoMatchError(err) {
		t.Errorf("a kind that does not exist: %v", err)
	}
}
