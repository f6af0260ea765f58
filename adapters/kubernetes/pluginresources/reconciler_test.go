package pluginresources_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/pluginresources"
)

// cachedSecrets reads from the fake API server.
type cachedSecrets struct{ client.Client }

func (s cachedSecrets) Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error) {
	secret := &corev1.Secret{}
	return secret, s.Get(ctx, key, secret)
}

func (cachedSecrets) Note(client.Object) {}

func (cachedSecrets) Forget(string, client.ObjectKey) {}

// texts resolves references.
type texts map[string]string

func (t texts) Resolve(_ context.Context, r convert.Reference) ([]byte, error) {
	if text, found := t[r.Name]; found {
		return []byte(text), nil
	}
	return nil, convert.ErrNotFound
}

type world struct {
	*pluginresources.Reconciler
	t *testing.T
}

func newWorld(t *testing.T, objects ...client.Object) *world {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, clusterv1.AddToScheme,
		v1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
		WithStatusSubresource(&v1alpha1.TimeSyncConfig{}).Build()
	return &world{t: t, Reconciler: &pluginresources.Reconciler{
		Kind: &v1alpha1.TimeSyncConfig{}, Client: c, Codec: codec.Codec{}, Secrets: cachedSecrets{c},
		Resolver: func(string) convert.Resolver { return texts{} },
	}}
}

func plugin(change ...func(*v1alpha1.TimeSyncConfig)) *v1alpha1.TimeSyncConfig {
	p := &v1alpha1.TimeSyncConfig{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "site", UID: "uid-1",
		Generation: 1,
	}}
	p.Spec.Servers = []string{"a.example"}
	for _, f := range change {
		f(p)
	}
	return p
}

func (w *world) reconcile() *v1alpha1.TimeSyncConfig {
	w.t.Helper()
	key := client.ObjectKey{Namespace: "default", Name: "site"}
	if _, err := w.Reconcile(w.t.Context(), ctrl.Request{NamespacedName: key}); err != nil {
		w.t.Fatal(err)
	}
	p := &v1alpha1.TimeSyncConfig{}
	if err := w.Client.Get(w.t.Context(), key, p); err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) documents() string {
	w.t.Helper()
	s := &corev1.Secret{}
	if err := w.Client.Get(w.t.Context(), client.ObjectKey{Namespace: "default", Name: "site-timesyncconfig"},
		s); err != nil {
		return ""
	}
	return string(s.Data[v1alpha1.PluginDocumentsKey])
}

func TestStatus(t *testing.T) {
	cluster := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c1"}}
	cluster.Spec.Paused = ptr.To(true)
	foreign := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "site-timesyncconfig"}}
	cases := map[string]struct {
		reason  string
		plugin  *v1alpha1.TimeSyncConfig
		others  []client.Object
		filter  string
		want    string
		message string
		created bool
	}{
		"ready": {reason: "all is well", plugin: plugin(), want: "Ready", created: true},
		"invalid": {
			reason: "a mistake is reported with its field",
			plugin: plugin(func(p *v1alpha1.TimeSyncConfig) { p.Spec.Servers = []string{"no host"} }), want: "InvalidSpec",
			message: "spec.servers[0]",
		},
		"foreign": {
			reason: "another owner's object is never adopted", plugin: plugin(), others: []client.Object{foreign},
			want: "SecretNotOwned", message: "belongs to another owner",
		},
		"paused": {
			reason: "a move sees no one work",
			plugin: plugin(
				func(p *v1alpha1.TimeSyncConfig) { p.Annotations = map[string]string{clusterv1.PausedAnnotation: ""} }),
		},
		"paused cluster": {
			reason: "what was made for a cluster is paused with it", others: []client.Object{cluster},
			plugin: plugin(func(p *v1alpha1.TimeSyncConfig) { p.Labels = map[string]string{clusterv1.ClusterNameLabel: "c1"} }),
		},
		"filtered": {reason: "several controllers share a management cluster", plugin: plugin(), filter: "mine"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, append(slices.Clone(tc.others), tc.plugin)...)
			w.WatchFilter = tc.filter
			p := w.reconcile()
			is := meta.FindStatusCondition(p.Status.Conditions, "Ready")
			if tc.want == "" {
				if is != nil || p.Status.Ready || w.documents() != "" {
					t.Errorf("%+v: %s", p.Status, tc.reason)
				}
				return
			}
			if is == nil || is.Reason != tc.want || !strings.Contains(is.Message, tc.message) || p.Status.Ready != tc.created ||
				p.Status.FailureReason != nil {
				t.Errorf("%+v, want %s: %s", p.Status, tc.want, tc.reason)
			}
			if created := strings.Contains(w.documents(), "a.example"); created != tc.created {
				t.Errorf("documents %q: %s", w.documents(), tc.reason)
			}
		})
	}
}

