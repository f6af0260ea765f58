package pluginresources_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/pluginresources"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

const canary = "canary7q9zk2xw5v"

// scene is a lookup with a fake API server.
type scene struct {
	*pluginresources.Lookup
	t       *testing.T
	client  client.Client
	watched []schema.GroupVersionKind
	// done counts completed reads of watched kinds.
	done int
	// forbidden contains the verbs that the controller may not use, and fail is the API server's error.
	forbidden string
	fail      error
	// served are the kinds of the API server. discoveries and reviews count the requests for them and for permissions.
	served      meta.RESTMapper
	discoveries atomic.Int32
	reviews     int
	clock       memory.Clock
}

func group() schema.GroupVersion {
	return schema.GroupVersion{Group: "plugins.example.com", Version: "v1"}
}

func newScene(t *testing.T) *scene {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{group()})
	mapper.Add(group().WithKind("Widget"), meta.RESTScopeNamespace)
	mapper.Add(group().WithKind("WidgetTemplate"), meta.RESTScopeNamespace)
	mapper.Add(group().WithKind("World"), meta.RESTScopeRoot)
	s := &scene{t: t, served: mapper}
	s.client = fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(mapper).
		WithInterceptorFuncs(interceptor.Funcs{Create: s.create, Get: s.get}).Build()
	s.Lookup = pluginresources.NewLookup(pluginresources.LookupOptions{
		Client: s.client, Discover: s.discover, Cache: s.client, Secrets: readSecrets{s.client}, Watch: s.watch,
		Owner: v1alpha1.GroupVersion().WithKind(v1alpha1.ConfigKind), Clock: &s.clock,
	})
	return s
}

func (s *scene) discover() (meta.RESTMapper, error) {
	s.discoveries.Add(1)
	return s.served, nil
}

func (s *scene) watch(o client.Object) (func(), error) {
	s.watched = append(s.watched, o.GetObjectKind().GroupVersionKind())
	return func() { s.done++ }, nil
}

func (s *scene) create(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
	if review, ok := o.(*authorizationv1.SelfSubjectAccessReview); ok {
		s.reviews++
		review.Status.Allowed = !strings.Contains(s.forbidden, review.Spec.ResourceAttributes.Verb)
		return s.fail
	}
	if o.GetUID() == "" {
		o.SetUID(types.UID("uid-of-" + o.GetName()))
	}
	return c.Create(ctx, o, opts...)
}

func (s *scene) get(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object,
	opts ...client.GetOption,
) error {
	if s.fail != nil {
		return s.fail
	}
	return c.Get(ctx, key, o, opts...)
}

type readSecrets struct{ client.Client }

func (s readSecrets) Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error) {
	secret := &corev1.Secret{}
	return secret, s.Get(ctx, key, secret)
}

// widget creates a Widget with the status.
func (s *scene) widget(namespace, name string, status map[string]any) *unstructured.Unstructured {
	s.t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{"status": status}}
	o.SetGroupVersionKind(group().WithKind("Widget"))
	o.SetNamespace(namespace)
	o.SetName(name)
	if err := s.client.Create(s.t.Context(), o); err != nil {
		s.t.Fatal(err)
	}
	return o
}

// secret creates a Secret that the owner controls, unless it is nil.
func (s *scene) secret(namespace, name string, owner client.Object, data map[string][]byte) {
	s.t.Helper()
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Data: data}
	if owner != nil {
		secret.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner,
			owner.GetObjectKind().GroupVersionKind())}
	}
	if err := s.client.Create(s.t.Context(), secret); err != nil {
		s.t.Fatal(err)
	}
}

func documents(text string) map[string][]byte {
	return map[string][]byte{v1alpha1.PluginDocumentsKey: []byte(text)}
}

func readyPlugin(secret string) map[string]any {
	return map[string]any{"ready": true, "secretName": secret}
}

// Plugin creates a Widget that is ready.
func (s *scene) Plugin(_ *testing.T, namespace string, id composition.ID, text string) {
	s.secret(namespace, id.Name+"-documents", s.widget(namespace, id.Name, readyPlugin(id.Name+"-documents")),
		documents(text))
}

// Template creates a template with the text in the spec of its widgets.
func (s *scene) Template(t *testing.T, namespace string, id composition.ID, text string) {
	t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{"template": map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"a": "b"}},
			"spec":     map[string]any{"text": text},
		}},
	}}
	o.SetGroupVersionKind(group().WithKind(id.Kind))
	o.SetNamespace(namespace)
	o.SetName(id.Name)
	if err := s.client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// Settle acts as the controller of Widgets.
