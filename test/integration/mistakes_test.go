package integration_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/programs"
)

// TestMistakesAreReportedAlike checks that validate, the API server and the controller agree about the mistakes that
// users make often, and that validate names the field and the remedy.
func TestMistakesAreReportedAlike(t *testing.T) {
	t.Parallel()
	program, err := programs.Build(t.Context(), "machineadmctl")
	if err != nil {
		t.Fatal(err)
	}
	w := initialized(t, "mistakes")
	for name, m := range mistakes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.validate(t, program)
			if m.terminalOnly == "" {
				own := &world{WithT: patient(t), env: w.env, t: t, name: w.name, prefix: w.prefix}
				name = strings.ReplaceAll(strings.ToLower(name), " ", "-")
				if m.state != nil {
					m.state(own, m, name)
					return
				}
				m.apply(t, own, name)
			}
		})
	}
}

// validate checks the findings of machineadmctl.
func (m mistake) validate(t *testing.T, program string) {
	t.Helper()
	config := "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfig\nmetadata: {name: config}\n" +
		"spec:\n" + indented(m.config)
	cluster, workers := m.cluster, m.workers
	if cluster == "" {
		cluster = clusterManifest
	}
	if workers == "" {
		workers = machineManifest(m.version, m.controlPlane)
	}
	name := filepath.Join(t.TempDir(), "manifests.yaml")
	if err := os.WriteFile(name, []byte(cluster+"---\n"+workers+"---\n"+config), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "validate", "--quiet", "-f", name).CombinedOutput()
	var exit *exec.ExitError
	if refused := errors.As(err, &exit); refused != (len(m.terminal) > 0) || refused && exit.ExitCode() != 1 {
		t.Errorf("%s: validate: %v\n%s", m.reason, err, out)
	}
	for _, want := range slices.Concat(m.terminal, m.warnings) {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: validate does not print %q:\n%s", m.reason, want, out)
		}
	}
}

// apply creates the objects, and checks the answer of the API server or the condition of the config.
func (m mistake) apply(t *testing.T, w *world, name string) {
	t.Helper()
	if m.server != "" {
		err := w.createStrictly(m.refusedObject(w, name))
		if err == nil || !strings.Contains(err.Error(), m.server) {
			t.Errorf("%s: the API server: %v", m.reason, err)
		}
		return
	}
	config := m.object(w, name)
	machine, infrastructure := w.machine(name, m.controlPlane)
	if m.version != "" {
		machine.Spec.Version = m.version
	}
	w.Expect(w.createStrictly(config)).To(Succeed())
	w.create(infrastructure, machine)
	if len(m.condition) == 0 {
		w.Eventually(func() string { return w.reason(config.GetName()) }).Should(Equal("Ready"))
		for _, want := range m.warnings {
			w.Expect(w.conditionOf(config.GetName(), "DataSecretAvailable").Message).To(ContainSubstring(want))
		}
		return
	}
	for _, want := range m.condition {
		w.Eventually(func() string { return w.message(config.GetName()) }).Should(ContainSubstring(want))
	}
}

// refusedObject returns the object that the API server refuses.
func (m mistake) refusedObject(w *world, name string) *unstructured.Unstructured {
	text := m.workers
	if m.cluster != "" {
		text = m.cluster
	}
	if text == "" {
		return m.object(w, name)
	}
	o := &unstructured.Unstructured{}
	w.Expect(yaml.Unmarshal([]byte(text), &o.Object)).To(Succeed())
	o.SetNamespace(w.name)
	return o
}

func (m mistake) object(w *world, name string) *unstructured.Unstructured {
	spec := map[string]any{}
	w.Expect(yaml.Unmarshal([]byte(m.config), &spec)).To(Succeed())
	o := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	o.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.ConfigKind))
	o.SetNamespace(w.name)
	o.SetName(w.prefix + "-" + name)
	return o
}

// createStrictly creates an object as kubectl does: unknown fields are errors.
func (w *world) createStrictly(o client.Object) error {
	return w.env.Client.Create(w.t.Context(), o, client.FieldValidation("Strict"))
}

const clusterManifest = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: demo
  annotations: {bootstrap.machineadm.io/control-plane-type: Kubeadm}
spec:
  controlPlaneEndpoint: {host: 192.0.2.1, port: 6443}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ExampleCluster, name: demo}
`

// machineManifest returns a Machine with the config named config.
func machineManifest(version string, controlPlane bool) string {
	labels := "{}"
	if controlPlane {
		labels = `{cluster.x-k8s.io/control-plane: ""}`
	}
	if version == "" {
		version = "v1.36.3"
	}
	return fmt.Sprintf(`apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata: {name: machine, labels: %s}
spec:
  clusterName: demo
  version: %s
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ExampleMachine, name: machine}
  bootstrap: {configRef: {apiGroup: bootstrap.machineadm.io, kind: MachineBootstrapConfig, name: config}}
`, labels, version)
}

// indented returns the lines of a spec, below the field spec.
func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
