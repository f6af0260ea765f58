package integration_test

import (
	"slices"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/test/nightly"
)

// replicas returns the number of machines of each operating system.
func replicas() int { return nightly.Or(5, 1) }

// oneOfEach returns all profiles in a nightly run, and otherwise the first one for each value of the key.
func oneOfEach[K comparable](profiles []osprofile.Profile, key func(osprofile.Profile) K) []osprofile.Profile {
	var first []osprofile.Profile
	known := map[K]bool{}
	for _, p := range profiles {
		if !known[key(p)] {
			known[key(p)] = true
			first = append(first, p)
		}
	}
	return nightly.Or(profiles, first)
}

// joinable returns the operating systems whose machines join a cluster of kubeadm's: they have a shell to run it in, or
// join by themselves with its token.
func joinable(t *testing.T) []osprofile.Profile {
	t.Helper()
	systems := slices.DeleteFunc(osprofile.Builtin(), func(p osprofile.Profile) bool {
		return p.Shell != osprofile.ShellPOSIX && p.Family != osprofile.FamilyBottlerocket
	})
	for format := range secretFormats() {
		if !slices.ContainsFunc(systems, func(p osprofile.Profile) bool { _, reads := p.Supports(format); return reads }) {
			t.Fatalf("no operating system reads %s", format)
		}
	}
	return systems
}

// secretFormats is the key "format" of a data Secret: the names that infrastructure providers know. Other formats have
// none.
func secretFormats() map[delivery.Format]string {
	return map[delivery.Format]string{
		delivery.FormatCloudInit: "cloud-config", delivery.FormatIgnition: "ignition", delivery.FormatIgnitionV2: "ignition",
	}
}

func TestThreeControlPlaneMachinesAndADeploymentPerOS(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "three")
	names := []string{w.boot("cp0", true), w.boot("cp1", true), w.boot("cp2", true)}
	systems := oneOfEach(joinable(t), osprofile.Profile.DefaultFormat)
	for _, p := range systems {
		w.workers(p.ID, int32(replicas()),
			func(c *v1alpha1.MachineBootstrapConfig) { c.Spec.OS = v1alpha1.OSSpec{Distribution: p.ID} })
	}
	first := w.first(names)
	others := slices.DeleteFunc(names, func(name string) bool { return name == first })
	for _, name := range others {
		w.Eventually(func() string { return w.reason(name) }).Should(Equal("WaitingForFirstMachine"))
		w.Expect(apierrors.IsNotFound(w.get(name, &corev1.Secret{}))).To(BeTrue(), "one machine starts the cluster")
	}
	w.Expect(string(w.data(first).Data["value"])).To(ContainSubstring("InitConfiguration"))
	w.join(first)
	for _, name := range others {
		w.published(name)
		w.Expect(string(w.data(name).Data["value"])).To(ContainSubstring("JoinConfiguration"))
	}
	for _, p := range systems {
		w.workersHaveData(p)
	}
	w.Eventually(func() bool {
		return apierrors.IsNotFound(w.get(w.name+"-lock", &corev1.ConfigMap{}))
	}).Should(BeTrue(), "the lock is freed")
}

// first waits for the one of the machines that starts the cluster.
func (w *world) first(names []string) (name string) {
	w.t.Helper()
	w.Eventually(func() bool {
		i := slices.IndexFunc(names, func(name string) bool { return w.get(name, &corev1.Secret{}) == nil })
		if i >= 0 {
			name = names[i]
		}
		return i >= 0
	}).Should(BeTrue())
	return name
}

// workersHaveData holds the machines of an operating system's deployment to their data.
func (w *world) workersHaveData(p osprofile.Profile) {
	w.t.Helper()
	for _, m := range w.machinesOf(p.ID, replicas()) {
		s := w.data(*m.Spec.Bootstrap.DataSecretName)
		want, wanted := secretFormats()[p.DefaultFormat()]
		if got, has := s.Data["format"]; has != wanted || string(got) != want {
			w.t.Errorf("%s: format %q, want %q", m.Name, got, want)
		}
		c := w.published(m.Name)
		if got := c.Status.Payload; got == nil || got.Format != string(p.DefaultFormat()) ||
			int(got.Bytes) != len(s.Data["value"]) {
			w.t.Errorf("%s: the status has %+v, and %d bytes are published", m.Name, got, len(s.Data["value"]))
		}
	}
}
