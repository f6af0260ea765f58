package controller_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// reporting returns a world whose machine must report within ten minutes, and whose clock is right.
func reporting(t *testing.T) (*world, *memory.Clock) {
	t.Helper()
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		c.Spec.Reporting = &v1alpha1.ReportingSpec{URL: "https://endpoint.example", DeadlineSeconds: ptr.To[int32](600)}
	})
	clock := memory.NewClock(time.Now())
	w.Clock, w.Service.Clock = clock, clock
	return w, clock
}

func (w *world) report(b *v1alpha1.BootstrapStatus) {
	w.t.Helper()
	c := &v1alpha1.MachineBootstrapConfig{}
	if err := w.client.Get(w.t.Context(), client.ObjectKey{Namespace: "default", Name: "m1"}, c); err != nil {
		w.t.Fatal(err)
	}
	c.Status.Bootstrap = b
	if err := w.client.Status().Update(w.t.Context(), c); err != nil {
		w.t.Fatal(err)
	}
}

func failedJoin() *v1alpha1.BootstrapStatus {
	return &v1alpha1.BootstrapStatus{
		State: "Failed", ReportTime: metav1.Now(),
		Failure: &v1alpha1.BootstrapFailure{
			Phase: "join", Step: "spec.node", Action: "run kubeadm join", ExitCode: 1, Cause: "the token is gone",
		},
	}
}

func TestReportedFailureIsACondition(t *testing.T) {
	w, _ := reporting(t)
	registry := prometheus.NewRegistry()
	metrics, err := controller.NewMetrics(registry)
	if err != nil {
		t.Fatal(err)
	}
	w.Metrics = metrics
	w.reconcile()
	w.report(failedJoin())
	c := w.reconcile()
	want := map[string]string{
		"Ready": "False JoinFailed", "BootstrapSucceeded": "False JoinFailed", "DataSecretAvailable": "True Available",
		"CertificatesAvailable": "True Available", "Paused": "False NotPaused",
	}
	if diff := cmp.Diff(want, conditions(c)); diff != "" {
		t.Error(diff)
	}
	if !c.Status.Ready || !c.Status.DataSecretCreated() || c.Status.Bootstrap == nil {
		t.Error("what was published stays published")
	}
	const message = "phase join: run kubeadm join (spec.node): exit code 1: the token is gone"
	if got := meta.FindStatusCondition(c.Status.Conditions, "Ready").Message; got != message {
		t.Errorf("message %q", got)
	}
	if event := <-w.events.Events; !strings.Contains(event, "Warning BootstrapFailed JoinFailed: "+message) {
		t.Errorf("event %q", event)
	}
	patches := w.patches
	w.reconcile()
	if w.patches != patches {
		t.Error("nothing has changed, and it was written again")
	}
	err = testutil.GatherAndCompare(registry, strings.NewReader(
		"# HELP machineadm_bootstraps_total Bootstraps of machines that report, by outcome and cause."+`
# TYPE machineadm_bootstraps_total counter
machineadm_bootstraps_total{cause="JoinFailed",outcome="failed"} 1
`), "machineadm_bootstraps_total")
	if err != nil {
		t.Error(err)
	}
	w.report(&v1alpha1.BootstrapStatus{State: "Succeeded", ReportTime: metav1.Now()})
	if got := conditions(w.reconcile()); got["Ready"] != "True Ready" || got["BootstrapSucceeded"] != "True Succeeded" {
		t.Errorf("it was mended: %v", got)
	}
}

func TestSuccessEndsTheCredential(t *testing.T) {
	w, _ := reporting(t)
	w.reconcile()
	key := ports.Key{Namespace: "default", Name: "m1"}
	for _, state := range []string{"Running", "Succeeded"} {
		if w.data.Credential(key).Digest.IsZero() {
			t.Errorf("the credential is gone before the machine is %s", state)
		}
		w.report(&v1alpha1.BootstrapStatus{State: state, ReportTime: metav1.Now()})
		w.reconcile()
	}
	if !w.data.Credential(key).Digest.IsZero() {
		t.Error("the credential outlives what is known of the success")
	}
}

