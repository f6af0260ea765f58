//go:build linux && e2e

package controlplanes_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/planes"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/s3server"
)

// recovery is a cluster with snapshots, and the directory of the person who recovers it.
type recovery struct {
	*planes.Cluster
	t      *testing.T
	bucket *s3server.Server
	dir    string
}

// TestRecover loses two of three members, and restores a snapshot from the bucket with the commands of the guide. What
// was written before the snapshot is there, and what was written afterwards is not. Then the control plane grows back.
func TestRecover(t *testing.T) {
	w := planes.New(t)
	r := &recovery{t: t, bucket: s3server.Start(t, false, "snapshots"), dir: t.TempDir()}
	w.StopPlanesManager()
	w.StartPlanesManager("--storage-endpoints=" + r.bucket.Endpoint)
	change := func(o *controlplanev1.MachineadmControlPlane) {
		o.Spec.Replicas = ptr.To(int32(3))
		o.Spec.Bootstrap.ControlPlane.Etcd.Local.DataDir = "/srv/etcd/data"
	}
	r.Cluster = w.Create(planes.Options{Name: "recover", Plane: "recover-control-plane", Change: change})
	machines := r.Complete()
	r.writeConfigMap("before")
	r.takeSnapshot()
	r.writeConfigMap("after")
	survivor, lost := &machines[0], machines[1:]
	for i := range lost {
		r.PowerOff(&lost[i])
	}
	r.Eventually(func() string { return r.Plane().Status.NextOperation.Reason }).
		Should(BeElementOf("QuorumLost", "MembersUnknown"), r.Describe)
	r.follow(survivor)
	after := r.Complete()
	r.Expect(after).To(ContainElement(HaveField("Name", survivor.Name)))
	for _, m := range lost {
		r.Expect(after).NotTo(ContainElement(HaveField("Name", m.Name)))
	}
	r.Expect(r.configMaps()).To(And(ContainElement("before"), Not(ContainElement("after"))))
}

// writeConfigMap creates a ConfigMap in the cluster.
func (r *recovery) writeConfigMap(name string) {
	r.t.Helper()
	r.Eventually(func() error {
		m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
		return client.IgnoreAlreadyExists(r.Workload().Create(r.t.Context(), m))
	}).Should(Succeed())
}

// configMaps returns the names of the ConfigMaps.
func (r *recovery) configMaps() []string {
	r.t.Helper()
	var list corev1.ConfigMapList
	r.Eventually(func() error {
		return r.Workload().List(r.t.Context(), &list, client.InNamespace("default"))
	}).Should(Succeed())
	var names []string
	for _, m := range list.Items {
		names = append(names, m.Name)
	}
	return names
}

// takeSnapshot specifies snapshots, and waits for the first one.
func (r *recovery) takeSnapshot() {
	r.t.Helper()
	key := filepath.Join(r.dir, "snapshots.key")
	debian.Output(r.t, debian.Tool(r.t, "age-keygen"), "-o", key)
	recipient := debian.Output(r.t, debian.Tool(r.t, "age-keygen"), "-y", key)
	storage := &v1alpha1.S3BootstrapStorage{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "snapshots"}}
	storage.Spec = v1alpha1.S3BootstrapStorageSpec{
		Bucket: "snapshots", Endpoint: r.bucket.Endpoint, PathStyle: true, CertificateAuthority: string(r.bucket.CA),
		Credentials: &v1alpha1.S3Credentials{SecretName: "snapshot-keys"},
	}
	credentials := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "snapshot-keys", Labels: map[string]string{v1alpha1.StorageCredentialsLabel: "true"},
		},
		StringData: map[string]string{
			"accessKeyID": s3server.AccessKeyID, "secretAccessKey": s3server.SecretAccessKey,
		},
	}
	r.Expect(r.Client.Create(r.t.Context(), credentials)).To(Succeed())
	r.Expect(r.Client.Create(r.t.Context(), storage)).To(Succeed())
	r.Change(func(s *controlplanev1.MachineadmControlPlaneSpec) {
		s.EtcdSnapshots = &controlplanev1.EtcdSnapshotsSpec{Recipients: []string{recipient}}
		s.EtcdSnapshots.StorageRef = v1alpha1.StorageReference{
			APIGroup: v1alpha1.Group, Kind: v1alpha1.S3StorageKind, Name: storage.Name,
		}
	})
	r.Eventually(func() bool { return conditions.IsTrue(r.Plane(), "EtcdSnapshotStored") }).Should(BeTrue(), r.Describe)
}

