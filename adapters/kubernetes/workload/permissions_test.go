//go:build linux && !unit

package workload

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/cluster-api/util/certs"

	"github.com/machineadm/machineadm/test/programs"
)

// TestKubeletClientIsPermitted verifies that API servers of machines that join may connect to kubelets: the certificate
// that real kubeadm creates for them needs a permission that an earlier kubeadm init did not create.
func TestKubeletClientIsPermitted(t *testing.T) {
	const version = "v1.36.3"
	kubeadm, err := programs.Script(t.Context(), "tool.sh", "kubeadm")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"ca", "apiserver-kubelet-client"} {
		args := []string{"init", "phase", "certs", name, "--cert-dir=" + dir}
		if name != "ca" {
			args = append(args, "--kubernetes-version="+version)
		}
		if out, err := exec.CommandContext(t.Context(), kubeadm, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "apiserver-kubelet-client.crt"))
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := certs.DecodeCertPEM(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{version, "v1.35.4", "v1.37.0"} {
		if !slices.ContainsFunc(permissions(v), func(b *rbacv1.ClusterRoleBinding) bool {
			s := b.Subjects[0]
			return b.RoleRef.Name == "system:kubelet-api-admin" && s.Kind == rbacv1.UserKind &&
				s.Name == certificate.Subject.CommonName
		}) {
			t.Errorf("%s: %s has no permission", v, certificate.Subject)
		}
	}
}
