package integration_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/s3server"
)

// stashed is a secret that only the final file may contain in clear.
const stashed = "stashed-canary7q9zk2xw5v"

// bucket makes a storage in a bucket of the server, and its credentials.
func (w *world) bucket(server *s3server.Server) *v1alpha1.S3BootstrapStorage {
	w.t.Helper()
	return w.bucketWithKey(server, s3server.SecretAccessKey)
}

func (w *world) bucketWithKey(server *s3server.Server, secret string) *v1alpha1.S3BootstrapStorage {
	w.t.Helper()
	s := &v1alpha1.S3BootstrapStorage{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "bucket"},
		Spec: v1alpha1.S3BootstrapStorageSpec{
			Bucket: "machines", Prefix: "boot", Endpoint: server.Endpoint, PathStyle: true,
			CertificateAuthority: string(server.CA),
			Credentials:          &v1alpha1.S3Credentials{SecretName: "s3-keys"},
		},
	}
	w.create(&corev1.Secret{ObjectMeta: bucketKeys(w.name, "s3-keys"), StringData: map[string]string{
		"accessKeyID": s3server.AccessKeyID, "secretAccessKey": secret,
	}}, s)
	return s
}

// bucketKeys returns the metadata of a Secret with the access key of a bucket.
func bucketKeys(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: namespace, Name: name,
		Labels: map[string]string{v1alpha1.StorageCredentialsLabel: "true"},
	}
}

func withStorage(c *v1alpha1.MachineBootstrapConfig) {
	c.Spec.StorageRef = &v1alpha1.StorageReference{APIGroup: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Name: "bucket"}
}

// stash makes a Secret with the planted secret; withSecretFile has the machine write it into a file.
func (w *world) stash() {
	w.t.Helper()
	w.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "app"},
		StringData: map[string]string{"app": stashed + "\n"},
	})
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
	t.Parallel()
	w, server := initialized(t, "stored"), s3server.Start(t, false, "machines")
	w.stash()
	name := w.boot("a", false, withStorage, withSecretFile)
	w.stalled(name, "StorageRefused", "there is no such storage")
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
	w.pauseAndWait(true, name)
	w.Expect(w.env.Client.Delete(t.Context(), c)).To(Succeed())
	w.Expect(w.env.Client.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: w.name,
		Name:      name + "-stored",
	}})).To(Succeed())
	w.Consistently(func() int { return len(w.objects(server)) }, observed).Should(Equal(1))
	w.pause(false)
	w.gone(server)
	w.Eventually(func() bool { return apierrors.IsNotFound(w.get("bucket", s)) }).Should(BeTrue())
	keys := &corev1.Secret{}
	w.Eventually(func() int {
		w.Expect(w.get("s3-keys", keys)).To(Succeed())
		return len(keys.Finalizers)
	}).Should(BeZero())
}

func TestStorageReportsProblems(t *testing.T) {
	t.Parallel()
	w, server := initialized(t, "refused"), s3server.Start(t, false, "machines", "others")
	s := w.bucketWithKey(server, "wrong")
	keys := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: "s3-keys"}}
	name := w.boot("a", false, withStorage)
	w.stalled(name, "StorageRefused", "the storage denies access (SignatureDoesNotMatch)")
	w.patch(keys, func() { keys.Data["secretAccessKey"] = []byte(s3server.SecretAccessKey) })
	w.published(name)

	w.patch(s, func() { s.Spec.Bucket = "nowhere" })
	w.Eventually(func() int64 { _ = w.get(s.Name, s); return s.Status.ObservedGeneration }).Should(Equal(s.Generation))
	other := w.boot("b", false, withStorage)
	w.stalled(other, "StorageRefused", "NoSuchBucket")

	// The object in the first bucket is deleted with its machine, and failed attempts elsewhere block no deletion.
	w.patch(s, func() { s.Spec.Bucket = "others" })
	w.published(other)
	for _, request := range []string{name, other} {
		w.Expect(w.env.Client.Delete(t.Context(),
			&v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: request}})).To(Succeed())
		w.Expect(w.env.Client.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
			Namespace: w.name,
			Name:      request + "-stored",
		}})).To(Succeed())
	}
	w.gone(server)
	w.Eventually(func() int { left, _ := server.Objects("others"); return len(left) }).Should(BeZero())
	for _, request := range []string{name, other} {
		w.Eventually(func() bool { return apierrors.IsNotFound(w.get(request+"-stored", &corev1.Secret{})) }).Should(BeTrue())
	}

	windows := w.boot("c", false, withStorage, func(c *v1alpha1.MachineBootstrapConfig) {
		c.Spec.OS = v1alpha1.OSSpec{Distribution: "windows-server-2025"}
	})
	w.stalled(windows, "InvalidSpec", "spec.storageRef")
}

// TestPoolsStubGoesWithTheToken has a pool's token replaced: the stub names another object, and the one before stays
// for machines that boot with the old userdata.
func TestPoolsStubGoesWithTheToken(t *testing.T) {
	t.Parallel()
	manage(t, "--bootstrap-token-ttl=30s")()
	w, server := initialized(t, "storedpool"), s3server.Start(t, false, "machines")
	w.bucket(server)
	name := w.pool("a", withStorage)
	c := w.published(name)
	before, token := w.data(name).Data["value"], w.token(name)
	w.Expect(w.env.Client.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: token.Namespace,
		Name:      token.Name,
	}})).To(Succeed())
	w.Eventually(func() bool {
		return w.token(name) != token && !bytes.Equal(before, w.data(name).Data["value"])
	}).Should(BeTrue())
	w.Expect(w.objects(server)).To(HaveLen(2))
	w.Expect(w.published(name).Status.Ready).To(BeTrue())
	w.Expect(w.env.Client.Delete(t.Context(), c)).To(Succeed())
	w.gone(server)
}

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

// apply applies the files of a configuration in an empty tree with the agent, and returns the file and the output.
func (w *world) apply(config, passphrase string) (file, message string) {
	w.t.Helper()
	program, err := programs.Build(w.t.Context(), "machineadm")
	w.Expect(err).NotTo(HaveOccurred(), program)
	root := w.t.TempDir()
	for _, dir := range []string{"etc/machineadm", "etc/kubernetes", "var/lib", "run", "tmp"} {
		w.Expect(os.MkdirAll(filepath.Join(root, dir), 0o755)).To(Succeed())
	}
	w.Expect(os.WriteFile(filepath.Join(root, "etc/os-release"), []byte("ID=debian\nVERSION_ID=12\n"),
		0o600)).To(Succeed())
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
