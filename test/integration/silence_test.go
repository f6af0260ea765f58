package integration_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/s3server"
)

// The secrets that the manager makes or is given, beside what is planted.
const (
	secretToken      = "the secret half of a token"
	secretKeyOfCA    = "a private key"
	secretSignature  = "the signature of an address"
	secretCredential = "a credential for reports"
	secretAccessKey  = "an access key"
	secretSigningKey = "the key that signs addresses"
	secretMade       = "what userdata holds"
)

// secretsIn returns what a Secret holds that must not be seen, by what it is.
func secretsIn(s corev1.Secret) map[string]string {
	found := map[string]string{
		secretToken: string(s.Data["token-secret"]), secretAccessKey: string(s.Data["secretAccessKey"]),
		secretCredential: string(s.Data["private-data"]), secretSignature: signature(string(s.Data["url"])),
	}
	if lines := strings.Split(string(s.Data["tls.key"]), "\n"); len(lines) > 2 {
		found[secretKeyOfCA] = lines[1]
	}
	if s.Name == "machineadm-endpoint-key" {
		found[secretSigningKey] = string(s.Data["key"])
	}
	return found
}

// signature returns what makes an address good.
func signature(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Query().Get("X-Amz-Signature") + u.Query().Get("signature")
}

// secrets returns all that must not be seen, by what it is. Other tests have keys that are words.
func (w *world) secrets() map[string][]string {
	all := map[string][]string{}
	var list corev1.SecretList
	w.Expect(w.env.Client.List(w.t.Context(), &list)).To(Succeed())
	for _, s := range list.Items {
		for what, secret := range secretsIn(s) {
			if len(secret) >= 16 {
				all[what] = append(all[what], secret)
			}
		}
		all[secretMade] = append(all[secretMade], canary.SecretsIn(string(s.Data["value"]))...)
	}
	return all
}

// silent checks that no output of the manager contains a secret. At least one secret of each of the kinds must exist.
func (w *world) silent(t *testing.T, kinds ...string) {
	t.Helper()
	known := w.secrets()
	for _, kind := range append(kinds, secretToken, secretKeyOfCA, secretMade) {
		w.Expect(known[kind]).NotTo(BeEmpty(), kind)
	}
	for place, text := range w.spoken() {
		for kind, secrets := range known {
			s, err := canary.For(secrets...)
			w.Expect(err).NotTo(HaveOccurred(), kind)
			for _, sighting := range s.In(text) {
				t.Errorf("%s shows what was planted, or %s: %s", place, kind, sighting)
			}
		}
	}
}

// hiding has the machine write a file of what is planted, and report.
func hiding(c *v1alpha1.MachineBootstrapConfig) {
	reporting(c)
	key := secretKey("words")
	c.Spec.Machine.Files = []v1alpha1.FileSpec{{Path: "/etc/good", ContentFrom: &v1alpha1.ContentSource{Secret: &key}}}
}

// storedIn has a storage of the kind keep what the machine fetches.
func storedIn(kind, name string) func(*v1alpha1.MachineBootstrapConfig) {
	return func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.StorageRef = &v1alpha1.StorageReference{APIGroup: v1alpha1.Group, Kind: kind, Name: name}
	}
}

// sealing has the agent's configuration encrypted with a passphrase.
func sealing(c *v1alpha1.MachineBootstrapConfig) {
	passphrase := secretKey("words")
	c.Spec.OS = v1alpha1.OSSpec{Distribution: "debian", Version: "12"}
	c.Spec.Delivery = &v1alpha1.DeliverySpec{Mode: "Agent", Encryption: &v1alpha1.DeliveryEncryption{
		Provider: "file", PassphraseURI: "file:///etc/site", Iterations: 50000, PassphraseSecretRef: &passphrase,
	}}
}

// TestNoSecretOfStorageIsSeen has machines fetch what is stored, decrypt it and report, well and not so well: signed
// addresses, credentials and passphrases are seen nowhere.
func TestNoSecretOfStorageIsSeen(t *testing.T) {
	t.Parallel()
	e := shared().endpoint
	w, server := initialized(t, "silence"), s3server.Start(t, false, "machines")
	good := w.bucket(server)
	bad := &v1alpha1.S3BootstrapStorage{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "bad"}, Spec: good.Spec}
	bad.Spec.Credentials = &v1alpha1.S3Credentials{SecretName: "bad"}
	w.create(
		&corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "words"},
			StringData: map[string]string{"text": planted + "-a-passphrase"},
		},
		&corev1.Secret{ObjectMeta: bucketKeys(w.name, "bad"), StringData: map[string]string{
			"accessKeyID": s3server.AccessKeyID, "secretAccessKey": "bad-" + planted,
		}},
		bad, &v1alpha1.EndpointBootstrapStorage{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "here"}},
	)
	stored := w.boot("kept", false, hiding, storedIn(v1alpha1.S3StorageKind, good.Name))
	sealed := w.boot("sealed", false, hiding, storedIn(v1alpha1.S3StorageKind, good.Name), sealing)
	here := w.boot("here", false, hiding, storedIn(v1alpha1.EndpointStorageKind, "here"))
	refused := w.boot("refused", false, hiding, storedIn(v1alpha1.S3StorageKind, bad.Name))
	for _, name := range []string{stored, sealed, here} {
		w.published(name)
	}
	w.stalled(refused, "StorageRefused", "")
	shown := string(w.data(stored + "-stored").Data["private-data"])
	w.Expect(w.send(e, stored, shown, reportFailed)).To(Equal(http.StatusNoContent))
	w.reached(stored, "BootstrapSucceeded", "JoinFailed")
	w.Expect(w.send(e, stored, shown+planted, reportFailed)).To(Equal(http.StatusUnauthorized))
	address := string(w.data(here + "-stored").Data["url"])
	w.Expect(w.fetch(e, address)).To(ContainSubstring(planted))
	w.Expect(w.fetch(e, address+planted)).To(Equal("403 Forbidden"))
	w.silent(t, secretSignature, secretCredential, secretAccessKey, secretSigningKey)
}
