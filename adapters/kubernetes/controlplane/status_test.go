package controlplane_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// writes writes a status for an observation.
func (w *world) reports(t *testing.T, change func(*ports.ControlPlane, *ports.ControlPlaneStatus)) {
	t.Helper()
	c := w.read(t)
	status := ports.ControlPlaneStatus{
		Observed: c.Observed, Operation: controlplane.Operation{Kind: controlplane.KindWait},
		Reason: controlplane.Reason{Code: controlplane.CodeUpToDate, Message: "nothing is to be done"},
	}
	change(&c, &status)
	if err := w.store.SetStatus(t.Context(), c, status); err != nil {
		t.Fatal(err)
	}
}

// healthy makes the machines nodes with healthy components and members.
func healthy(o *controlplane.Observed) {
	o.Initialized, o.CertificatesReady = true, true
	o.Members = controlplane.Members{Known: true}
	for i := range o.Machines {
		m := &o.Machines[i]
		m.NodeName = m.Name
		m.Components = map[controlplane.Component]controlplane.Health{}
		for _, c := range []controlplane.Component{
			controlplane.ComponentAPIServer, controlplane.ComponentControllerManager, controlplane.ComponentScheduler,
			controlplane.ComponentEtcd,
		} {
			m.Components[c] = controlplane.HealthHealthy
		}
		o.Members.List = append(o.Members.List, controlplane.Member{
			ID: uint64(i + 1), Name: m.Name, Responds: true, //nolint:gosec // a small number
		})
	}
}

// conditionsOf returns the conditions as type, status and reason.
func conditionsOf(all []metav1.Condition) map[string]string {
	found := map[string]string{}
	for _, c := range all {
		found[c.Type] = string(c.Status) + " " + c.Reason
	}
	return found
}

func TestConditionsOfHealthyControlPlane(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	for range 3 {
		w.creates(t)
	}
	w.reports(t, func(_ *ports.ControlPlane, s *ports.ControlPlaneStatus) { healthy(&s.Observed) })
	o := w.plane(t)
	want := map[string]string{
		"Available": "True Available", "Initialized": "True Initialized", "CertificatesAvailable": "True Available",
		"EtcdClusterHealthy": "True Healthy", "ControlPlaneComponentsHealthy": "True Healthy",
		"MachinesReady": "Unknown ReadyUnknown", "MachinesUpToDate": "True UpToDate", "RollingOut": "False NotRollingOut",
		"ScalingUp": "False NotScalingUp", "ScalingDown": "False NotScalingDown", "Remediating": "False NotRemediating",
		"Deleting": "False NotDeleting", "Paused": "False NotPaused", "SpecAccepted": "True Accepted",
		"TasksSucceeded": "True Succeeded",
	}
	if diff := cmp.Diff(want, conditionsOf(o.Status.Conditions)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s := o.Status
	if *s.Replicas != 3 || *s.UpToDateReplicas != 3 || *s.ReadyReplicas != 0 || *s.AvailableReplicas != 0 ||
		!s.Initialized() || s.Version != "v1.36.3" || len(s.Versions) != 1 || s.Versions[0].Replicas != 3 {
		t.Errorf("the status is %+v", s)
	}
	if s.Selector != "cluster.x-k8s.io/cluster-name=c,cluster.x-k8s.io/control-plane=" {
		t.Errorf("the selector is %s", s.Selector)
	}
	if s.NextOperation.Operation != "Wait" || s.NextOperation.Reason != "UpToDate" || s.NextOperation.Message == "" {
		t.Errorf("the next operation is %+v", s.NextOperation)
	}
	m := w.machine(t, w.read(t).Observed.Machines[0].Name)
	for _, kind := range []string{
		"UpToDate", "APIServerPodHealthy", "ControllerManagerPodHealthy", "SchedulerPodHealthy", "EtcdPodHealthy",
		"EtcdMemberHealthy",
	} {
		if !conditions.IsTrue(m, kind) {
			t.Errorf("%s is %+v", kind, conditions.Get(m, kind))
		}
	}
}

// TestStatusIsWrittenOnce checks that the same status is not written again.
func TestStatusIsWrittenOnce(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	w.creates(t)
	report := func() {
		w.reports(t, func(_ *ports.ControlPlane, s *ports.ControlPlaneStatus) { healthy(&s.Observed) })
	}
	report()
	before := w.plane(t).ResourceVersion
	report()
	if after := w.plane(t).ResourceVersion; after != before {
		t.Errorf("the resourceVersion changes from %s to %s", before, after)
	}
}

// TestTasksSucceeded checks that failures are shown, and do not change whether the control plane is available.
func TestTasksSucceeded(t *testing.T) {
	cases := map[string]func(*ports.ControlPlaneStatus){
		"kubeconfig: refused": func(s *ports.ControlPlaneStatus) {
			s.Problems = map[string]string{"kubeconfig": "refused"}
		},
		"RemoveMember: was refused": func(s *ports.ControlPlaneStatus) {
			s.Operation.Kind, s.Failure = "RemoveMember", "was refused"
		},
	}
	for message, change := range cases {
		w := newWorld(t, newCluster(), newPlane())
		w.creates(t)
		w.reports(t, func(_ *ports.ControlPlane, s *ports.ControlPlaneStatus) {
			healthy(&s.Observed)
			change(s)
		})
		o := w.plane(t)
		c := conditions.Get(o, "TasksSucceeded")
		if c.Status != metav1.ConditionFalse || !strings.Contains(c.Message, message) ||
			!conditions.IsTrue(o, "Available") {
			t.Errorf("%s: %+v", message, c)
		}
	}
}

// TestExternalEtcd checks that there is no condition about members that are not observed.
func TestExternalEtcd(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	w.creates(t)
	for _, external := range []bool{false, true} {
		w.reports(t, func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
			c.Desired.ExternalEtcd = external
			healthy(&s.Observed)
		})
		if found := conditions.Get(w.plane(t), "EtcdClusterHealthy") != nil; found == external {
			t.Errorf("external is %v, and the condition exists: %v", external, found)
		}
	}
}

