package capi_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

func always(ports.LastReport) error { return nil }

func newReports(t *testing.T, objects ...client.Object) *capi.Reports {
	t.Helper()
	c := newReportsClient(t, objects...)
	return capi.NewReports(c, c, c)
}

func newReportsClient(t *testing.T, objects ...client.Object) client.Client {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	config := &v1alpha1.MachineBootstrapConfig{}
	return fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(config).WithObjects(objects...).Build()
}

func reportedConfig() *v1alpha1.MachineBootstrapConfig {
	return &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "c", UID: "1"}}
}

func dataSecret(change ...func(*corev1.Secret)) *corev1.Secret {
	yes := true
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: "a", Name: "d", CreationTimestamp: metav1.NewTime(createdAt),
		Annotations: map[string]string{capi.CredentialAnnotation: credential.DigestOf([]byte("x")).String() +
			"@2026-11-01T00:00:00Z"},
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "bootstrap.machineadm.io/v1alpha1", Kind: v1alpha1.ConfigKind, Name: "c", UID: "1", Controller: &yes,
		}},
	}}
	for _, f := range change {
		f(s)
	}
	return s
}

var createdAt = time.Unix(1_800_000_000, 0)

func configOwner() ports.Owner {
	return ports.Owner{Key: ports.Key{Namespace: "a", Name: "c"}, UID: "1"}
}

func TestReportsFind(t *testing.T) {
	cases := map[string]struct {
		reason string
		secret *corev1.Secret
		found  bool
	}{
		"data":         {reason: "the machine reports", secret: dataSecret(), found: true},
		"another name": {reason: "there is none", secret: dataSecret(func(s *corev1.Secret) { s.Name = "other" })},
		"no digest": {
			reason: "the machine does not report",
			secret: dataSecret(func(s *corev1.Secret) { s.Annotations = nil }),
		},
		"nobody's": {reason: "nobody would be told", secret: dataSecret(func(s *corev1.Secret) { s.OwnerReferences = nil })},
		"somebody else's": {
			reason: "it is no machine's",
			secret: dataSecret(func(s *corev1.Secret) { s.OwnerReferences[0].Kind = "Pod" }),
		},
		"same kind": {reason: "it is a kind of another API group", secret: dataSecret(func(s *corev1.Secret) {
			s.OwnerReferences[0].APIVersion = "example.com/v1alpha1"
		})},
		"going": {reason: "the machine is going", secret: dataSecret(func(s *corev1.Secret) {
			s.Finalizers, s.DeletionTimestamp = []string{"example.com/x"}, &metav1.Time{Time: time.Unix(9, 0)}
		})},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := newReports(t, c.secret).Find(t.Context(), ports.Key{Namespace: "a", Name: "d"})
			grant, matches := got.Credentials.Match([]byte("x"))
			if c.found && (err != nil || got.Owner != configOwner() || !matches || grant.Expires.IsZero() ||
				!got.Published.Equal(createdAt)) {
				t.Errorf("%s: %v, %v", c.reason, got, err)
			}
			if !c.found && !errors.Is(err, ports.ErrNoMachine) {
				t.Errorf("%s: %v", c.reason, err)
			}
		})
	}
}

func TestSavedReportIsTheLast(t *testing.T) {
	store := newReports(t, reportedConfig())
	if last, err := store.Last(t.Context(), configOwner()); last != (ports.LastReport{}) || err != nil {
		t.Errorf("nothing was reported: %v, %v", last, err)
	}
	failed := status.Status{
		State: status.StateFailed, Version: "v1", Started: time.Unix(1_800_000_000, 0).UTC(),
		Ended:    time.Unix(1_800_000_001, 0).UTC(),
		Progress: status.Progress{Steps: 3, Done: 2, Phase: document.PhasePost},
		Failure: &status.Failure{
			Phase: document.PhaseJoin, Document: "spec.node", Action: "join", ExitCode: 1,
			Cause: "no", Log: "x\ny",
		},
	}
	for _, want := range []status.Status{failed, {State: status.StateSucceeded}} {
		if err := store.Save(t.Context(), configOwner(), want, time.Unix(1_800_000_009, 5), always); err != nil {
			t.Fatal(err)
		}
		got, err := store.Last(t.Context(), configOwner())
		if diff := cmp.Diff(ports.LastReport{Summary: &want}, got); diff != "" || err != nil {
			t.Errorf("%v: %s", err, diff)
		}
	}
}

func TestReportsOfPools(t *testing.T) {
	for api, want := range map[string]bool{
		"cluster.x-k8s.io/v1beta2": true, "cluster.x-k8s.io/v1beta1": true,
		"example.com/v1": false,
	} {
		c := reportedConfig()
		c.OwnerReferences = []metav1.OwnerReference{{APIVersion: api, Kind: "MachinePool", Name: "p", UID: "2"}}
		if last, err := newReports(t, c).Last(t.Context(), configOwner()); last.Pool != want || err != nil {
			t.Errorf("%s: %v, %v", api, last, err)
		}
	}
}

func TestObjectOfTheSameNameGetsNoReport(t *testing.T) {
	store, other := newReports(t, reportedConfig()), configOwner()
	other.UID = "2"
	if _, err := store.Last(t.Context(), other); !errors.Is(err, ports.ErrNoMachine) {
		t.Errorf("last: %v", err)
	}
	none := newReports(t)
	running := status.Status{State: status.StateRunning}
	if err := none.Save(t.Context(), configOwner(), running, time.Unix(1, 0), always); !errors.Is(err,
		ports.ErrNoMachine) {
		t.Errorf("save: %v", err)
	}
}

// staleReader is a client whose cache returns an earlier version of an object.
type staleReader struct {
	client.Client
	shown *v1alpha1.MachineBootstrapConfig
}

func (s staleReader) Get(_ context.Context, _ client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	s.shown.DeepCopyInto(o.(*v1alpha1.MachineBootstrapConfig)) //nolint:forcetypeassert // a panic is a failure
	return nil
}

// TestNothingReplacesAReportThatTheCacheDoesNotShow makes another replica store success while this replica's cache is
// outdated.
func TestNothingReplacesAReportThatTheCacheDoesNotShow(t *testing.T) {
	api := newReportsClient(t, reportedConfig())
	shown := &v1alpha1.MachineBootstrapConfig{}
	if err := api.Get(t.Context(), client.ObjectKey(configOwner().Key), shown); err != nil {
		t.Fatal(err)
	}
	here, there := capi.NewReports(staleReader{api, shown}, api, api), capi.NewReports(api, api, api)
	if err := there.Save(t.Context(), configOwner(), status.Status{State: status.StateSucceeded}, createdAt,
		always); err != nil {
		t.Fatal(err)
	}
	late := errors.New("late")
	err := here.Save(t.Context(), configOwner(), status.Status{State: status.StateFailed}, createdAt,
		func(last ports.LastReport) error {
			if last.Summary != nil {
				return late
			}
			return nil
		})
	last, lastErr := there.Last(t.Context(), configOwner())
	if !errors.Is(err, late) || lastErr != nil || last.Summary.State != status.StateSucceeded {
		t.Errorf("%v, kept %v, %v", err, last.Summary, lastErr)
	}
	// A later report is stored, although the cache has another version.
	if err := here.Save(t.Context(), configOwner(), status.Status{State: status.StateFailed}, createdAt,
		always); err != nil {
		t.Error(err)
	}
}
