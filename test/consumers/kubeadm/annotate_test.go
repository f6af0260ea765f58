package kubeadm_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	plugin "github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/controlplane"
)

// kubeletConfig is where kubeadm writes the kubeconfig of kubelet.
const kubeletConfig = "/etc/kubernetes/kubelet.conf"

// TestKubeletAnnotatesItsNode runs the command with the credentials of a kubelet, whose requests the authorizer for
// nodes and the admission plug-in NodeRestriction check. The Node is created after the command has started.
func TestKubeletAnnotatesItsNode(t *testing.T) {
	ctrl.SetLogger(logr.Discard())
	c, err := controlplane.Start(context.WithoutCancel(t.Context()), controlplane.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	want := map[string]string{
		"example.org/rack": "a \"b\" $HOME `id` 'c'\n{{ x }} é", "empty": "", "zone": "eu-1/a",
	}
	patch, script := annotation(t, want)
	dir := t.TempDir()
	kubeconfig, err := c.UserKubeconfig("system:node:worker-1.example", "system:nodes")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"kubelet.conf": kubeconfig, "patch": patch} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script = strings.NewReplacer(kubeletConfig, filepath.Join(dir, "kubelet.conf"), plugin.AnnotationsPath,
		filepath.Join(dir, "patch")).Replace(script)
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Env = []string{"PATH=" + filepath.Dir(obtain(t, "kubectl")) + ":/usr/bin:/bin", "HOME=" + dir}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	worker := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: "worker-1.example", Annotations: map[string]string{"old": "1"},
	}}
	if err := c.Client.Create(t.Context(), worker); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if err := c.Client.Get(t.Context(), client.ObjectKeyFromObject(worker), worker); err != nil {
		t.Fatal(err)
	}
	want["old"] = "1"
	if diff := cmp.Diff(want, worker.Annotations); diff != "" {
		t.Errorf("the Node has other annotations (-want +got):\n%s", diff)
	}
}

// TestAnnotationsRequireKubectl runs the command without kubectl. It fails at once, and names the cause.
func TestAnnotationsRequireKubectl(t *testing.T) {
	_, script := annotation(t, map[string]string{"a": "b"})
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Env = []string{"PATH=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "require kubectl, which is not installed") {
		t.Errorf("without kubectl: %v, %s", err, out)
	}
}

// annotation returns the patch and the command that set the annotations. The value of zone is a fact.
func annotation(t *testing.T, annotations map[string]string) (patch []byte, script string) {
	t.Helper()
	n := node.NodeConfig{
		Role: node.RoleWorker, KubernetesVersion: "v1.36.3",
		Discovery: &node.Discovery{Token: secret.FromString(canary.Token), UnsafeSkipCAVerification: true},
	}
	for key, value := range annotations {
		content := document.Text(value)
		if key == "zone" {
			content = document.FromFact(document.FactZone)
		}
		n.Registration.Annotations = append(n.Registration.Annotations, node.Annotation{Key: key, Value: content})
	}
	profile, _ := osprofile.Lookup("ubuntu")
	actions, findings, err := plugin.Expander{}.Expand(t.Context(), ports.Expansion{
		Document: document.Document{Value: n}, Target: osprofile.Target{Profile: profile},
	})
	if err != nil || findings.HasErrors() {
		t.Fatal(err, findings)
	}
	for _, a := range actions {
		if op, ok := a.Do.(action.RunCommand); ok {
			script = op.Script
		}
		op, ok := a.Do.(action.WriteFile)
		if !ok || op.Path != plugin.AnnotationsPath {
			continue
		}
		for _, f := range op.Content.Fragments() {
			text := f.Literal
			if f.Fact == document.FactZone {
				text = []byte(annotations["zone"])
			}
			patch = append(patch, text...)
		}
	}
	return patch, script
}
