package integration_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/s3server"
)

// stashed is a secret that must stand nowhere in clear where it should not.
const stashed = "stashed-canary7q9zk2xw5v"

// bucket makes a storage in a bucket of the server, and its credentials.
func (w *world) bucket(server *s3server.Server) *v1alpha1.S3BootstrapStorage {
	w.t.Helper()
	s := &v1alpha1.S3BootstrapStorage{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "bucket"},
		Spec: v1alpha1.S3BootstrapStorageSpec{
			Bucket: "machines", Prefix: "boot", Endpoint: server.Endpoint, PathStyle: true, CertificateAuthority: string(server.CA),
			Credentials: &v1alpha1.S3Credentials{SecretName: "s3-keys"},
		},
	}
	w.create(&corev1.Secret{ObjectMeta: bucketKeys(w.name, "s3-keys"), StringData: map[string]string{
		"accessKeyID": s3server.AccessKeyID, "secretAccessKey": s3server.SecretAccessKey,
	}}, s)
	return s
}

// bucketKeys returns the metadata of a Secret with the access key of a bucket.
func bucketKeys(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{v1alpha1.StorageCredentialsLabel: "true"}}
}

func withStorage(c *v1alpha1.MachineBootstrapConfig) {
	c.Spec.StorageRef = &v1alpha1.StorageReference{APIGroup: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Name: "bucket"}
}

// stash makes a Secret with the planted secret; withSecretFile has the machine write it into a file.
func (w *world) stash() {
	w.t.Helper()
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "app"}, StringData: map[string]string{"app": stashed + "\n"}})
}

func withSecretFile(c *v1alpha1.MachineBootstrapConfig) {
	from := &v1alpha1.ContentSource{Secret: &v1alpha1.KeyReference{Name: "app", Key: "app"}}
	c.Spec.Machine.Files = append(c.Spec.Machine.Files, v1alpha1.FileSpec{Path: "/etc/app", ContentFrom: from})
}

func (w *world) objects(server *s3server.Server) map[string][]byte {
	w.t.Helper()
	objects, err := server.Objects("machines")
	w.Expect(err).NotTo(HaveOccurred())
	return objects
}

// gone waits until nothing is left in the bucket.
func (w *world) gone(server *s3server.Server) {
	w.t.Helper()
	w.Eventually(func() int { return len(w.objects(server)) }).Should(BeZero())
}

func TestStoredDataGoesWithItsMachine(t *testing.T) {
	w, server := initialized(t, "stored"), s3server.Start(t, false, "machines")
	w.stash()
	name := w.boot("a", false, withStorage, withSecretFile)
	w.Expect(w.stalled(name, "StorageRefused")).To(ContainSubstring("there is no such storage"))
	s := w.bucket(server)
	c := w.published(name)
	stub := w.data(name).Data["value"]
	w.Expect(len(stub)).To(BeNumerically("<", 6<<10))
	w.Expect(c.Status.Payload.Bytes).To(BeEquivalentTo(len(stub)))
	w.Expect(string(stub)).NotTo(ContainSubstring(stashed))
	w.Expect(string(w.data(name + "-stored").Data["value"])).To(HavePrefix("#cloud-config\n"))
	w.Expect(w.objects(server)).To(HaveLen(1))

	// A bucket goes after what is in it, and deletion while paused deletes nothing.
	w.Expect(w.env.Client.Delete(t.Context(), s)).To(Succeed())
	w.pause(true)
	w.Expect(w.env.Client.Delete(t.Context(), c)).To(Succeed())
	w.Expect(w.env.Client.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name + "-stored"}})).To(Succeed())
	w.Consistently(func() int { return len(w.objects(server)) }, observed).Should(Equal(1))
	w.pause(false)
	w.gone(server)
	w.Eventually(func() bool { return apierrors.IsNotFound(w.get("bucket", s)) }).Should(BeTrue())
	keys := &corev1.Secret{}
	w.Eventually(func() int { w.Expect(w.get("s3-keys", keys)).To(Succeed()); return len(keys.Finalizers) }).Should(BeZero())
}

