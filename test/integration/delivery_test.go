package integration_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// large returns text of about that many bytes, of which compression takes away not quite a half.
func large(size int) string {
	var b strings.Builder
	for sum := sha256.Sum256([]byte("large")); b.Len() < size; sum = sha256.Sum256(sum[:]) {
		b.WriteString(hex.EncodeToString(sum[:]) + "\n")
	}
	return b.String()
}

func withFile(content string) func(*v1alpha1.MachineBootstrapConfig) {
	return func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.Machine.Files = []v1alpha1.FileSpec{{Path: "/etc/large", Content: content}}
	}
}

// on makes a config and a machine whose infrastructure object is of the kind, which nothing here makes, and returns
// their name.
func (w *world) on(kind, name string, change ...func(*v1alpha1.MachineBootstrapConfig)) string {
	w.t.Helper()
	m, _ := w.machine(name, false)
	m.Spec.InfrastructureRef.Kind = kind
	w.create(w.config(name, change...), m)
	return m.Name
}

// stalled waits until the config has the reason, with a message that contains the text, and no data. It returns the
// message.
func (w *world) stalled(name, reason, text string) string {
	w.t.Helper()
	var message string
	w.Eventually(func(g Gomega) {
		c := &v1alpha1.MachineBootstrapConfig{}
		g.Expect(w.get(name, c)).To(Succeed())
		g.Expect(conditions.GetReason(c, "Ready")).To(Equal(reason))
		condition := conditions.Get(c, "DataSecretAvailable")
		g.Expect(condition).To(And(HaveField("Status", metav1.ConditionFalse), HaveField("Reason", reason)))
		g.Expect(condition.Message).To(ContainSubstring(text))
		message = condition.Message
	}).Should(Succeed())
	w.Expect(apierrors.IsNotFound(w.get(name, &corev1.Secret{}))).To(BeTrue())
	return message
}

func TestPayloadThatIsTooLargeIsNotPublished(t *testing.T) {
	t.Parallel()
	w := common(t, "too-large")
	name := w.on("HCloudMachine", "a", withFile(large(40000)), func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.Delivery = &v1alpha1.DeliverySpec{Compression: "None"}
	})
	message := w.stalled(name, "PayloadTooLarge", "more than the limit of HCloudMachine, which is 32768")
	w.Expect(message).To(ContainSubstring("the largest parts: spec.machine.files[0] 4"))

	c := &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name}}
	w.patch(c, func() { c.Spec.Delivery = nil })
	c = w.published(name)
	w.Expect(c.Status.Payload.Envelope).To(Equal("gzip+base64"))
	w.Expect(c.Status.Payload.Bytes).To(BeNumerically("<=", 32768))
	w.Expect(string(w.data(name).Data["format"])).To(Equal("cloud-config"))
}

func TestPayloadIsCompressedWhereItHasToBe(t *testing.T) {
	t.Parallel()
	w := common(t, "compressed")
	name := w.pool("a", withFile(large(100000)))
	w.published(name)
	w.Expect(string(w.data(name).Data["value"])).To(HavePrefix("#cloud-config\n"))

	name = w.on("AzureMachine", "b", withFile(large(100000)))
	c := w.published(name)
	w.Expect(c.Status.Payload.Envelope).To(Equal("gzip"))
	r, err := gzip.NewReader(bytes.NewReader(w.data(name).Data["value"]))
	w.Expect(err).NotTo(HaveOccurred())
	text, err := io.ReadAll(r)
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(string(text)).To(HavePrefix("#cloud-config\n"))
}

// A machine that its provider would make without userdata, or not at all, shows why.
func TestFormatThatTheInfrastructureDoesNotHandOver(t *testing.T) {
	t.Parallel()
	w := common(t, "undelivered")
	ignition := func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.OS = v1alpha1.OSSpec{Distribution: "flatcar", Version: "4230.2.0"}
	}
	docker := w.on("DockerMachine", "a", ignition)
	w.stalled(docker, "InvalidSpec", "does not deliver the format ignition to machines of the kind DockerMachine")
	vsphere := w.on("VSphereMachine", "b", ignition)
	w.published(vsphere)
	w.Expect(string(w.data(vsphere).Data["format"])).To(Equal("ignition"))
}
