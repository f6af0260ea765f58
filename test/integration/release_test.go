package integration_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// publishedRelease is a release: its checksums, their signature and the key, as a ConfigMap has them.
func publishedRelease(t *testing.T, digest string) map[string]string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sums := digest + "  machineadm-linux-amd64\n"
	sum := sha256.Sum256([]byte(sums))
	created, err := ecdsa.SignASN1(rand.Reader, key, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"sums": sums, "signature": base64.StdEncoding.EncodeToString(created),
		"key": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})),
	}
}

// byRelease has the machine fetch the agent of the release.
func byRelease(c *v1alpha1.MachineBootstrapConfig) {
	from := func(key string) v1alpha1.ContentSource {
		return v1alpha1.ContentSource{ConfigMap: &v1alpha1.KeyReference{Name: "release", Key: key}}
	}
	c.Spec.OS = v1alpha1.OSSpec{Distribution: "debian", Architecture: "amd64"}
	c.Spec.Delivery = &v1alpha1.DeliverySpec{Mode: "Agent", Compression: "None", Agent: &v1alpha1.DeliveryAgent{
		Source: "Fetch", Fetch: &v1alpha1.AgentFetch{
			URL: "https://mirror.example/machineadm",
			Release: &v1alpha1.AgentRelease{
				ChecksumsFrom: from("sums"), SignatureFrom: from("signature"), PublicKeyFrom: from("key"),
			},
		},
	}}
}

// TestAgentOfAnUnsignedReleaseIsNotPinned changes the checksums of a release: no machine gets that digest, and the
// config reports the remedy. With the signed checksums the machine gets their digest.
func TestAgentOfAnUnsignedReleaseIsNotPinned(t *testing.T) {
	t.Parallel()
	w := common(t, "release")
	good, bad := strings.Repeat("0a", 32), strings.Repeat("0b", 32)
	release := publishedRelease(t, good)
	signed := release["sums"]
	release["sums"] = strings.ReplaceAll(signed, good, bad)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "release"}, Data: release}
	w.create(object)
	name := w.on("AzureMachine", "a", byRelease)
	message := w.stalled(name, "InvalidSpec", "spec.delivery.agent.fetch.release.signatureFrom: the signature of the "+
		"checksums does not match the key")
	w.Expect(message).To(ContainSubstring("take the checksums and the signature from one release"))

	w.patch(object, func() { object.Data["sums"] = signed })
	w.published(name)
	userdata := string(w.data(name).Data["value"])
	w.Expect(userdata).To(And(ContainSubstring(good), Not(ContainSubstring(bad))))
}
