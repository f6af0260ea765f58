package integration_test

import (
	"fmt"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/machineadm/machineadm/domain/controlplane"
)

// TestControlPlaneProgram runs the program as a release does, with the permissions of its ServiceAccount. The program
// creates the first machine, sees that real kubeadm has initialized the cluster, and waits while no member answers.
func TestControlPlaneProgram(t *testing.T) {
	t.Parallel()
	start := manage(t)
	env := environmentOf(t)
	g := NewWithT(t)
	g.Expect(env.InstallPlanes(env.ctx)).To(Succeed())
	start()
	provider, err := env.StartPlanesProvider(env.ctx, env.program)
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { g.Expect(provider.Stop()).To(Succeed()) })

	w := &planesWorld{world: &world{WithT: patient(t), env: env, t: t, name: "planes-program", prefix: "planes-program"}}
	w.createCluster(3)
	var node string
	w.Eventually(func(g Gomega) {
		machines := w.machines()
		g.Expect(machines).To(HaveLen(1), "%+v", w.plane().Status.NextOperation)
		node = machines[0].Status.NodeRef.Name
		g.Expect(node).NotTo(BeEmpty(), "%+v", w.plane().Status.NextOperation)
	}).Should(Succeed())
	w.Expect(w.plane().Status.Initialized()).To(BeFalse())
	w.Expect(w.get(w.name+"-kubeconfig", &corev1.Secret{})).To(Succeed())

	host, port := env.Endpoint()
	w.Expect(env.Welcome(t.Context(), node, fmt.Sprintf("%s:%d", host, port), version)).To(Succeed())
	w.Eventually(func(g Gomega) {
		s := w.plane().Status
		g.Expect(s.Initialized()).To(BeTrue(), "%+v", s.NextOperation)
		g.Expect(s.NextOperation.Reason).To(Equal(string(controlplane.CodeMembersUnknown)), "%+v", s.NextOperation)
		c := conditions.Get(w.plane(), "EtcdClusterHealthy")
		g.Expect(c).NotTo(BeNil())
		g.Expect(c.Message).NotTo(BeEmpty())
	}).Should(Succeed())
	w.Consistently(func() int { return len(w.machines()) }, observed).Should(Equal(1))
}
