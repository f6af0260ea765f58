package integration_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract/conformance"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/storage/s3"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/s3server"
)

// TestAgentDecryptsWhatIsStored goes the whole way: the controller encrypts and uploads, the agent fetches, checks,
// decrypts and applies; and each way in which that goes wrong ends in an error of its own, with nothing applied.
func TestAgentDecryptsWhatIsStored(t *testing.T) {
	t.Parallel()
	const passphrase = "correct-horse-battery-staple"
	w, server := initialized(t, "sealed"), s3server.Start(t, false, "machines")
	w.bucket(server)
	w.stash()
	w.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "passphrase"},
		StringData: map[string]string{"value": passphrase},
	})
	encrypted := func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.OS = v1alpha1.OSSpec{Distribution: "debian", Version: "12"}
		c.Spec.Delivery = &v1alpha1.DeliverySpec{Mode: "Agent", Encryption: &v1alpha1.DeliveryEncryption{
			Provider: "file", PassphraseURI: "file:///etc/machineadm/passphrase", Iterations: 50000,
			PassphraseSecretRef: &v1alpha1.KeyReference{Name: "passphrase", Key: "value"},
		}}
	}
	ours, theirs := w.boot("ours", false, withStorage, withSecretFile, encrypted), w.boot("theirs", false, withStorage,
		withSecretFile, encrypted)
	w.published(ours)
	w.published(theirs)
	for name, data := range w.objects(server) {
		w.Expect(string(data)).To(ContainSubstring("EncryptedConfig"), name)
		w.Expect(bytes.Contains(data, []byte(stashed))).To(BeFalse(), "%s holds the secret in clear", name)
	}
	for _, name := range []string{ours, theirs} {
		w.Expect(bytes.Contains(w.data(name).Data["value"], []byte(stashed))).To(BeFalse())
		w.Expect(bytes.Contains(w.data(name + "-stored").Data["value"], []byte(stashed))).To(BeFalse())
	}
	config := configuration(w, ours)
	file, message := w.apply(config, passphrase)
	w.Expect(file).To(Equal(stashed+"\n"), message)

	other := remote(w, configuration(w, theirs))
	mine := remote(w, config)
	deny := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(deny.Close)
	object := func(name string) string {
		for path := range w.objects(server) {
			if strings.Contains(path, "/"+name+"-stored/") {
				return filepath.Join(server.Dir, "machines", path)
			}
		}
		t.Fatalf("no object of %s", name)
		return ""
	}
	path := object(ours)
	stored, err := os.ReadFile(path)
	w.Expect(err).NotTo(HaveOccurred())
	spoilt := func(change func([]byte) []byte) func() string {
		return func() string {
			w.Expect(os.WriteFile(path, change(bytes.Clone(stored)), 0o600)).To(Succeed())
			return config
		}
	}
	cases := map[string]struct {
		reason, passphrase string
		config             func() string
		want               string
	}{
		"flipped": {"one bit is another", passphrase, spoilt(func(b []byte) []byte {
			b[len(b)/2] ^= 1
			return b
		}), "sha256 mismatch"},
		"truncated": {
			"an end is missing", passphrase, spoilt(func(b []byte) []byte { return b[:len(b)-1] }),
			"sha256 mismatch",
		},
		"forged": {"who can write the stub's digest has no key", passphrase, func() string {
			forged := bytes.Replace(stored, []byte("ciphertext: "), []byte("ciphertext: AAAA"), 1)
			sum := sha256.Sum256(forged)
			w.Expect(os.WriteFile(path, forged, 0o600)).To(Succeed())
			return strings.Replace(config, "sha256: "+mine.SHA256, "sha256: "+hex.EncodeToString(sum[:]), 1)
		}, "cannot be decrypted"},
		"replayed": {"it is another machine's", passphrase, func() string {
			return strings.NewReplacer(mine.URI, other.URI, "sha256: "+mine.SHA256, "sha256: "+other.SHA256).Replace(config)
		}, "cannot be decrypted"},
		"signature": {"the credentials were others", passphrase, func() string {
			return strings.Replace(config, "X-Amz-Signature=", "X-Amz-Signature=0", 1)
		}, "the server denies it"},
		"expired": {"the machine is late", passphrase, func() string {
			storage, err := s3.New(t.Context(), s3.Options{
				Bucket: "machines", Endpoint: server.Endpoint, Endpoints: server.Listed(t), PathStyle: true, CABundle: server.CA,
				Clock: wallClock{},
				Keys:  &s3.Keys{AccessKeyID: s3server.AccessKeyID, SecretAccessKey: secret.FromString(s3server.SecretAccessKey)},
			})
			w.Expect(err).NotTo(HaveOccurred())
			late, err := storage.Locate(t.Context(), strings.TrimPrefix(path, filepath.Join(server.Dir, "machines")+"/"),
				time.Second)
			w.Expect(err).NotTo(HaveOccurred())
			time.Sleep(2 * time.Second)
			return strings.Replace(config, mine.URI, string(late.URL.Reveal()), 1)
		}, "the server denies it"},
		"gone": {"it was deleted", passphrase, func() string {
			return strings.Replace(config, mine.URI, deny.URL, 1)
		}, "the server does not have it"},
		"no key": {"the key is not there", "", func() string { return config }, "passphrase"},
		"wrong key": {"it is another key", "another-passphrase-of-people", func() string {
			return config
		}, "cannot be decrypted"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.Expect(os.WriteFile(path, stored, 0o600)).To(Succeed())
			file, message := w.apply(tc.config(), tc.passphrase)
			if file != "" || !strings.Contains(message, tc.want) {
				t.Errorf("%s: %q\n%s", tc.reason, file, message)
			}
		})
	}
	w.Expect(w.env.Client.Delete(t.Context(), &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.name,
		Name:      ours,
	}}, &client.DeleteOptions{
		PropagationPolicy: ptr.To(metav1.DeletePropagationBackground),
	})).To(Succeed())
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

// remote returns the reference in a configuration.
func remote(w *world, config string) indirect.RemoteConfig {
	w.t.Helper()
	docs, found := codec.Codec{}.Decode(w.t.Context(), []byte(config))
	w.Expect(found.HasErrors()).To(BeFalse(), "%v", found)
	c, _, is := document.First[indirect.RemoteConfig](docs)
	w.Expect(is).To(BeTrue())
	return c
}

// TestStorageContract holds our own storage to the suite that others are held to.
func TestStorageContract(t *testing.T) {
	t.Parallel()
	w, server := newWorld(t, "contract-s3"), s3server.Start(t, false, "machines")
	w.bucket(server)
	probe := w.boot("probe", true)
	conformance.Test(t, conformance.Options{
		Client: w.env.Client, Namespace: w.name, Cluster: w.name, Patience: patience,
		Storage: storagecontract.Storage{Group: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Name: "bucket"},
		Pause:   func(_ context.Context, paused bool) error { w.pauseAndWait(paused, probe); return nil },
	})
	w.gone(server)
}
