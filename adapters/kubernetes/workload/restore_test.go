//go:build linux && !unit

package workload_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/age"
	"github.com/machineadm/machineadm/adapters/kubernetes/workload"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/storage/s3"
	"github.com/machineadm/machineadm/app/snapshots"
	domain "github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/etcdcluster"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/s3server"
)

// backup is a control plane with snapshots in a real bucket. It implements ports.SnapshotObjects and
// ports.SnapshotStores.
type backup struct {
	plane  ports.ControlPlane
	server *s3server.Server
	bucket *s3.Storage
	// folder is where snapshots are stored, and last the status of the last one.
	folder string
	last   *ports.SnapshotStatus
	// dir contains what the person has who restores a snapshot.
	dir string
}

func (b *backup) Read(context.Context, ports.Key) (ports.ControlPlane, error) { return b.plane, nil }

func (b *backup) SetSnapshots(_ context.Context, _ ports.ControlPlane, s *ports.SnapshotStatus) error {
	b.last = s
	return nil
}

func (b *backup) Open(_ context.Context, _ ports.ControlPlane, folder string) (ports.SnapshotStore, error) {
	b.folder = folder
	return b.bucket.Folder(folder), nil
}

// newBackup creates the bucket and a key pair of age.
func newBackup(t *testing.T, nodes ...string) *backup {
	t.Helper()
	b := &backup{server: s3server.Start(t, false, "snapshots"), dir: t.TempDir(), plane: plane(nodes...)}
	var err error
	b.bucket, err = s3.New(t.Context(), s3.Options{
		Bucket: "snapshots", Endpoint: b.server.Endpoint, Endpoints: b.server.Listed(t), PathStyle: true,
		CABundle: b.server.CA, Clock: memory.NewClock(time.Now()),
		Keys: &s3.Keys{AccessKeyID: s3server.AccessKeyID, SecretAccessKey: secret.FromString(s3server.SecretAccessKey)},
	})
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(b.dir, "snapshots.key")
	debian.Output(t, debian.Tool(t, "age-keygen"), "-o", key)
	b.plane.Observed.Initialized = true
	b.plane.Snapshots = &ports.EtcdSnapshots{
		SnapshotPolicy: domain.SnapshotPolicy{Interval: time.Hour, Keep: 3},
		Recipients:     []string{debian.Output(t, debian.Tool(t, "age-keygen"), "-y", key)},
	}
	if err := os.WriteFile(filepath.Join(b.dir, "ca.crt"), b.server.CA, 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

// curlBlock matches the configuration of curl in the guide.
var curlBlock = regexp.MustCompile("(?s)```curl\n(.*?)```")

// guideBlocks matches the commands of docs/guides/recover.md, and those for the machine.
var guideBlocks = regexp.MustCompile("(?s)```sh( machine)?\n(.*?)```")

// commands returns the commands that get the snapshot, and those for the machine. The commands for clusters are
// executed on real nodes (test/consumers/controlplanes).
func (b *backup) commands(t *testing.T) (get, machine string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/guides/recover.md"))
	if err != nil {
		t.Fatal(err)
	}
	curl := strings.NewReplacer("eu-central-1", "us-east-1", "SECRET_ACCESS_KEY", s3server.SecretAccessKey,
		"ACCESS_KEY_ID", s3server.AccessKeyID).Replace(curlBlock.FindStringSubmatch(string(page))[1]) + "cacert = ca.crt\n"
	if err := os.WriteFile(filepath.Join(b.dir, "s3.curl"), []byte(curl), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, block := range guideBlocks.FindAllStringSubmatch(string(page), -1) {
		switch {
		case block[1] != "":
			machine += block[2]
		case machine == "":
			get += block[2]
		}
	}
	parts := strings.Split(strings.Trim(b.folder, "/"), "/")
	get = regexp.MustCompile(`(?m)^(kubectl |[A-Z]+=).*\n`).ReplaceAllString(get, "")
	return fmt.Sprintf("NAMESPACE=%s CLUSTER=%s FOLDER=%s SNAPSHOT=%s BUCKET=%s/snapshots\n", parts[1], parts[2], parts[3],
		b.last.Last, b.server.Endpoint) + get, machine
}

// runIn runs a program in a directory.
func runIn(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir = dir
	for _, tool := range []string{"age", "etcdutl"} {
		c.Env = append(c.Environ(), "PATH="+filepath.Dir(debian.Tool(t, tool))+":"+pathOf(c.Environ()))
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// pathOf returns the last value of PATH.
func pathOf(env []string) (path string) {
	for _, variable := range env {
		if value, found := strings.CutPrefix(variable, "PATH="); found {
			path = value
		}
	}
	return path
}

// dataDir is the directory of etcd on the machine. It is not the default one.
const dataDir = "/srv/etcd/data"

// restore executes the guide for a member, and returns the directory with its data.
func (b *backup) restore(t *testing.T, m *etcdcluster.Member) string {
	t.Helper()
	get, commands := b.commands(t)
	runIn(t, b.dir, "bash", "-euxo", "pipefail", "-c", get)
	machine := debian.New(t, "bookworm")
	manifest := fmt.Sprintf("spec:\n  containers:\n  - command:\n    - etcd\n    - --name=%s\n"+
		"    - --initial-advertise-peer-urls=https://%s:2380\n    - --data-dir=%s\n", m.Name, m.Address, dataDir)
	machine.Put(t, "/etc/kubernetes/manifests/etcd.yaml", manifest, 0o600)
	machine.Put(t, "/etc/kubernetes/manifests/kube-apiserver.yaml", "spec: {}\n", 0o600)
	machine.Put(t, dataDir+"/member/lost", "", 0o600)
	machine.Install(t, "/root/etcdutl", debian.Tool(t, "etcdutl"))
	machine.Install(t, "/root/snapshot.db", filepath.Join(b.dir, "snapshot.db"))
	root := machine.Mount(t)
	runIn(t, b.dir, "unshare", "--mount", "--pid", "--fork", "sh", "-c",
		`mount -t proc proc "$0/proc" && exec chroot "$0" sh -eux -c "$1"`, root, commands)
	for _, name := range []string{"etcd", "kube-apiserver"} {
		if _, err := os.Stat(filepath.Join(root, "/etc/kubernetes/manifests", name+".yaml")); err != nil {
			t.Error(err)
		}
	}
	return filepath.Join(root, dataDir)
}

// TestRestore verifies the guide with real members: two of three lose their data, a snapshot from the bucket is
// restored into the third one, and two others join it. What was written before the snapshot is there.
func TestRestore(t *testing.T) {
	t.Parallel()
	nodes := []string{"restore1", "restore2", "restore3"}
	cluster, _, options := startEtcd(t, timeout, nodes...)
	b := newBackup(t, nodes...)
	cluster.Put(t, "before", "1")
	taker := &snapshots.Reconciler{
		Objects: b, Stores: b, Certificates: options.Certificates, Members: workload.NewSnapshotter(options),
		Encrypter: age.Encrypter{}, Clock: memory.NewClock(time.Now()),
	}
	if _, err := taker.Reconcile(t.Context(), b.plane.Key); err != nil || b.last == nil || b.last.Failure != "" {
		t.Fatalf("the status is %+v, error %v", b.last, err)
	}
	cluster.Put(t, "after", "1")
	cluster.Lose(t, 1)
	cluster.Lose(t, 2)
	cluster.Kill(cluster.Members[0].ID)
	cluster.Restore(t, 0, b.restore(t, cluster.Members[0]))
	members := workload.NewMembers(options)
	voters := func() (responding int) {
		got, err := members.Observe(t.Context(), b.plane)
		if err != nil || !got.Known {
			t.Fatalf("observed %+v, error %v", got, err)
		}
		for _, m := range got.List {
			if m.Responds && !m.Learner {
				responding++
			}
		}
		return responding
	}
	if n := voters(); n != 1 {
		t.Errorf("%d members respond", n)
	}
	cluster.Join(t, 1)
	cluster.Join(t, 2)
	if n := voters(); n != 3 {
		t.Errorf("%d members respond", n)
	}
	if got := cluster.Values(t, "before", "after"); !slices.Equal(got, []string{"1", ""}) {
		t.Errorf("the values are %q", got)
	}
}
