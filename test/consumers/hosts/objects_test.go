//go:build linux

package hosts_test

import (
	"testing"

	. "github.com/onsi/gomega"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hosts"
)

// TestFaultsOfObjects runs the rows of the fault table that no driver detects, with the controllers: a Host that gets
// the claim of another machine, a Host that is removed in spite of its finalizer, and a driver without its flag.
func TestFaultsOfObjects(t *testing.T) {
	f := newFleet(t, "objects", 4, ports.DefaultHostDriverLimits())
	f.cluster(hosts.Script().Data.Reveal())
	t.Run("driver without its flag", func(*testing.T) {
		f.boot("disabled", func(_ *clusterv1.Machine, m *hostsv1.HostMachine) {
			m.Spec.NamespaceMachine = &hostsv1.NamespaceMachine{Root: "bookworm"}
		})
		f.becomes("disabled", host.FaultDisabled.Reason(), false)
	})
	for name, c := range map[string]struct {
		reason host.Reason
		lose   func(name string)
	}{
		"two machines, one host":                    {host.ReasonHostTaken, f.take},
		"no Host object, in spite of its finalizer": {host.ReasonHostDeleted, f.remove},
	} {
		t.Run(name, func(t *testing.T) { f.loses(t, c.reason, c.lose) })
	}
}

// loses boots a machine whose host is lost before the data is sent, and expects that it uses another one. Then it loses
// this one, too, and expects that the machine fails, and that its deletion does not reset the host.
func (f *fleet) loses(t *testing.T, reason host.Reason, lose func(name string)) {
	t.Helper()
	name := map[host.Reason]string{host.ReasonHostTaken: "taken", host.ReasonHostDeleted: "deleted"}[reason]
	for _, h := range f.hosts {
		h.Disconnect(t)
	}
	f.boot(name)
	first := f.hostOf(name, "")
	lose(first)
	second := f.hostOf(name, first)
	for _, h := range f.hosts {
		h.Connect(t)
	}
	h := f.hosts[second]
	f.Eventually(func() int { return h.Runs(t) }).Should(Equal(1))
	lose(second)
	f.becomes(name, reason, true)
	f.Expect(f.Client.Delete(t.Context(), f.object(&clusterv1.Machine{}, name))).To(Succeed())
	f.Eventually(f.infrastructure).ShouldNot(HaveKey(name))
	h.Run(t, "cd /var/lib/machineadm-hosts/*-*/ && test -e started && ! test -e release")
	if runs := f.hosts[first].Runs(t); runs != 0 {
		t.Errorf("the data was started on %s", first)
	}
}

// hostOf waits until the machine has a host other than the given one, and returns its name.
func (f *fleet) hostOf(machine, other string) (name string) {
	f.t.Helper()
	f.Eventually(func(g Gomega) {
		m := f.infrastructure()[machine]
		g.Expect(m).NotTo(BeNil())
		g.Expect(m.Spec.Claim).NotTo(BeNil(), "%+v", m.Status.Conditions)
		name = m.Spec.Claim.HostName
		g.Expect(name).NotTo(Equal(other))
		h := &hostsv1.Host{}
		g.Expect(f.Client.Get(f.t.Context(), client.ObjectKeyFromObject(f.object(h, name)), h)).To(Succeed())
		g.Expect(h.Spec.Claim).NotTo(BeNil())
		g.Expect(h.Spec.Claim.ID).To(Equal(m.Spec.Claim.ID))
	}).Should(Succeed())
	return name
}

// object sets the namespace and the name of an object.
func (f *fleet) object(o client.Object, name string) client.Object {
	o.SetNamespace(f.name)
	o.SetName(name)
	return o
}

// change changes a Host.
func (f *fleet) change(name string, change func(*hostsv1.Host)) {
	f.t.Helper()
	f.Eventually(func() error {
		h := &hostsv1.Host{}
		if err := f.Client.Get(f.t.Context(), client.ObjectKeyFromObject(f.object(h, name)), h); err != nil {
			return err
		}
		change(h)
		return f.Client.Update(f.t.Context(), h)
	}).Should(Succeed())
}

// take writes the claim of another machine to a Host, as a restored backup does.
func (f *fleet) take(name string) {
	f.t.Helper()
	f.change(name, func(h *hostsv1.Host) { h.Spec.Claim = &hostsv1.HostClaim{ID: otherID, MachineName: "other"} })
}

// remove removes a Host without its finalizer.
func (f *fleet) remove(name string) {
	f.t.Helper()
	f.Expect(f.Client.Delete(f.t.Context(), f.object(&hostsv1.Host{}, name))).To(Succeed())
	f.change(name, func(h *hostsv1.Host) { h.Finalizers = nil })
}

// becomes waits until the machine has a reason, and compares whether it has failed for good.
func (f *fleet) becomes(machine string, reason host.Reason, terminal bool) {
	f.t.Helper()
	f.Eventually(func(g Gomega) {
		m := f.infrastructure()[machine]
		g.Expect(m).NotTo(BeNil())
		g.Expect(conditions.GetReason(m, host.ConditionReady)).To(Equal(string(reason)), "%+v", m.Status.Conditions)
		g.Expect(m.Status.FailureReason != nil).To(Equal(terminal))
	}).Should(Succeed())
}
