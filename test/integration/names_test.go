package integration_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// TestReservedNamesAreRefused has a tenant choose the name of a kubeconfig in each way that there is: no Secret
// of the name comes into being.
func TestReservedNamesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "names-refused")
	err := w.env.Client.Create(t.Context(), w.config("x-kubeconfig"))
	w.Expect(apierrors.IsInvalid(err)).To(BeTrue(), "%v", err)
	w.Expect(err.Error()).To(ContainSubstring("metadata.name must not end in -kubeconfig"))

	authority := w.boot("x-proxy", true)
	m, infrastructure := w.machine("m", true)
	m.Spec.Bootstrap.DataSecretName = ptr.To("x-kubeconfig")
	w.create(w.config("m"), infrastructure, m)
	for name, field := range map[string]string{
		authority: "metadata.name: ",
		m.Name:    "spec.bootstrap.dataSecretName of the machine: ",
	} {
		w.Eventually(func(g Gomega) {
			c := &v1alpha1.MachineBootstrapConfig{}
			g.Expect(w.get(name, c)).To(Succeed())
			g.Expect(w.reason(name)).To(Equal("InvalidSpec"))
			g.Expect(fmt.Sprint(c.Status.Conditions)).To(ContainSubstring(field))
		}).Should(Succeed())
	}
	for _, name := range []string{"x-kubeconfig", authority} {
		w.Expect(apierrors.IsNotFound(w.get(name, &corev1.Secret{}))).To(BeTrue(), name)
	}
}

// TestKubeconfigOfATenantIsNotUsed has the kubeconfig of a cluster be what an earlier version wrote for a tenant: it
// sends the content of a file to his server. Cluster API's core may do that; the controller does not.
func TestKubeconfigOfATenantIsNotUsed(t *testing.T) {
	t.Parallel()
	const name = "names-kubeconfig"
	var mutex sync.Mutex
	var agents []string
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		agents = append(agents, r.UserAgent())
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "token")
	NewWithT(t).Expect(os.WriteFile(file, []byte("a file of the pod"), 0o600)).To(Succeed())
	NewWithT(t).Expect(shared().EnsureNamespace(t.Context(), name)).To(Succeed())
	owner := &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: "tenant"}}
	owner.Spec.OS.Distribution = "debian"
	NewWithT(t).Expect(shared().Client.Create(t.Context(), owner)).To(Succeed())
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: name, Name: name + "-kubeconfig", Labels: map[string]string{clusterv1.ClusterNameLabel: name},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner,
				v1alpha1.GroupVersion().WithKind(v1alpha1.ConfigKind))},
		},
		Type: clusterv1.ClusterSecretType,
		Data: map[string][]byte{"value": fmt.Appendf(nil, `{apiVersion: v1, kind: Config, current-context: c,
  contexts: [{name: c, context: {cluster: c, user: u}}],
  clusters: [{name: c, cluster: {server: %q, insecure-skip-tls-verify: true}}],
  users: [{name: u, user: {tokenFile: %q}}]}`, server.URL, file)},
	}
	NewWithT(t).Expect(shared().Client.Create(t.Context(), secret)).To(Succeed())
	w := newWorld(t, name)
	w.Eventually(func() string {
		text, _ := os.ReadFile(w.env.provider.Log)
		return string(text)
	}).Should(ContainSubstring("the kubeconfig in Secret " + name + "/" + name +
		"-kubeconfig is not used: the MachineBootstrapConfig"))
	mutex.Lock()
	defer mutex.Unlock()
	for _, agent := range agents {
		w.Expect(strings.Contains(agent, "machineadm")).To(BeFalse(), agent)
	}
}
