package controller_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// world is a reconciler with a fake API server and all ports in memory.
type world struct {
	*controller.Reconciler
	t       *testing.T
	client  client.Client
	events  *events.FakeRecorder
	tokens  *memory.Tokens
	data    *memory.DataSecrets
	clock   *memory.Clock
	patches int
	// rendered are the last documents that were rendered.
	rendered []document.Document
	// findings and err are the result of rendering.
	findings report.Report
	err      error
}

func newWorld(t *testing.T, change func(*v1alpha1.MachineBootstrapConfig, *clusterv1.Cluster,
	*clusterv1.Machine),
) *world {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, clusterv1.AddToScheme,
		v1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatalf("add to scheme: %v", err)
		}
	}
	config, cluster, machine := objects()
	if change != nil {
		change(config, cluster, machine)
	}
	w := &world{t: t, events: events.NewFakeRecorder(10), tokens: &memory.Tokens{}, data: &memory.DataSecrets{}}
	w.clock = &memory.Clock{}
	w.client = fake.NewClientBuilder().WithScheme(scheme).WithObjects(config, cluster,
		machine).WithStatusSubresource(config).
		WithIndex(&clusterv1.Machine{}, capi.ControlPlaneIndex, capi.ControlPlaneOf).
		WithInterceptorFuncs(interceptor.Funcs{SubResourcePatch: w.countPatch}).Build()
	w.Reconciler = &controller.Reconciler{
		Client: w.client, Lookup: capi.NewLookup(w.client), Recorder: w.events, Resolver: controller.NewResolver(nil),
		Clock: w.clock,
		Service: bootstrap.New(bootstrap.Options{
			Render: w.render, Certificates: &memory.Certificates{Assume: true}, Tokens: w.tokens, Lock: &memory.InitLock{},
			Talos: &memory.TalosSecrets{}, Data: w.data, Clock: w.clock, Entropy: &memory.Entropy{},
		}),
	}
	return w
}

func (w *world) countPatch(ctx context.Context, c client.Client, sub string, o client.Object, p client.Patch,
	opts ...client.SubResourcePatchOption,
) error {
	w.patches++
	return c.SubResource(sub).Patch(ctx, o, p, opts...)
}

func (w *world) render(_ context.Context, job plan.Job) (render.Result, error) {
	w.rendered = job.Documents
	payload := delivery.Payload{Format: job.Format, Data: secret.FromString("data")}
	return render.Result{Rendering: ports.Rendering{Payload: payload}, Findings: w.findings}, w.err
}

// objects returns a worker's config, machine and cluster, all of them ready.
func objects() (*v1alpha1.MachineBootstrapConfig, *clusterv1.Cluster, *clusterv1.Machine) {
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: "uid-1", Generation: 1,
			Labels: map[string]string{clusterv1.ClusterNameLabel: "c1"},
		}
	}
	machine := &clusterv1.Machine{ObjectMeta: meta("m1"), Spec: clusterv1.MachineSpec{
		ClusterName: "c1",
		Version:     "v1.36.3",
	}}
	config := &v1alpha1.MachineBootstrapConfig{ObjectMeta: meta("m1")}
	machine.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: v1alpha1.Group,
		Kind:     v1alpha1.ConfigKind, Name: "m1",
	}
	config.Spec.OS.Distribution = "ubuntu"
	config.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(machine,
		clusterv1.GroupVersion.WithKind("Machine"))}
	cluster := &clusterv1.Cluster{ObjectMeta: meta("c1")}
	cluster.Spec.ControlPlaneEndpoint = clusterv1.APIEndpoint{Host: "10.0.0.1", Port: 6443}
	cluster.Status.Initialization.InfrastructureProvisioned = ptr.To(true)
	cluster.Status.Conditions = []metav1.Condition{{
		Type:   clusterv1.ClusterControlPlaneInitializedCondition,
		Status: metav1.ConditionTrue,
	}}
	return config, cluster, machine
}

func (w *world) reconcile() *v1alpha1.MachineBootstrapConfig {
	w.t.Helper()
	key := client.ObjectKey{Namespace: "default", Name: "m1"}
	if _, err := w.Reconcile(w.t.Context(), ctrl.Request{NamespacedName: key}); err != nil && w.err == nil {
		w.t.Fatalf("reconcile: %v", err)
	}
	config := &v1alpha1.MachineBootstrapConfig{}
	if err := w.client.Get(w.t.Context(), key, config); err != nil {
		w.t.Fatalf("get: %v", err)
	}
	return config
}

// conditions returns each condition as "status reason".
func conditions(c *v1alpha1.MachineBootstrapConfig) map[string]string {
	reported := map[string]string{}
	for _, condition := range c.Status.Conditions {
		reported[condition.Type] = string(condition.Status) + " " + condition.Reason
	}
	return reported
}