// TestSpecAccepted checks that mistakes are shown.
func TestSpecAccepted(t *testing.T) {
	for spec, want := range map[string]string{"v1.36.3": "True Accepted", "latest": "False InvalidSpec"} {
		o := newPlane()
		o.Spec.Version = spec
		w := newWorld(t, newCluster(), o)
		w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
		c := conditions.Get(w.plane(t), "SpecAccepted")
		if got := string(c.Status) + " " + c.Reason; got != want || (c.Message == "") != (spec == "v1.36.3") {
			t.Errorf("%s: got %q with %q", spec, got, c.Message)
		}
	}
}

// TestPausedStatus checks that a paused control plane changes no other condition.
func TestPausedStatus(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	w.reports(t, func(c *ports.ControlPlane, _ *ports.ControlPlaneStatus) { c.Desired.Paused = true })
	got := conditionsOf(w.plane(t).Status.Conditions)
	if diff := cmp.Diff(map[string]string{"Paused": "True Paused"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestVersionsAreOrdered checks the order that Cluster API requires.
func TestVersionsAreOrdered(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	var kubelets []string
	for _, v := range []string{"v1.9.0", "v1.36.3", "v1.36.3+b", "v1.10.0", "v1.36.3"} {
		name := w.creates(t)
		m := w.machine(t, name)
		m.Status.NodeInfo = nodeInfo(v)
		if err := w.Status().Update(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		kubelets = append(kubelets, v)
	}
	w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
	var got []string
	for _, v := range w.plane(t).Status.Versions {
		got = append(got, v.Version)
	}
	if want := []string{"v1.9.0", "v1.10.0", "v1.36.3", "v1.36.3+b"}; !slices.Equal(got, want) {
		t.Errorf("of %v: got %v, want %v", kubelets, got, want)
	}
}

// TestOwnerRemediated checks the condition that a MachineHealthCheck leaves to the owner.
func TestOwnerRemediated(t *testing.T) {
	mark := func(m *clusterv1.Machine, healthy metav1.ConditionStatus) {
		conditions.Set(m, metav1.Condition{
			Type: clusterv1.MachineHealthCheckSucceededCondition, Status: healthy, Reason: "X",
		})
		conditions.Set(m, metav1.Condition{
			Type: clusterv1.MachineOwnerRemediatedCondition, Status: metav1.ConditionFalse,
			Reason: clusterv1.MachineOwnerRemediatedWaitingForRemediationReason,
		})
	}
	cases := map[string]struct {
		reason  string
		healthy metav1.ConditionStatus
		status  func(s *ports.ControlPlaneStatus, machine string)
		want    string
	}{
		"waiting": {
			"nothing is decided about it", metav1.ConditionFalse, func(*ports.ControlPlaneStatus, string) {},
			"False WaitingForRemediation",
		},
		"deleted": {
			"it is the machine of the operation", metav1.ConditionFalse,
			func(s *ports.ControlPlaneStatus, machine string) {
				s.Operation = controlplane.Operation{Kind: controlplane.KindDeleteMachine, Machine: machine, Remediates: true}
			}, "False MachineDeleting",
		},
		"blocked": {"the quorum would be lost", metav1.ConditionFalse, func(s *ports.ControlPlaneStatus, _ string) {
			s.Reason = controlplane.Reason{Code: controlplane.CodeRemediationBlocked, Message: "too few members"}
		}, "False RemediationBlocked"},
		"healthy again": {"the mark is removed", metav1.ConditionTrue, func(*ports.ControlPlaneStatus, string) {}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, newCluster(), newPlane())
			machine := w.creates(t)
			m := w.machine(t, machine)
			mark(m, c.healthy)
			if err := w.Status().Update(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			if got := w.read(t).Observed.Machines[0].Unhealthy; got != (c.healthy == metav1.ConditionFalse) {
				t.Errorf("the machine is unhealthy: %v", got)
			}
			w.reports(t, func(_ *ports.ControlPlane, s *ports.ControlPlaneStatus) { c.status(s, machine) })
			got := conditionsOf(w.machine(t, machine).Status.Conditions)["OwnerRemediated"]
			if got != c.want {
				t.Errorf("%s: %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

// TestUpToDateMessage checks the line that Cluster API sorts first in the conditions of the Cluster.
func TestUpToDateMessage(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	name := w.creates(t)
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) {
		o.Spec.Version, o.Spec.Bootstrap.OS.Distribution = "v1.37.0", "flatcar"
	})
	w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
	c := conditions.Get(w.machine(t, name), "UpToDate")
	if !strings.HasPrefix(c.Message, "* Version v1.36.3 instead of v1.37.0\n* ") {
		t.Errorf("the message is %q", c.Message)
	}
	if !conditions.IsTrue(w.plane(t), "RollingOut") || conditions.IsTrue(w.plane(t), "MachinesUpToDate") {
		t.Errorf("the conditions are %v", conditionsOf(w.plane(t).Status.Conditions))
	}
}

// nodeInfo returns the information of a node with a version of kubelet.
func nodeInfo(kubelet string) *corev1.NodeSystemInfo {
	return &corev1.NodeSystemInfo{KubeletVersion: kubelet}
}

// TestInterimStatus checks that nothing is written for a decision that another one follows at once, unless the status
// says that nothing is to be done.
func TestInterimStatus(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	name := w.creates(t)
	prepares := func(_ *ports.ControlPlane, s *ports.ControlPlaneStatus) {
		healthy(&s.Observed)
		s.Operation, s.Interim = controlplane.Operation{Kind: controlplane.KindPrepareJoin}, true
		s.Reason.Code = controlplane.CodeScalingUp
	}
	w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
	w.reports(t, prepares)
	if next := w.plane(t).Status.NextOperation; next.Operation != "PrepareJoin" {
		t.Errorf("the status still has %+v", next)
	}
	versions := func() [2]string { return [2]string{w.plane(t).ResourceVersion, w.machine(t, name).ResourceVersion} }
	before := versions()
	w.reports(t, func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
		prepares(c, s)
		s.Operation.Kind = controlplane.KindCreateMachine
	})
	if versions() != before {
		t.Error("a status was written")
	}
}
