package integration_test

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
)

// sitePhrase is the passphrase that machines of the tests have in a file.
const sitePhrase = "a passphrase of the site"

// byAgent selects the agent, with the encryption and further changes.
func byAgent(e *v1alpha1.DeliveryEncryption,
	change ...func(*v1alpha1.MachineBootstrapConfig),
) func(*v1alpha1.MachineBootstrapConfig) {
	return func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.Delivery = &v1alpha1.DeliverySpec{Mode: "Agent", Encryption: e}
		key := secretKey("plain")
		c.Spec.Machine.Files = []v1alpha1.FileSpec{{Path: "/etc/app", ContentFrom: &v1alpha1.ContentSource{Secret: &key}}}
		for _, f := range change {
			f(c)
		}
	}
}

// laid returns the file that cloud-init writes for the agent.
func laid(w *world, name string) []byte {
	var c struct {
		Files []struct{ Path, Content string } `json:"write_files"`
	}
	w.Expect(yaml.Unmarshal(w.data(name).Data["value"], &c)).To(Succeed())
	for _, f := range c.Files {
		if f.Path == "/root/.machineadm/etc/machineadm/machineadm_config.yaml" {
			return []byte(f.Content)
		}
	}
	return nil
}

// TestEncryptedDelivery has the controller encrypt: what it publishes shows no secret, opens for its machine, and for
// no other.
func TestEncryptedDelivery(t *testing.T) {
	t.Parallel()
	w := initialized(t, "encrypted")
	for name, text := range map[string]string{"plain": planted, "site": sitePhrase + "\n"} {
		w.create(&corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name},
			StringData: map[string]string{"text": text},
		})
	}
	phrase := secretKey("site")
	name := w.boot("a", false, byAgent(&v1alpha1.DeliveryEncryption{
		Provider: "file", PassphraseURI: "file:///etc/site/passphrase", PassphraseSecretRef: &phrase,
	}))
	c := w.published(name)
	w.Expect(string(w.data(name).Data["value"])).NotTo(Or(ContainSubstring(planted), ContainSubstring(sitePhrase)))

	docs, found := codec.Codec{}.Decode(t.Context(), laid(w, name))
	w.Expect(found.HasErrors()).To(BeFalse(), found.String())
	identity, _, _ := document.First[indirect.MachineIdentity](docs)
	w.Expect(identity.Machine).To(Equal(strings.Join([]string{w.name, name, string(c.UID)}, "/")))
	sealed, _, is := document.First[indirect.EncryptedConfig](docs)
	w.Expect(is).To(BeTrue())
	w.Expect(identity.Admits(sealed, "")).To(BeEmpty())
	_, err := seal.Open(sealed, secret.FromString(sitePhrase), w.name+"/other")
	w.Expect(err).To(HaveOccurred())
	packed, err := seal.Open(sealed, secret.FromString(sitePhrase), identity.Machine)
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(w.unpack(packed)).To(And(ContainSubstring(planted), ContainSubstring("kind: NodeConfig")))
	w.silent(t)
}

// TestUnavailableKey shows on the config, and publishes nothing.
func TestUnavailableKey(t *testing.T) {
	t.Parallel()
	w := initialized(t, "keyless")
	w.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "plain"},
		StringData: map[string]string{"text": planted},
	})
	name := w.boot("a", false, byAgent(&v1alpha1.DeliveryEncryption{Provider: "nobody", Key: "k"}))
	w.stalled(name, "KeyRefused", "--kms-identity-namespaces")
}

// TestBootstrapTemplate has the controller fill in the user's own text, and wait for it.
func TestBootstrapTemplate(t *testing.T) {
	t.Parallel()
	w := initialized(t, "template")
	w.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "plain"},
		StringData: map[string]string{"text": planted},
	})
	name := w.boot("a", false, byAgent(nil, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.TemplateRef = &v1alpha1.TemplateReference{Kind: "ConfigMap", Name: "bootstrap"}
	}))
	w.Eventually(func() string { return w.reason(name) }).Should(Equal("WaitingForReference"))
	w.create(&corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "bootstrap"},
		Data: map[string]string{
			"template": "#!/bin/sh\numask 077\nbase64 -d >/etc/c <<E\n{{ machine_config | base64 }}\nE\n",
		},
	})
	w.published(name)
	w.Expect(string(w.data(name).Data["value"])).To(And(HavePrefix("#!/bin/sh\numask 077\nbase64 -d >/etc/c <<E\nLS0t"),
		HaveSuffix("\nE\n")))
}