func TestStorageTellsWhatIsWrong(t *testing.T) {
	w, server := initialized(t, "refused"), s3server.Start(t, false, "machines", "others")
	s := w.bucket(server)
	keys := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "s3-keys"}}
	w.patch(keys, func() { keys.Data["secretAccessKey"] = []byte("wrong") })
	name := w.boot("a", false, withStorage)
	w.Expect(w.stalled(name, "StorageRefused")).To(ContainSubstring("the storage denies access (SignatureDoesNotMatch)"))
	w.patch(keys, func() { keys.Data["secretAccessKey"] = []byte(s3server.SecretAccessKey) })
	w.published(name)

	w.patch(s, func() { s.Spec.Bucket = "nowhere" })
	other := w.boot("b", false, withStorage)
	w.Expect(w.stalled(other, "StorageRefused")).To(ContainSubstring("NoSuchBucket"))

	// What is in the bucket before goes with its machine, and what was tried elsewhere holds up nobody.
	w.patch(s, func() { s.Spec.Bucket = "others" })
	w.published(other)
	for _, deposit := range []string{name, other} {
		w.Expect(w.env.Client.Delete(t.Context(), &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: deposit}})).To(Succeed())
		w.Expect(w.env.Client.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: deposit + "-stored"}})).To(Succeed())
	}
	w.gone(server)
	w.Eventually(func() int { left, _ := server.Objects("others"); return len(left) }).Should(BeZero())
	for _, deposit := range []string{name, other} {
		w.Eventually(func() bool { return apierrors.IsNotFound(w.get(deposit+"-stored", &corev1.Secret{})) }).Should(BeTrue())
	}

	windows := w.boot("c", false, withStorage, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.OS = v1alpha1.OSSpec{Distribution: "windows-server-2025"}
	})
	w.Expect(w.stalled(windows, "InvalidSpec")).To(ContainSubstring("spec.storageRef"))
}

// TestPoolsStubGoesWithTheToken has a pool's token replaced: the stub names another object, and the one before stays for machines
// that boot with the old userdata.
func TestPoolsStubGoesWithTheToken(t *testing.T) {
	manage(t, "--bootstrap-token-ttl=30s")()
	w, server := initialized(t, "storedpool"), s3server.Start(t, false, "machines")
	w.bucket(server)
	name := w.pool("a", withStorage)
	c := w.published(name)
	before, token := w.data(name).Data["value"], w.token(name)
	w.Expect(w.env.Client.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: token.Namespace, Name: token.Name}})).To(Succeed())
	w.Eventually(func() bool { return w.token(name) != token && !bytes.Equal(before, w.data(name).Data["value"]) }).Should(BeTrue())
	w.Expect(w.objects(server)).To(HaveLen(2))
	w.Expect(w.published(name).Status.Ready).To(BeTrue())
	w.Expect(w.env.Client.Delete(t.Context(), c)).To(Succeed())
	w.gone(server)
}

// agent builds the agent, once.
var agent = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "machineadm-agent-")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "machineadm")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/machineadm")
	cmd.Dir = controlplane.Root()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return program, nil
})

// configuration returns what the agent starts with, from cloud-config.
func configuration(w *world, name string) string {
	w.t.Helper()
	var userdata struct {
		WriteFiles []struct{ Path, Content, Encoding string } `yaml:"write_files"`
	}
	w.Expect(yaml.Unmarshal(w.data(name).Data["value"], &userdata)).To(Succeed())
	for _, f := range userdata.WriteFiles {
		if f.Path == "/root/.machineadm/etc/machineadm/machineadm_config.yaml" {
			w.Expect(f.Encoding).To(Equal("gz+b64"))
			packed, err := base64.StdEncoding.DecodeString(f.Content)
			w.Expect(err).NotTo(HaveOccurred())
			return w.unpack(packed)
		}
	}
	w.t.Fatalf("no configuration in the userdata of %s", name)
	return ""
}

func (w *world) unpack(packed []byte) string {
	w.t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	w.Expect(err).NotTo(HaveOccurred())
	text, err := io.ReadAll(z)
	w.Expect(err).NotTo(HaveOccurred())
	return string(text)
}

