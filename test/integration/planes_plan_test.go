package integration_test

import (
	"encoding/json"
	"os/exec"
	"testing"

	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/test/programs"
)

// TestPlanFromACluster checks that machineadmctl plan reads the objects of a cluster, and decides as the controller.
func TestPlanFromACluster(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-plan", 1)
	machine := w.complete()[0].Name
	program, err := programs.Build(t.Context(), "machineadmctl")
	w.Expect(err).NotTo(HaveOccurred())
	kubeconfig := t.TempDir() + "/kubeconfig"
	w.Expect(w.env.WriteKubeconfig(kubeconfig)).To(Succeed())
	type controlPlane struct {
		Name     string
		Next     struct{ Operation, Reason, Message string }
		Machines []struct {
			Name, Phase, Member string
			Differences         []string
		}
	}
	plan := func() controlPlane {
		out, err := exec.CommandContext(t.Context(), program, "plan", "--kubeconfig", kubeconfig, "-n", w.name, plane,
			"-o", "json").CombinedOutput()
		w.Expect(err).NotTo(HaveOccurred(), string(out))
		var printed struct{ ControlPlanes []controlPlane }
		w.Expect(json.Unmarshal(out, &printed)).To(Succeed(), string(out))
		w.Expect(printed.ControlPlanes).To(HaveLen(1))
		return printed.ControlPlanes[0]
	}
	var p controlPlane
	// The status may change between the two reads.
	w.Eventually(func(g Gomega) {
		p = plan()
		status := w.plane().Status.NextOperation
		g.Expect([]string{p.Next.Operation, p.Next.Reason, p.Next.Message}).To(Equal(
			[]string{status.Operation, status.Reason, status.Message}))
	}).Should(Succeed())
	w.Expect(p.Name).To(Equal(plane))
	w.Expect(p.Machines).To(HaveLen(1))
	m := p.Machines[0]
	w.Expect([]string{m.Name, m.Phase, m.Member}).To(Equal([]string{machine, "Running", "Voter"}))
	w.Expect(m.Differences).To(BeEmpty())

	w.pause(true)
	w.conditionIs("Paused", metav1.ConditionTrue)
	w.Expect(plan().Next.Reason).To(Equal("Paused"))
}
