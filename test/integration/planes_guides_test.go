package integration_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/programs"
)

// planeGuides are the guides about control planes, in the order in which they are executed.
func planeGuides() []string {
	return []string{
		"clusterclass", "gitops", "upgrade-kubernetes", "replace-a-member", "rotate-certificates",
		"change-the-operating-system", "control-plane-conditions",
	}
}

var (
	consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")
	sectionTitle = regexp.MustCompile(`(?m)^## (\w+)$`)
	fileBlock    = regexp.MustCompile("(?s)```yaml ([a-z0-9.-]+)\n(.*?)```")
)

// guide returns the text of a guide. The kind of its infrastructure is that of the tests, whose machines need no hour.
func guide(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides", name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("infrastructure.cluster.x-k8s.io/v1beta2", standin.Group+"/"+standin.Version,
		"AWSMachine", standin.MachineKind, "AWSCluster", standin.ClusterKind,
		"--timeout=60m", "--timeout="+patience.String()).Replace(string(text))
}

// guideScript returns the commands of a page.
func guideScript(page string) string {
	script := "set -euo pipefail\n"
	for _, block := range consoleBlock.FindAllStringSubmatch(page, -1) {
		for line := range strings.Lines(block[1]) {
			for _, prompt := range []string{"$ ", "> "} {
				if command, found := strings.CutPrefix(line, prompt); found {
					script += command
				}
			}
		}
	}
	return script
}

// stateOfGuides prints what a guide may have waited for.
const stateOfGuides = `kubectl get nodes -o wide
kubectl -n prod get machines,machinesets,machinedeployments,macp,machinebootstrapconfigs -o wide
kubectl -n prod get cluster-api,macp -o yaml
kubectl -n prod get events --sort-by=.lastTimestamp | tail -50`

// TestControlPlaneGuides runs the commands of the guides with the real kubectl, one after the other on one cluster of
// the template flatcar. Its machines are simulated.
func TestControlPlaneGuides(t *testing.T) {
	t.Parallel()
	w := newTemplateWorld(t, "prod")
	// The guide of classes creates this cluster in the same namespace, and deletes it.
	w.create(w.env.ClusterCA(w.key("demo")))
	w.applyTemplate("cluster-template-flatcar.yaml")
	w.joinMachines()
	w.complete()
	// The guides assume workers, which core creates after the control plane.
	w.Eventually(w.workers).Should(ContainElement(HaveField("Status.NodeRef.Name", Not(BeEmpty()))))
	dir, bin := t.TempDir(), t.TempDir()
	w.Expect(w.env.WriteKubeconfig(filepath.Join(dir, "admin"))).To(Succeed())
	w.Expect(programs.Install(t.Context(), bin, "machineadmctl")).To(Succeed())
	kubectl, err := controlplane.Tool(t.Context(), "kubectl")
	w.Expect(err).NotTo(HaveOccurred())
	environment := append(os.Environ(), "PATH="+bin+":"+filepath.Dir(kubectl)+":"+os.Getenv("PATH"), "HOME="+dir,
		"KUBECONFIG="+filepath.Join(dir, "admin"))
	run := func(ctx context.Context, script string) (string, error) {
		shell := exec.CommandContext(ctx, "bash", "-xc", script)
		shell.Dir, shell.Env = dir, environment
		output, err := shell.CombinedOutput()
		return string(output), err
	}
	t.Cleanup(func() {
		if t.Failed() {
			state, _ := run(context.WithoutCancel(t.Context()), stateOfGuides)
			t.Logf("%s\n%s", state, w.env.mentions(`"`+w.name))
		}
	})
	for _, name := range planeGuides() {
		page := guide(t, name)
		for _, file := range fileBlock.FindAllStringSubmatch(page, -1) {
			w.Expect(os.WriteFile(filepath.Join(dir, file[1]), []byte(file[2]), 0o600)).To(Succeed())
		}
		if output, err := run(t.Context(), guideScript(page)); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, output)
		}
	}
	o := w.plane()
	w.Expect(o.Spec.Version).To(Equal("v1.36.4"))
	w.Expect(o.Spec.Bootstrap.OS.Distribution).To(Equal("ubuntu"))
	w.complete()
}

// joinMachines lets machines become nodes until the test ends.
func (w *planesWorld) joinMachines() {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * polling):
				w.machines()
				w.joinWorkers()
			}
		}
	}()
	w.t.Cleanup(func() {
		close(stop)
		<-done
	})
}

// workers returns the Machines that are not of the control plane.
func (w *planesWorld) workers() []clusterv1.Machine {
	var list clusterv1.MachineList
	_ = w.env.Client.List(w.t.Context(), &list, client.InNamespace(w.name))
	return slices.DeleteFunc(list.Items, func(m clusterv1.Machine) bool { return util.IsControlPlaneMachine(&m) })
}

// joinWorkers lets workers with their data become nodes.
func (w *planesWorld) joinWorkers() {
	workers := w.workers()
	for i := range workers {
		if m := &workers[i]; m.Spec.Bootstrap.DataSecretName != nil && m.Status.NodeRef.Name == "" {
			_, _ = standin.Join(w.t.Context(), w.env.Client, m)
		}
	}
}

// TestConditionsHaveARunbook expects a section for each condition that the controller sets.
func TestConditionsHaveARunbook(t *testing.T) {
	t.Parallel()
	w := newPlanes(t, "planes-runbook", 1)
	w.complete()
	// This condition is absent without snapshots.
	want := []string{"EtcdSnapshotStored"}
	for _, c := range w.plane().Status.Conditions {
		want = append(want, c.Type)
	}
	var sections []string
	for _, m := range sectionTitle.FindAllStringSubmatch(guide(t, "control-plane-conditions"), -1) {
		sections = append(sections, m[1])
	}
	w.Expect(sections).To(ConsistOf(want))
}