// apply has the agent bring about the files of a configuration in an empty tree, and returns what it wrote and said.
func (w *world) apply(config, passphrase string) (file, said string) {
	w.t.Helper()
	program, err := agent()
	w.Expect(err).NotTo(HaveOccurred(), program)
	root := w.t.TempDir()
	for _, dir := range []string{"etc/machineadm", "etc/kubernetes", "var/lib", "run", "tmp"} {
		w.Expect(os.MkdirAll(filepath.Join(root, dir), 0o755)).To(Succeed())
	}
	w.Expect(os.WriteFile(filepath.Join(root, "etc/os-release"), []byte("ID=debian\nVERSION_ID=12\n"), 0o600)).To(Succeed())
	if passphrase != "" {
		w.Expect(os.WriteFile(filepath.Join(root, "etc/machineadm/passphrase"), []byte(passphrase), 0o600)).To(Succeed())
	}
	path := filepath.Join(root, "etc/machineadm/machineadm_config.yaml")
	w.Expect(os.WriteFile(path, []byte(config), 0o600)).To(Succeed())
	out, _ := exec.Command(program, "apply", "--root", root, "--path", path, "--phase", "file").CombinedOutput()
	content, _ := os.ReadFile(filepath.Join(root, "etc/app"))
	w.Expect(string(out)).NotTo(ContainSubstring("X-Amz-Signature"))
	return string(content), string(out)
}

// TestAgentDecryptsWhatIsStored goes the whole way: the controller encrypts and uploads, the agent fetches, checks, decrypts and
// applies; and each way in which that goes wrong ends in an error of its own, with nothing applied.
func TestAgentDecryptsWhatIsStored(t *testing.T) {
	const passphrase = "correct-horse-battery-staple"
	w, server := initialized(t, "sealed"), s3server.Start(t, false, "machines")
	w.bucket(server)
	w.stash()
	w.create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "passphrase"}, StringData: map[string]string{"value": passphrase}})
	encrypted := func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.OS = v1alpha1.OSSpec{Distribution: "debian", Version: "12"}
		c.Spec.Delivery = &v1alpha1.DeliverySpec{Mode: "Agent", Encryption: &v1alpha1.DeliveryEncryption{
			Provider: "file", PassphraseURI: "file:///etc/machineadm/passphrase", Iterations: 50000,
			PassphraseSecretRef: &v1alpha1.KeyReference{Name: "passphrase", Key: "value"},
		}}
	}
	ours, theirs := w.boot("ours", false, withStorage, withSecretFile, encrypted), w.boot("theirs", false, withStorage, withSecretFile, encrypted)
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
	file, said := w.apply(config, passphrase)
	w.Expect(file).To(Equal(stashed+"\n"), said)

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
		"flipped":   {"one bit is another", passphrase, spoilt(func(b []byte) []byte { b[len(b)/2] ^= 1; return b }), "its SHA-256 is another one"},
		"truncated": {"an end is missing", passphrase, spoilt(func(b []byte) []byte { return b[:len(b)-1] }), "its SHA-256 is another one"},
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
				Bucket: "machines", Endpoint: server.Endpoint, Endpoints: server.Listed(t), PathStyle: true, CABundle: server.CA, Clock: wallClock{},
				Keys: &s3.Keys{AccessKeyID: s3server.AccessKeyID, SecretAccessKey: secret.FromString(s3server.SecretAccessKey)},
			})
			w.Expect(err).NotTo(HaveOccurred())
			late, err := storage.Locate(t.Context(), strings.TrimPrefix(path, filepath.Join(server.Dir, "machines")+"/"), time.Second)
			w.Expect(err).NotTo(HaveOccurred())
			time.Sleep(2 * time.Second)
			return strings.Replace(config, mine.URI, string(late.URL.Reveal()), 1)
		}, "the server denies it"},
		"gone":      {"it was deleted", passphrase, func() string { return strings.Replace(config, mine.URI, deny.URL, 1) }, "the server does not have it"},
		"no key":    {"the key is not there", "", func() string { return config }, "passphrase"},
		"wrong key": {"it is another key", "another-passphrase-of-people", func() string { return config }, "cannot be decrypted"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w.Expect(os.WriteFile(path, stored, 0o600)).To(Succeed())
			file, said := w.apply(tc.config(), tc.passphrase)
			if file != "" || !strings.Contains(said, tc.want) {
				t.Errorf("%s: %q\n%s", tc.reason, file, said)
			}
		})
	}
	w.Expect(w.env.Client.Delete(t.Context(), &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: ours}}, &client.DeleteOptions{
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
	w, server := newWorld(t, "contract-s3"), s3server.Start(t, false, "machines")
	w.bucket(server)
	conformance.Test(t, conformance.Options{
		Client: w.env.Client, Namespace: w.name, Cluster: w.name, Patience: patience,
		Storage: storagecontract.Storage{Group: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Name: "bucket"},
		Pause:   func(_ context.Context, paused bool) error { w.pause(paused); return nil },
	})
	w.gone(server)
}