func TestConditions(t *testing.T) {
	ready := map[string]string{
		"Ready": "True Ready", "DataSecretAvailable": "True Available", "CertificatesAvailable": "True Available",
		"Paused": "False NotPaused",
	}
	cases := map[string]struct {
		reason  string
		change  func(*v1alpha1.MachineBootstrapConfig, *clusterv1.Cluster, *clusterv1.Machine)
		arrange func(*world)
		want    map[string]string
	}{
		"ready": {reason: "All is well.", want: ready},
		"annotation": {
			reason: "A paused object is detected and left alone.",
			change: func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.Annotations = map[string]string{clusterv1.PausedAnnotation: ""}
			},
			want: map[string]string{"Paused": "True Paused"},
		},
		"infrastructure": {
			reason: "Nothing is looked up before the infrastructure is ready.",
			change: func(_ *v1alpha1.MachineBootstrapConfig, c *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.Status.Initialization.InfrastructureProvisioned = nil
			},
			want: map[string]string{
				"Ready": "False WaitingForInfrastructure", "DataSecretAvailable": "False WaitingForInfrastructure",
				"CertificatesAvailable": "Unknown NotLookedUp", "Paused": "False NotPaused",
			},
		},
		"unreachable": {
			reason:  "Certificates are there when a token cannot be made.",
			arrange: func(w *world) { w.tokens.Fail = ports.ErrUnreachable },
			want: map[string]string{
				"Ready": "False ClusterUnreachable", "DataSecretAvailable": "False ClusterUnreachable",
				"CertificatesAvailable": "True Available", "Paused": "False NotPaused",
			},
		},
		"keys unavailable": {
			reason:  "The certificates were found before the key management service was asked.",
			arrange: func(w *world) { w.err = ports.ErrKeysUnavailable },
			want: map[string]string{
				"Ready": "False KeysUnavailable", "DataSecretAvailable": "False KeysUnavailable",
				"CertificatesAvailable": "True Available", "Paused": "False NotPaused",
			},
		},
		"key refused": {
			reason:  "The certificates were found before the key was refused.",
			arrange: func(w *world) { w.err = ports.ErrKeyRefused },
			want: map[string]string{
				"Ready": "False KeyRefused", "DataSecretAvailable": "False KeyRefused",
				"CertificatesAvailable": "True Available", "Paused": "False NotPaused",
			},
		},
		"failure": {
			reason:  "A failure is repeated, and the condition contains no details.",
			arrange: func(w *world) { w.err = errors.New("no luck") },
			want: map[string]string{
				"Ready": "False InternalError", "DataSecretAvailable": "False InternalError",
				"Paused": "False NotPaused",
			},
		},
		"failure reason": {
			reason: "A failed config is not looked at again.",
			change: func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.Status.FailureReason = ptr.To("Broken")
			},
			want: map[string]string{},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, tc.change)
			if tc.arrange != nil {
				tc.arrange(w)
			}
			if diff := cmp.Diff(tc.want, conditions(w.reconcile())); diff != "" {
				t.Errorf("%s\nconditions (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestStatusServesBothContracts(t *testing.T) {
	w := newWorld(t, nil)
	got := w.reconcile().Status
	if !got.Ready || !got.DataSecretCreated() || got.DataSecretName != "m1" || got.ObservedGeneration != 1 {
		t.Errorf("status %+v", got)
	}
	want := &v1alpha1.PayloadStatus{Format: "cloud-init", Bytes: 4}
	if diff := cmp.Diff(want, got.Payload); diff != "" {
		t.Errorf("payload (-want +got):\n%s", diff)
	}
}

func TestPublicationIsOneStatusWithoutEvent(t *testing.T) {
	w := newWorld(t, nil)
	for range 3 {
		w.reconcile()
	}
	if w.patches != 1 || len(w.events.Events) != 0 {
		t.Errorf("%d patches and %d events", w.patches, len(w.events.Events))
	}
}

func TestMistakeEmitsOneEventAndIsCorrected(t *testing.T) {
	w := newWorld(t, nil)
	w.findings = report.Report{report.Errorf("spec.machine.files[0].path", "it is wrong")}
	w.reconcile()
	config := w.reconcile()
	if w.patches != 1 || len(w.events.Events) != 1 {
		t.Errorf("%d patches and %d events", w.patches, len(w.events.Events))
	}
	if config.Status.FailureReason != nil || config.Status.Ready {
		t.Errorf("status %+v", config.Status)
	}
	w.findings = report.Report{report.Warningf("spec.machine", "this is odd")}
	mended := w.reconcile()
	if !mended.Status.Ready || mended.Status.Payload.Warnings != 1 {
		t.Errorf("status %+v", mended.Status)
	}
	data := meta.FindStatusCondition(mended.Status.Conditions, controller.ConditionData)
	if data.Message != "warning: spec.machine: this is odd" {
		t.Errorf("message %q", data.Message)
	}
	if again := meta.FindStatusCondition(w.reconcile().Status.Conditions,
		controller.ConditionData); again.Message != data.Message {
		t.Errorf("the warning was lost: %q", again.Message)
	}
}

// TestLongMessagesAreCutBetweenCharacters publishes a message of three-byte characters that is too long for an event
// and a condition.
func TestLongMessagesAreCutBetweenCharacters(t *testing.T) {
	w := newWorld(t, nil)
	w.findings = report.Report{report.Errorf("spec.machine.files[0].path", "%s", strings.Repeat("語", 1000))}
	config := w.reconcile()
	event := <-w.events.Events
	condition := meta.FindStatusCondition(config.Status.Conditions, controller.ConditionData)
	for name, text := range map[string]string{"event": event, "condition": condition.Message} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) || !strings.HasSuffix(text, "語…") {
			t.Errorf("the message of the %s ends in %q", name, text[max(0, len(text)-8):])
		}
	}
}

