package portstest

import (
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// ControlPlaneStore is an implementation with one control plane that has no machines, and what happens to its objects
// from outside.
type ControlPlaneStore struct {
	Objects  ports.ControlPlaneObjects
	Machines ports.ControlPlaneMachines
	// Key is the control plane. Its infrastructure is ready, and it has the failure domains a and b.
	Key ports.Key
	// Scale changes the number of replicas, as a user does.
	Scale func(t *testing.T, replicas int)
	// Delete deletes the control plane, as a user does.
	Delete func(t *testing.T)
	// Drain completes everything that the deletion of a machine waits for, except for the hook of the control plane.
	Drain func(t *testing.T, machine string)
}

// expiry is the expiry of a certificate.
func expiry() time.Time { return time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC) }

// ControlPlane checks implementations of ports.ControlPlaneObjects and ports.ControlPlaneMachines. fresh returns a new
// control plane.
func ControlPlane(t *testing.T, fresh func(t *testing.T) ControlPlaneStore) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, s ControlPlaneStore)
	}{
		{"a control plane that does not exist", func(t *testing.T, s ControlPlaneStore) {
			_, err := s.Objects.Read(t.Context(), ports.Key{Namespace: s.Key.Namespace, Name: "other"})
			want(t, "read", err, ports.ErrNoControlPlane)
		}},
		{"the desired control plane is read", controlPlaneIsRead},
		{"a machine is created", controlPlaneCreates},
		{"a repeated creation creates one machine", func(t *testing.T, s ControlPlaneStore) {
			c := s.read(t)
			o := controlplane.Operation{Kind: controlplane.KindCreateMachine, FailureDomain: "a"}
			want(t, "create", s.Machines.Create(t.Context(), c, o), nil)
			want(t, "create again", s.Machines.Create(t.Context(), c, o), nil)
			s.has(t, 1)
		}},
		{"two decisions create two machines", func(t *testing.T, s ControlPlaneStore) {
			s.creates(t, controlplane.KindCreateFirstMachine)
			s.creates(t, controlplane.KindCreateMachine)
			if machines := s.has(t, 2); machines[0].Name == machines[1].Name {
				t.Errorf("two machines have the name %s", machines[0].Name)
			}
		}},
		{"the remediation that a machine replaces is recorded", func(t *testing.T, s ControlPlaneStore) {
			replaces := controlplane.Retry{Machine: "dead", At: expiry(), Count: 2}
			o := controlplane.Operation{Kind: controlplane.KindCreateMachine, Replaces: &replaces}
			want(t, "create", s.Machines.Create(t.Context(), s.read(t), o), nil)
			got := s.has(t, 1)[0].Replaces
			if got == nil || got.Machine != "dead" || got.Count != 2 || !got.At.Equal(expiry()) {
				t.Errorf("the machine replaces %+v", got)
			}
		}},
		{"a remediation is recorded until the replacement is created", controlPlaneRemediates},
		{"a deleted machine waits for its hook", controlPlaneDeletes},
		{"machines that do not exist are deleted and released", func(t *testing.T, s ControlPlaneStore) {
			o := controlplane.Operation{Kind: controlplane.KindDeleteMachine, Machine: "other"}
			want(t, "delete", s.Machines.Delete(t.Context(), s.read(t), o), nil)
			want(t, "release", s.Machines.Release(t.Context(), s.read(t), "other"), nil)
		}},
		{"the member and the expiry are recorded", controlPlaneRecords},
		{"the status keeps the initialization", controlPlaneStatus},
		{"a repeated propagation changes nothing", func(t *testing.T, s ControlPlaneStore) {
			s.creates(t, controlplane.KindCreateFirstMachine)
			want(t, "propagate", s.Objects.Propagate(t.Context(), s.read(t)), nil)
			before := s.read(t)
			want(t, "propagate again", s.Objects.Propagate(t.Context(), before), nil)
			if after := s.read(t); after.Revision != before.Revision {
				t.Errorf("the revision changes from %s to %s", before.Revision, after.Revision)
			}
		}},
		{"a control plane ends", controlPlaneFinishes},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, fresh(t)) })
	}
}

func controlPlaneIsRead(t *testing.T, s ControlPlaneStore) {
	s.Scale(t, 5)
	c := s.read(t)
	d := c.Desired
	if d.Replicas != 5 || d.Template.Version == "" || d.Paused || d.Deleting || len(d.FailureDomains) != 2 {
		t.Errorf("the desired control plane is %+v", d)
	}
	if c.Key != s.Key || c.ClusterName == "" || c.Revision == "" || c.Network.Name == "" {
		t.Errorf("the control plane is %+v", c)
	}
	if o := c.Observed; !o.InfrastructureReady || !o.EndpointKnown || o.Initialized || len(o.Machines) > 0 {
		t.Errorf("the observation is %+v", o)
	}
}

func controlPlaneCreates(t *testing.T, s ControlPlaneStore) {
	c := s.read(t)
	o := controlplane.Operation{Kind: controlplane.KindCreateFirstMachine, FailureDomain: "b"}
	want(t, "create", s.Machines.Create(t.Context(), c, o), nil)
	m := s.has(t, 1)[0]
	if m.Name == "" || m.Phase != controlplane.PhaseCreating || m.FailureDomain != "b" || m.CreatedAt.IsZero() {
		t.Errorf("the machine is %+v", m)
	}
	// A new machine is what the control plane describes, so it is not replaced.
	if m.Template != c.Desired.Template {
		t.Errorf("the machine was created from %+v, want %+v", m.Template, c.Desired.Template)
	}
	if m.NodeName != "" || m.MemberID != 0 || m.Unhealthy || m.Failure != "" || m.Replaces != nil {
		t.Errorf("the machine is %+v", m)
	}
}

