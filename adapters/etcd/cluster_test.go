//go:build linux && !unit

package etcd_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/machineadm/machineadm/adapters/etcd"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
)

// answer is how long one request may take before it is made again.
const answer = 10 * time.Second

// patience is how long the real members may take for what they do in seconds on a machine at rest.
const patience = 10 * time.Minute

// insist makes a request until it succeeds.
func insist(t *testing.T, request func(context.Context) error) {
	t.Helper()
	NewWithT(t).Eventually(func() error {
		ctx, cancel := context.WithTimeout(t.Context(), answer)
		defer cancel()
		return request(ctx)
	}).WithTimeout(patience).WithPolling(200 * time.Millisecond).Should(Succeed())
}

// concurrent is the number of tests that run at once. They wait for elections and timeouts.
const concurrent = 8

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", strconv.Itoa(concurrent)); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// cluster is a real etcd, of members at addresses of their own, since kubeadm gives each member the same ports.
type cluster struct {
	dir, program string
	// network is the second octet of the members' addresses.
	network byte
	tls     *tls.Config
	members []*member
	// extra are flags of every member.
	extra []string
}

// member is one of them, as kubeadm would have it run.
type member struct {
	*controlplane.Process
	name, address, manifest, data string
}

func (m *member) client() string { return "https://" + m.address + ":2379" }
func (m *member) peer() string   { return "https://" + m.address + ":2380" }

// clusters is the number of clusters so far. Each has its own loopback network, because they run at the same time.
var clusters atomic.Uint32

// newCluster returns an etcd of n members that vote.
func newCluster(t *testing.T, n int, extra ...string) *cluster {
	t.Helper()
	c := &cluster{
		dir: t.TempDir(), program: debian.Tool(t, "etcd"), network: byte(77 + clusters.Add(1)), extra: extra,
	}
	c.certify(t)
	c.start(t, c.member(t))
	for range n - 1 {
		c.join(t)
		c.promote(t)
	}
	return c
}

// maxMembers is the number of members for which the certificate is valid.
const maxMembers = 5

// certify makes the one certificate that is everybody's, and their authority's.
func (c *cluster) certify(t *testing.T) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	// A member connects from the first loopback address, which its certificate must contain.
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	for i := range byte(maxMembers) {
		template.IPAddresses = append(template.IPAddresses, net.IPv4(127, c.network, 0, i+1))
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	put(t, c.dir+"/tls.crt", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	put(t, c.dir+"/tls.key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
	c.tls = &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		RootCAs:      x509.NewCertPool(), MinVersion: tls.VersionTLS12,
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	c.tls.RootCAs.AddCert(leaf)
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// member lays down the manifest of one more member, as kubeadm init and kubeadm join do, and starts nothing.
func (c *cluster) member(t *testing.T) *member {
	t.Helper()
	n := len(c.members) + 1
	m := &member{name: fmt.Sprint("plane-", n), address: fmt.Sprintf("127.%d.0.%d", c.network, n)}
	m.manifest, m.data = filepath.Join(c.dir, m.name+".yaml"), filepath.Join(c.dir, m.name)
	c.members = append(c.members, m)
	put(t, m.manifest, []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: etcd}\nspec:\n  containers:\n  - name: "+
		"etcd\n    command:\n    - etcd\n    - "+
		strings.Join(c.flags(m), "\n    - ")+"\n"))
	return m
}

func (c *cluster) flags(m *member) []string {
	var all []string
	for _, each := range c.members {
		all = append(all, each.name+"="+each.peer())
	}
	state := "new"
	if len(all) > 1 {
		state = "existing"
	}
	return append([]string{
		"--advertise-client-urls=" + m.client(), "--cert-file=" + c.dir + "/tls.crt", "--client-cert-auth=true",
		"--data-dir=" + m.data,
		"--initial-advertise-peer-urls=" + m.peer(), "--initial-cluster=" + strings.Join(all, ","),
		"--initial-cluster-state=" + state,
		"--key-file=" + c.dir + "/tls.key", "--listen-client-urls=" + m.client(), "--listen-peer-urls=" + m.peer(),
		"--name=" + m.name,
		"--peer-cert-file=" + c.dir + "/tls.crt", "--peer-client-cert-auth=true", "--peer-key-file=" + c.dir + "/tls.key",
		"--peer-trusted-ca-file=" + c.dir + "/tls.crt", "--trusted-ca-file=" + c.dir + "/tls.crt",
	}, c.extra...)
}

// start starts a member and waits until it serves.
func (c *cluster) start(t *testing.T, m *member) {
	t.Helper()
	p, err := controlplane.StartProcess(context.WithoutCancel(t.Context()), m.data+".log", c.program, c.flags(m)...)
	if err != nil {
		t.Fatal(err)
	}
	m.Process = p
	t.Cleanup(m.kill)
	cli := c.talk(t, m)
	insist(t, func(ctx context.Context) error {
		_, err := cli.Status(ctx, m.client())
		return err
	})
}

// kill ends the member without a farewell.
func (m *member) kill() {
	m.signal(syscall.SIGKILL)
	_ = m.Stop()
}

// signal signals a member that still runs: one that was removed ends by itself.
func (m *member) signal(s syscall.Signal) {
	if m.Running() {
		_ = syscall.Kill(m.PID(), s)
	}
}

// join adds one more member as a learner and starts it, as kubeadm join does.
func (c *cluster) join(t *testing.T) *member {
	t.Helper()
	first := c.talk(t, c.members[0])
	m := c.member(t)
	insist(t, func(ctx context.Context) error {
		_, err := first.MemberAddAsLearner(ctx, []string{m.peer()})
		return err
	})
	c.start(t, m)
	return m
}

// promote gives the newest member a vote.
func (c *cluster) promote(t *testing.T) {
	t.Helper()
	m := c.members[len(c.members)-1]
	first := c.talk(t, c.members[0])
	id := c.id(t, m)
	insist(t, func(ctx context.Context) error {
		_, err := first.MemberPromote(ctx, id)
		return err
	})
}

// talk returns a client of one member.
func (c *cluster) talk(t *testing.T, m *member) *clientv3.Client {
	t.Helper()
	cli, err := clientv3.New(clientv3.Config{Endpoints: []string{m.client()}, TLS: c.tls, Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cli.Close() })
	return cli
}

// id returns the identity that the first member knows another by; 0 if it does not.
func (c *cluster) id(t *testing.T, m *member) uint64 {
	t.Helper()
	return c.idBy(t, c.members[0], m)
}

// idBy returns the identity that one member knows another by; 0 if it does not.
func (c *cluster) idBy(t *testing.T, by, m *member) uint64 {
	t.Helper()
	first := c.talk(t, by)
	var id uint64
	insist(t, func(ctx context.Context) error {
		listed, err := first.MemberList(ctx)
		if err != nil {
			return err
		}
		for _, known := range listed.Members {
			if slices.Contains(known.PeerURLs, m.peer()) {
				id = known.ID
			}
		}
		return nil
	})
	return id
}

// serves holds that a member and those with it take what is written.
func (c *cluster) serves(t *testing.T, m *member) {
	t.Helper()
	cli := c.talk(t, m)
	insist(t, func(ctx context.Context) error {
		_, err := cli.Put(ctx, "key", "value")
		return err
	})
}

// leaving returns a member as its machine sees it, and what it logs.
func (m *member) leaving() (etcd.Member, *bytes.Buffer) {
	var log bytes.Buffer
	return etcd.Member{Manifest: m.manifest, Log: &log}, &log
}
