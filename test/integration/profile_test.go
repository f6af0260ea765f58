package integration_test

import (
	"encoding/base64"
	"testing"

	. "github.com/onsi/gomega"
	"github.com/pelletier/go-toml/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

const acme = "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: OSProfile\nextends: debian\nid: " +
	"acme-linux\nname: ACME Linux\n"

// TestProfileOfAConfigMap uses a distribution that machineadm does not know: the config waits for its profile, a
// mistake is reported with its line, and a corrected ConfigMap is enough.
func TestProfileOfAConfigMap(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "profile")
	name := w.boot("a", true, func(c *v1alpha1.MachineBootstrapConfig) {
		from := v1alpha1.KeyReference{Name: "profiles", Key: "acme"}
		c.Spec.OS = v1alpha1.OSSpec{Distribution: "acme-linux", ProfileFrom: &v1alpha1.ProfileSource{ConfigMap: from}}
	})
	w.Eventually(func() string { return w.reason(name) }).Should(Equal("WaitingForReference"))
	profiles := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "profiles"},
		Data:       map[string]string{"acme": acme + "binDir: opt\n"},
	}
	w.create(profiles)
	w.Eventually(func() string { return w.message(name) }).
		Should(Equal(
			`spec.os.profileFrom.configMap (line 6, column 9): binDir: "opt" is not absolute and clean`))
	w.patch(profiles, func() { profiles.Data["acme"] = acme })
	if got := w.published(name).Status.Payload; got == nil || got.Format != "cloud-init" {
		t.Errorf("published %+v", got)
	}
}

func (w *world) message(name string) string {
	c := &v1alpha1.MachineBootstrapConfig{}
	if w.get(name, c) != nil {
		return ""
	}
	return conditions.GetMessage(c, clusterv1.ReadyCondition)
}

// TestBottlerocketJoins checks that Bottlerocket gets the CA's certificate and a token, and runs no control plane.
func TestBottlerocketJoins(t *testing.T) {
	t.Parallel()
	w := initialized(t, "bottlerocket")
	bottlerocket := func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.OS, c.Spec.Machine = v1alpha1.OSSpec{Distribution: "bottlerocket"}, nil
	}
	worker := w.boot("worker", false, bottlerocket)
	w.published(worker)
	var data struct {
		Settings struct {
			Kubernetes struct {
				Certificate string `toml:"cluster-certificate"`
				Token       string `toml:"bootstrap-token"`
			}
		}
	}
	w.Expect(toml.Unmarshal(w.data(worker).Data["value"], &data)).To(Succeed())
	given, err := base64.StdEncoding.DecodeString(data.Settings.Kubernetes.Certificate)
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(string(given)).To(Equal(string(w.data(w.name + "-ca").Data[corev1.TLSCertKey])))
	w.Expect(data.Settings.Kubernetes.Token).NotTo(BeEmpty())
	w.join(worker)
	plane := w.boot("plane", true, bottlerocket)
	w.Eventually(func() string {
		return w.message(plane)
	}).Should(ContainSubstring("Bottlerocket runs no control plane; use another operating system " +
		"for control plane machines"))
}