func controlPlaneDeletes(t *testing.T, s ControlPlaneStore) {
	name := s.creates(t, controlplane.KindCreateFirstMachine)
	o := controlplane.Operation{Kind: controlplane.KindDeleteMachine, Machine: name}
	for range 2 {
		want(t, "delete", s.Machines.Delete(t.Context(), s.read(t), o), nil)
		if phase := s.has(t, 1)[0].Phase; phase != controlplane.PhaseDeleting {
			t.Fatalf("the phase is %s", phase)
		}
	}
	s.Drain(t, name)
	if phase := s.has(t, 1)[0].Phase; phase != controlplane.PhaseDue {
		t.Fatalf("the phase is %s", phase)
	}
	for range 2 {
		want(t, "release", s.Machines.Release(t.Context(), s.read(t), name), nil)
	}
	for _, m := range s.read(t).Observed.Machines {
		if m.Phase != controlplane.PhaseTerminating {
			t.Errorf("the phase is %s", m.Phase)
		}
	}
}

func controlPlaneRemediates(t *testing.T, s ControlPlaneStore) {
	name := s.creates(t, controlplane.KindCreateFirstMachine)
	retry := controlplane.Retry{Machine: name, At: expiry(), Count: 1}
	want(t, "delete", s.Machines.Delete(t.Context(), s.read(t), controlplane.Operation{
		Kind: controlplane.KindDeleteMachine, Machine: name, Remediates: true, Replaces: &retry,
	}), nil)
	got := s.read(t).Observed.Remediated
	if got == nil || got.Machine != name || got.Count != 1 || !got.At.Equal(expiry()) {
		t.Fatalf("the remediation is %+v", got)
	}
	o := controlplane.Operation{Kind: controlplane.KindCreateMachine, Replaces: got}
	want(t, "create", s.Machines.Create(t.Context(), s.read(t), o), nil)
	if got := s.read(t).Observed.Remediated; got != nil {
		t.Errorf("the remediation %+v stays", got)
	}
}

func controlPlaneRecords(t *testing.T, s ControlPlaneStore) {
	s.creates(t, controlplane.KindCreateFirstMachine)
	c := s.read(t)
	m := c.Observed.Machines[0]
	// The largest ID needs all 64 bits.
	m.MemberID, m.CertificatesExpireAt = 1<<64-1, expiry()
	for range 2 {
		want(t, "record", s.Machines.Record(t.Context(), c, m), nil)
	}
	if got := s.has(t, 1)[0]; got.MemberID != m.MemberID || !got.CertificatesExpireAt.Equal(expiry()) {
		t.Errorf("the machine has the member %x and expires at %s", got.MemberID, got.CertificatesExpireAt)
	}
}

func controlPlaneStatus(t *testing.T, s ControlPlaneStore) {
	s.creates(t, controlplane.KindCreateFirstMachine)
	c := s.read(t)
	status := ports.ControlPlaneStatus{
		Observed: c.Observed, Operation: controlplane.Operation{Kind: controlplane.KindWait},
		Reason:   controlplane.Reason{Code: "Waiting", Message: "a machine is being created"},
		Problems: map[string]string{"kubeconfig": "it failed"},
	}
	want(t, "write a status", s.Objects.SetStatus(t.Context(), c, status), nil)
	if s.read(t).Observed.Initialized {
		t.Fatal("the control plane is initialized")
	}
	status.Observed.Initialized = true
	want(t, "write another one", s.Objects.SetStatus(t.Context(), s.read(t), status), nil)
	// The status of a controller that does not see the workload cluster does not end the initialization.
	status.Observed.Initialized, status.Failure = false, "it failed"
	want(t, "write a third one", s.Objects.SetStatus(t.Context(), s.read(t), status), nil)
	if !s.read(t).Observed.Initialized {
		t.Fatal("the control plane is not initialized any more")
	}
}

func controlPlaneFinishes(t *testing.T, s ControlPlaneStore) {
	s.Delete(t)
	stale := s.read(t)
	if !stale.Desired.Deleting {
		t.Fatal("the control plane is not being deleted")
	}
	s.Scale(t, 1)
	want(t, "finish a control plane that changed", s.Objects.Finish(t.Context(), stale), ports.ErrConflict)
	c := s.read(t)
	for range 2 {
		want(t, "finish", s.Objects.Finish(t.Context(), c), nil)
	}
	_, err := s.Objects.Read(t.Context(), s.Key)
	want(t, "read", err, ports.ErrNoControlPlane)
}

// read returns the control plane.
func (s ControlPlaneStore) read(t *testing.T) ports.ControlPlane {
	t.Helper()
	c, err := s.Objects.Read(t.Context(), s.Key)
	want(t, "read", err, nil)
	return c
}

// has expects a number of machines.
func (s ControlPlaneStore) has(t *testing.T, n int) []controlplane.Machine {
	t.Helper()
	machines := s.read(t).Observed.Machines
	if len(machines) != n {
		t.Fatalf("there are %d machines, want %d: %+v", len(machines), n, machines)
	}
	return machines
}

// creates adds a machine and returns its name.
func (s ControlPlaneStore) creates(t *testing.T, kind controlplane.Kind) string {
	t.Helper()
	before := map[string]bool{}
	c := s.read(t)
	for _, m := range c.Observed.Machines {
		before[m.Name] = true
	}
	want(t, "create", s.Machines.Create(t.Context(), c, controlplane.Operation{Kind: kind}), nil)
	for _, m := range s.read(t).Observed.Machines {
		if !before[m.Name] {
			return m.Name
		}
	}
	t.Fatal("there is no new machine")
	return ""
}