func (s *scene) Settle(t *testing.T, namespace string, id composition.ID) {
	t.Helper()
	o := s.made(namespace, id)
	text, _, _ := unstructured.NestedString(o.Object, "spec", "text")
	s.secret(namespace, id.Name, o, documents(text))
	o.Object["status"] = readyPlugin(id.Name)
	if err := s.client.Update(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

func (s *scene) made(namespace string, id composition.ID) *unstructured.Unstructured {
	s.t.Helper()
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(group().WithKind(id.Kind))
	if err := s.client.Get(s.t.Context(), client.ObjectKey{Namespace: namespace, Name: id.Name}, o); err != nil {
		s.t.Fatal(err)
	}
	return o
}

func TestLookupConforms(t *testing.T) {
	portstest.PluginResources(t, func(t *testing.T) (ports.PluginResources, portstest.PluginScene) {
		s := newScene(t)
		return s, s
	})
}

func pluginID(kind, name string) composition.ID {
	return composition.ID{Group: group().Group, Kind: kind, Name: name}
}

func TestLookupFind(t *testing.T) {
	cases := map[string]struct {
		reason   string
		arrange  func(*scene)
		kind     string
		want     composition.State
		reported string
	}{
		"no kind": {
			reason: "a definition may come later", kind: "Gadget", want: composition.NoSuchKind,
			reported: "does not serve Gadget.plugins.example.com",
		},
		"no namespace": {
			reason: "namespaces are the border", kind: "World", want: composition.NotNamespaced,
			reported: "are not namespaced",
		},
		"no list": {
			reason: "a forbidden kind is reported, and not read", arrange: func(s *scene) { s.forbidden = "list" },
			want: composition.NotPermitted, reported: "may not list widgets.plugins.example.com; give a ClusterRole " +
				"that allows it the label",
		},
		"no watch": {
			reason: "a watch needs both", arrange: func(s *scene) { s.forbidden = "watch" },
			want: composition.NotPermitted, reported: "may not watch",
		},
		"not ready": {
			reason: "its own words are passed on", want: composition.NotReady, reported: "it is not ready: Broken: no luck",
			arrange: func(s *scene) {
				s.widget("default", "a", map[string]any{"conditions": []any{map[string]any{
					"type": "Ready", "status": "False",
					"reason": "Broken", "message": "no luck",
				}}})
			},
		},
		"failed": {
			reason: "a failure is reported", want: composition.Failed, reported: "Broken: for good",
			arrange: func(s *scene) {
				s.widget("default", "a", map[string]any{"failureReason": "Broken", "failureMessage": "for good"})
			},
		},
		"stale": {
			reason: "an older spec's documents are not used", want: composition.NotReady, reported: "older spec",
			arrange: func(s *scene) {
				o := s.widget("default", "a", map[string]any{"ready": true, "secretName": "s", "observedGeneration": int64(1)})
				o.SetGeneration(2)
				if err := s.client.Update(s.t.Context(), o); err != nil {
					s.t.Fatal(err)
				}
			},
		},
		"odd status": {
			reason: "an invalid status is reported", want: composition.InvalidStatus, reported: "does not follow the contract",
			arrange: func(s *scene) { s.widget("default", "a", map[string]any{"ready": "yes"}) },
		},
		"no secret": {
			reason: "a Secret may come later", want: composition.NoSecret, reported: "its Secret s does not exist",
			arrange: func(s *scene) { s.widget("default", "a", readyPlugin("s")) },
		},
		"abroad": {
			reason: "a Secret of another namespace cannot be named", want: composition.InvalidStatus,
			reported: "not the name of a Secret",
			arrange: func(s *scene) {
				s.secret("other", "s", s.widget("default", "a", readyPlugin("other/s")), documents("text"))
			},
		},
		"nobody's": {
			reason: "a Secret without a controller may contain anything", want: composition.SecretNotOwned,
			reported: "it does not control the Secret s",
			arrange: func(s *scene) {
				s.widget("default", "a", readyPlugin("s"))
				s.secret("default", "s", nil, documents(canary))
			},
		},
		"another's": {
			reason: "no user reads with our permissions", want: composition.SecretNotOwned,
			reported: "it does not control the Secret s",
			arrange: func(s *scene) {
				s.widget("default", "a", readyPlugin("s"))
				s.secret("default", "s", s.widget("default", "b", readyPlugin("s")), documents(canary))
			},
		},
		"reserved": {
			reason: "a plugin's Secret is not one that another controller trusts", want: composition.InvalidStatus,
			reported: `its status.secretName: the name "c1-kubeconfig" is reserved for the kubeconfig of a cluster`,
			arrange: func(s *scene) {
				s.secret("default", "c1-kubeconfig", s.widget("default", "a", readyPlugin("c1-kubeconfig")), documents(canary))
			},
		},
		"no key": {
			reason: "the contract has a key", want: composition.InvalidDocuments, reported: "its Secret s has no key documents",
			arrange: func(s *scene) {
				s.secret("default", "s", s.widget("default", "a", readyPlugin("s")), map[string][]byte{"value": []byte(canary)})
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			if tc.arrange != nil {
				tc.arrange(s)
			}
			kind := tc.kind
			if kind == "" {
				kind = "Widget"
			}
			got, err := s.Find(t.Context(), "default", pluginID(kind, "a"))
			if err != nil || got.State != tc.want || !strings.Contains(got.Message, tc.reported) || !got.Text.IsZero() {
				t.Errorf("%s %q %v, want %s %q: %s", got.State, got.Message, err, tc.want, tc.reported, tc.reason)
			}
			if strings.Contains(got.Message, canary) {
				t.Errorf("%q shows a secret", got.Message)
			}
			if s.done != len(s.watched) {
				t.Errorf("%d of %d reads have ended", s.done, len(s.watched))
			}
			if forbidden := s.forbidden != "" || tc.kind != ""; forbidden != (len(s.watched) == 0) {
				t.Errorf("watched %v: %s", s.watched, tc.reason)
			}
		})
	}
}