func TestSilentMachineIsReported(t *testing.T) {
	w, clock := reporting(t)
	c := w.reconcile()
	if got := conditions(c); got["BootstrapSucceeded"] != "Unknown WaitingForReport" || got["Ready"] != "True Ready" {
		t.Errorf("it has time: %v", got)
	}
	result, err := w.Reconcile(t.Context(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(c)})
	if err != nil || result.RequeueAfter == 0 || result.RequeueAfter > 10*time.Minute {
		t.Errorf("it is looked at again when its time is over: %v, %v", result, err)
	}
	clock.Advance(11 * time.Minute)
	if got := conditions(w.reconcile()); got["BootstrapSucceeded"] != "False DeadlineExceeded" ||
		got["Ready"] != "False DeadlineExceeded" {
		t.Errorf("its time is over: %v", got)
	}
	machine := &clusterv1.Machine{}
	if err := w.client.Get(t.Context(), client.ObjectKeyFromObject(c), machine); err != nil {
		t.Fatal(err)
	}
	machine.Status.NodeRef.Name = "node"
	if err := w.client.Update(t.Context(), machine); err != nil {
		t.Fatal(err)
	}
	if got := conditions(w.reconcile()); got["BootstrapSucceeded"] != "True NodeJoined" || got["Ready"] != "True Ready" {
		t.Errorf("it came late: %v", got)
	}
}

func TestErrorKeepsConditionAndDeadline(t *testing.T) {
	w, clock := reporting(t)
	w.findings = report.Report{report.Warningf("spec.machine", "this is odd")}
	w.reconcile()
	data := meta.FindStatusCondition(w.reconcile().Status.Conditions, controller.ConditionData)
	clock.Advance(6 * time.Minute)
	w.tokens.Fail = errors.New("no luck")
	w.err = w.tokens.Fail
	for range 2 {
		c := w.reconcile()
		want := map[string]string{
			"Ready": "True Ready", "BootstrapSucceeded": "Unknown WaitingForReport", "DataSecretAvailable": "True Available",
			"CertificatesAvailable": "True Available", "Paused": "False NotPaused",
			"DataSecretMaintained": "False InternalError",
		}
		if diff := cmp.Diff(want, conditions(c)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(data, meta.FindStatusCondition(c.Status.Conditions, controller.ConditionData)); diff != "" {
			t.Errorf("the condition of what is published has moved (-want +got):\n%s", diff)
		}
	}
	if len(w.events.Events) != 1 || !strings.HasPrefix(<-w.events.Events, "Warning InternalError ") {
		t.Error("the config gets one event")
	}
	w.tokens.Fail = nil
	got := conditions(w.reconcile())
	if got["DataSecretMaintained"] != "True Maintained" || got["BootstrapSucceeded"] != "Unknown WaitingForReport" {
		t.Errorf("it goes on: %v", got)
	}
	clock.Advance(5 * time.Minute)
	w.tokens.Fail = w.err
	if got := conditions(w.reconcile()); got["BootstrapSucceeded"] != "False DeadlineExceeded" ||
		got["Ready"] != "False DeadlineExceeded" {
		t.Errorf("its time is over, whatever happened meanwhile: %v", got)
	}
}

func TestLostTokenKeepsWarnings(t *testing.T) {
	w, clock := newWorld(t, nil), memory.NewClock(time.Now())
	w.Clock, w.Service.Clock = clock, clock
	w.findings = report.Report{report.Warningf("spec.machine", "this is odd")}
	w.reconcile()
	owner := node.TokenOwner{Namespace: "default", Cluster: "c1", Config: "m1"}
	if err := w.tokens.Revoke(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, owner.TokenID(0),
		owner); err != nil {
		t.Fatal(err)
	}
	clock.Advance(16 * time.Minute)
	w.reconcile()
	c := w.reconcile()
	if got := conditions(c); got["DataSecretMaintained"] != "False BootstrapTokenLost" || got["Ready"] != "True Ready" {
		t.Errorf("the token is gone: %v", got)
	}
	if got := meta.FindStatusCondition(c.Status.Conditions, controller.ConditionData).
		Message; got != "warning: spec.machine: this is odd" {
		t.Errorf("message %q", got)
	}
	if len(w.events.Events) != 1 || !strings.HasPrefix(<-w.events.Events, "Warning BootstrapTokenLost ") {
		t.Error("the config gets one event")
	}
}