func TestDocumentsFollowTheSpec(t *testing.T) {
	w := newWorld(t, plugin())
	p := w.reconcile()
	if p.Status.SecretName != "site-timesyncconfig" || p.Status.ObservedGeneration != 1 {
		t.Errorf("status %+v", p.Status)
	}
	p.Spec.Servers, p.Generation = []string{"b.example"}, 2
	if err := w.Client.Update(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	p = w.reconcile()
	if !strings.Contains(w.documents(), "b.example") || p.Status.ObservedGeneration != 2 || !p.Status.Ready {
		t.Errorf("%q %+v", w.documents(), p.Status)
	}
	before := p.ResourceVersion
	if again := w.reconcile(); again.ResourceVersion != before {
		t.Error("it was written twice")
	}
}

func TestReferencesAreIndexed(t *testing.T) {
	p := &v1alpha1.TrustedCAsConfig{}
	p.Spec.TrustedCAs = []v1alpha1.TrustedCA{
		{Name: "a", ContentFrom: &v1alpha1.ContentSource{ConfigMap: &v1alpha1.KeyReference{Name: "site", Key: "ca.crt"}}},
		{Name: "b", ContentFrom: &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "team", Key: "ca.crt"}}},
	}
	got := pluginresources.References(p)
	slices.Sort(got)
	if !slices.Equal(got, []string{"ConfigMap/site", "Secret/team"}) {
		t.Errorf("indexed %v", got)
	}
}

func TestMissingReferenceIsWaitedFor(t *testing.T) {
	w := newWorld(t)
	w.Kind = &v1alpha1.TrustedCAsConfig{}
	p := &v1alpha1.TrustedCAsConfig{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "site"}}
	p.Spec.TrustedCAs = []v1alpha1.TrustedCA{{
		Name:        "a",
		ContentFrom: &v1alpha1.ContentSource{ConfigMap: &v1alpha1.KeyReference{Name: "site", Key: "ca.crt"}},
	}}
	c := fake.NewClientBuilder().WithScheme(w.Client.Scheme()).WithObjects(p).WithStatusSubresource(p).Build()
	w.Client, w.Secrets = c, cachedSecrets{c}
	key := client.ObjectKeyFromObject(p)
	if _, err := w.Reconcile(t.Context(), ctrl.Request{NamespacedName: key}); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(t.Context(), key, p); err != nil {
		t.Fatal(err)
	}
	is := meta.FindStatusCondition(p.Status.Conditions, "Ready")
	if is == nil || is.Reason != "WaitingForReference" || !strings.Contains(is.Message, "key ca.crt of ConfigMap site") {
		t.Errorf("%+v", p.Status)
	}
}

func TestLongNamesHaveASecret(t *testing.T) {
	name := strings.Repeat("a", 250)
	w := newWorld(t, plugin(func(p *v1alpha1.TimeSyncConfig) { p.Name = name }))
	if _, err := w.Reconcile(t.Context(), ctrl.Request{NamespacedName: client.ObjectKey{
		Namespace: "default",
		Name:      name,
	}}); err != nil {
		t.Fatal(err)
	}
	p := &v1alpha1.TimeSyncConfig{}
	if err := w.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, p); err != nil {
		t.Fatal(err)
	}
	if n := p.Status.SecretName; len(n) > 253 || !strings.HasSuffix(n, "-timesyncconfig") || convert.CheckName(n) != "" {
		t.Errorf("the Secret is called %q", n)
	}
}

// TestDocumentsThatASecretRefuses has documents that are larger than a Secret can be.
func TestDocumentsThatASecretRefuses(t *testing.T) {
	w := newWorld(t, plugin(func(p *v1alpha1.TimeSyncConfig) {
		p.Spec.Servers = slices.Repeat([]string{strings.Repeat("a.", 100) + "example"}, 6000)
	}))
	got := w.reconcile()
	is := meta.FindStatusCondition(got.Status.Conditions, "Ready")
	if is == nil || is.Reason != "InvalidSpec" || !strings.Contains(is.Message, "and a Secret takes 1048567; divide it") {
		t.Errorf("%+v", is)
	}
}