func TestPublishedDataStaysPublished(t *testing.T) {
	w := newWorld(t, nil)
	w.reconcile()
	w.data.Delete(ports.Key{Namespace: "default", Name: "m1"})
	w.tokens.Fail = ports.ErrUnreachable
	got := w.reconcile()
	if !got.Status.Ready || !got.Status.DataSecretCreated() || got.Status.DataSecretName != "m1" {
		t.Errorf("status %+v", got.Status)
	}
	if conditions(got)["Ready"] != "False ClusterUnreachable" {
		t.Errorf("conditions %v", conditions(got))
	}
}

func TestOtherManagersConfigsAreLeftAlone(t *testing.T) {
	w := newWorld(t, nil)
	w.WatchFilter = "mine"
	if got := w.reconcile(); len(got.Status.Conditions) != 0 {
		t.Errorf("conditions %v", got.Status.Conditions)
	}
	config := w.reconcile()
	config.Labels[clusterv1.WatchLabel] = "mine"
	if err := w.client.Update(t.Context(), config); err != nil {
		t.Fatalf("update: %v", err)
	}
	if got := w.reconcile(); !got.Status.Ready {
		t.Errorf("status %+v", got.Status)
	}
}

func TestReferencesOf(t *testing.T) {
	config, _, _ := objects()
	config.Spec.Machine = &v1alpha1.MachineSpec{Files: []v1alpha1.FileSpec{
		{Path: "/a", ContentFrom: &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "s", Key: "k"}}},
		{Path: "/b", ContentFrom: &v1alpha1.ContentSource{ConfigMap: &v1alpha1.KeyReference{Name: "c", Key: "k"}}},
	}}
	got := map[string]bool{}
	for _, name := range controller.ReferencesOf(config) {
		got[name] = true
	}
	if diff := cmp.Diff(map[string]bool{"Secret/s": true, "ConfigMap/c": true, "Secret/m1": true}, got); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
	config.Status.Initialization.DataSecretCreated = ptr.To(true)
	if left := controller.ReferencesOf(config); len(left) != 0 {
		t.Errorf("a published config refers to %v", left)
	}
	if other := controller.ReferencesOf(&corev1.Secret{}); other != nil {
		t.Errorf("a Secret refers to %v", other)
	}
}

func TestRetriesComeWithinATokensLife(t *testing.T) {
	retries, request := controller.Retries(), ctrl.Request{}
	if first := retries.When(request); first > time.Second {
		t.Errorf("the first retry comes after %s", first)
	}
	for range 50 {
		if next := retries.When(request); next > bootstrap.DefaultTokenTTL/4 {
			t.Fatalf("a retry comes after %s", next)
		}
	}
}

func TestLockIsKeptWhileTheSpecIsInvalid(t *testing.T) {
	w := newWorld(t, func(_ *v1alpha1.MachineBootstrapConfig, c *clusterv1.Cluster, m *clusterv1.Machine) {
		m.Labels[clusterv1.MachineControlPlaneLabel], c.Status.Conditions = "", nil
	})
	w.reconcile()
	w.data.Delete(ports.Key{Namespace: "default", Name: "m1"})
	w.findings = report.Report{report.Errorf("spec.machine", "it is wrong by now")}
	w.reconcile()
	if holder := w.Service.Lock.(*memory.InitLock).Holder(ports.Key{Namespace: "default", Name: "c1"}); holder != "m1" {
		t.Errorf("the lock is %q's; another machine could start the cluster", holder)
	}
}