// blocks matches the commands of the guide, for the person who recovers the cluster and for the machine.
var blocks = regexp.MustCompile("(?s)```sh( machine)?\n(.*?)```")

// follow executes the commands of the guide. All commands after the first block use its variables.
func (r *recovery) follow(survivor *clusterv1.Machine) {
	r.t.Helper()
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides/recover.md"))
	r.Expect(err).NotTo(HaveOccurred())
	text := strings.NewReplacer("CLUSTER=prod\n", "CLUSTER="+r.Name+"\n", "SURVIVOR=prod-control-plane-x7k2p\n",
		"SURVIVOR="+survivor.Name+"\n", "BUCKET=https://s3.eu-central-1.amazonaws.com/example-snapshots",
		"BUCKET="+r.bucket.Endpoint+"/snapshots").Replace(string(page))
	var before, machine, after string
	for i, block := range blocks.FindAllStringSubmatch(text, -1) {
		switch {
		case block[1] != "":
			machine += block[2]
		case machine == "":
			before += block[2]
			if i == 0 {
				after = block[2]
			}
		default:
			after += block[2]
		}
	}
	r.prepare(string(page))
	r.shell(before)
	snapshot, err := os.ReadFile(filepath.Join(r.dir, "snapshot.db"))
	r.Expect(err).NotTo(HaveOccurred())
	etcdutl, err := os.ReadFile(debian.Tool(r.t, "etcdutl"))
	r.Expect(err).NotTo(HaveOccurred())
	r.WriteFile(survivor, "/root/snapshot.db", snapshot, 0o600)
	r.WriteFile(survivor, "/root/etcdutl", etcdutl, 0o700)
	r.t.Log(r.Must(survivor, "set -eu\n"+machine))
	r.shell(after)
}

// curlBlock matches the configuration of curl in the guide.
var curlBlock = regexp.MustCompile("(?s)```curl\n(.*?)```")

// prepare writes what the reader of the guide has: a kubeconfig, and the credentials of the bucket.
func (r *recovery) prepare(page string) {
	r.t.Helper()
	r.Expect(r.WriteKubeconfig(filepath.Join(r.dir, "kubeconfig"))).To(Succeed())
	ca := filepath.Join(r.dir, "ca.crt")
	r.Expect(os.WriteFile(ca, r.bucket.CA, 0o600)).To(Succeed())
	curl := strings.NewReplacer("eu-central-1", "us-east-1", "SECRET_ACCESS_KEY", s3server.SecretAccessKey,
		"ACCESS_KEY_ID", s3server.AccessKeyID).Replace(curlBlock.FindStringSubmatch(page)[1]) +
		fmt.Sprintf("cacert = %q\n", ca)
	r.Expect(os.WriteFile(filepath.Join(r.dir, "s3.curl"), []byte(curl), 0o600)).To(Succeed())
}

// shell executes commands as the reader of the guide.
func (r *recovery) shell(script string) {
	r.t.Helper()
	path := os.Getenv("PATH")
	for _, tool := range []string{"kubectl", "age", "etcdutl"} {
		path = filepath.Dir(debian.Tool(r.t, tool)) + ":" + path
	}
	c := exec.CommandContext(r.t.Context(), "bash", "-euxo", "pipefail", "-c", script)
	c.Dir = r.dir
	c.Env = append(os.Environ(), "PATH="+path, "KUBECONFIG="+filepath.Join(r.dir, "kubeconfig"))
	out, err := c.CombinedOutput()
	r.t.Logf("%s", out)
	r.Expect(err).NotTo(HaveOccurred(), r.Describe)
}
