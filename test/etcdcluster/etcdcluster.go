//go:build linux

// Package etcdcluster runs the members of a real etcd cluster at addresses of the loopback network, with the ports and
// the kinds of certificates that kubeadm uses.
package etcdcluster

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"sigs.k8s.io/cluster-api/util/certs"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
)

const (
	// firstNetwork is the second octet of the addresses of the first cluster of a process. adapters/etcd uses others.
	firstNetwork = 150
	// requestTimeout is how long one request may take before it is made again, and patience how long members may take on
	// a busy machine.
	requestTimeout = 10 * time.Second
	patience       = 10 * time.Minute
	// pollPeriod is the time between two requests, each of which is a new connection.
	pollPeriod = 200 * time.Millisecond
)

// clusters counts the clusters of this process, which run at the same time.
var clusters atomic.Uint32

// Cluster is an etcd cluster.
type Cluster struct {
	Members []*Member

	dir, program string
	network      uint32
	tls          *tls.Config
}

// Member is a member of the cluster.
type Member struct {
	*controlplane.Process
	Name, Address string
	ID            uint64
}

// Client returns the address for clients.
func (m *Member) Client() string { return m.Address + ":2379" }

// New starts voting members with the names. The CA signs their certificates, which contain the name localhost and their
// addresses.
func New(t *testing.T, ca node.KeyPair, names ...string) *Cluster {
	t.Helper()
	c := &Cluster{dir: t.TempDir(), program: debian.Tool(t, "etcd"), network: firstNetwork + clusters.Add(1)}
	for i, name := range names {
		c.Members = append(c.Members, &Member{Name: name, Address: fmt.Sprintf("127.%d.0.%d", c.network, i+1)})
	}
	c.sign(t, ca)
	for i := range c.Members {
		c.Join(t, i)
	}
	return c
}

// Join starts a member, as kubeadm does: those after the first one join as learners, and are promoted.
func (c *Cluster) Join(t *testing.T, i int) {
	t.Helper()
	m := c.Members[i]
	if i > 0 {
		c.AddLearner(t, "https://"+m.Address+":2380")
	}
	c.start(t, i)
	if i > 0 {
		c.insist(t, func(ctx context.Context) error {
			_, err := c.talk(t, c.Members[0]).MemberPromote(ctx, m.ID)
			return err
		})
	}
}

// Lose ends a member and removes its data.
func (c *Cluster) Lose(t *testing.T, i int) {
	t.Helper()
	m := c.Members[i]
	c.Kill(m.ID)
	if err := os.RemoveAll(filepath.Join(c.dir, m.Name)); err != nil {
		t.Fatal(err)
	}
}

// Restore starts a member with a copy of the data.
func (c *Cluster) Restore(t *testing.T, i int, data string) {
	t.Helper()
	c.Lose(t, i)
	if err := os.CopyFS(filepath.Join(c.dir, c.Members[i].Name), os.DirFS(data)); err != nil {
		t.Fatal(err)
	}
	c.start(t, i)
}

// sign writes the certificate of all members, which is also that of the client of this package.
func (c *Cluster) sign(t *testing.T, ca node.KeyPair) {
	t.Helper()
	authority, err := certs.DecodeCertPEM(ca.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := certs.DecodePrivateKeyPEM(ca.Key.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	key, err := certs.NewPrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	names := certs.AltNames{DNSNames: []string{"localhost"}, IPs: []net.IP{net.IPv4(127, 0, 0, 1)}}
	for _, m := range c.Members {
		names.IPs = append(names.IPs, net.ParseIP(m.Address))
	}
	config := certs.Config{
		CommonName: "etcd", AltNames: names,
		Usages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	signed, err := config.NewSignedCert(key, authority, signer)
	if err != nil {
		t.Fatal(err)
	}
	crt, pem := certs.EncodeCertPEM(signed), certs.EncodePrivateKeyPEM(key)
	for name, content := range map[string][]byte{"ca.crt": ca.Certificate, "tls.crt": crt, "tls.key": pem} {
		if err := os.WriteFile(filepath.Join(c.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pair, err := tls.X509KeyPair(crt, pem)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	c.tls = &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: roots, MinVersion: tls.VersionTLS12}
}

// start starts a member, and waits until it responds.
func (c *Cluster) start(t *testing.T, i int) {
	t.Helper()
	m := c.Members[i]
	var all []string
	for _, each := range c.Members[:i+1] {
		all = append(all, each.Name+"=https://"+each.Address+":2380")
	}
	state := "new"
	if i > 0 {
		state = "existing"
	}
	file := func(name string) string { return filepath.Join(c.dir, name) }
	p, err := controlplane.StartProcess(context.WithoutCancel(t.Context()), file(m.Name+".log"), c.program,
		"--name="+m.Name, "--data-dir="+file(m.Name), "--unsafe-no-fsync",
		// On a busy machine, members must not elect another leader because of a delay.
		"--heartbeat-interval=500", "--election-timeout=5000",
		"--advertise-client-urls=https://"+m.Client(), "--listen-client-urls=https://"+m.Client(),
		"--initial-advertise-peer-urls=https://"+m.Address+":2380", "--listen-peer-urls=https://"+m.Address+":2380",
		"--initial-cluster="+strings.Join(all, ","), "--initial-cluster-state="+state,
		"--client-cert-auth=true", "--peer-client-cert-auth=true",
		"--cert-file="+file("tls.crt"), "--key-file="+file("tls.key"), "--trusted-ca-file="+file("ca.crt"),
		"--peer-cert-file="+file("tls.crt"), "--peer-key-file="+file("tls.key"), "--peer-trusted-ca-file="+file("ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	m.Process = p
	t.Cleanup(func() { c.Kill(m.ID) })
	m.ID = c.status(t, m).Header.MemberId
}

// Kill ends the member with the ID, as a power cut does.
func (c *Cluster) Kill(id uint64) {
	for _, m := range c.Members {
		if m.ID == id && m.Process != nil && m.Running() {
			_ = syscall.Kill(m.PID(), syscall.SIGKILL)
			_ = m.Stop()
		}
	}
}

// Freeze stops the process of the member, which keeps its connections. Thaw continues it.
func (c *Cluster) Freeze(id uint64) { c.signal(id, syscall.SIGSTOP) }

// Thaw continues the process of the member.
func (c *Cluster) Thaw(id uint64) { c.signal(id, syscall.SIGCONT) }

func (c *Cluster) signal(id uint64, s syscall.Signal) {
	for _, m := range c.Members {
		if m.ID == id && m.Process != nil && m.Running() {
			_ = syscall.Kill(m.PID(), s)
		}
	}
}

// Settle waits until each member would accept a change of the members: etcd requires that they were connected for some
// seconds (etcdserver.HealthInterval). Adding a learner, and removing it, shows that.
func (c *Cluster) Settle(t *testing.T) {
	t.Helper()
	for _, m := range c.Members {
		if !m.Running() {
			continue
		}
		id := c.addLearner(t, m, "https://127.255.0.1:2380")
		c.insist(t, func(ctx context.Context) error {
			_, err := c.talk(t, m).MemberRemove(ctx, id)
			return err
		})
	}
}

// AddLearner adds a member that never starts, as a join that fails does, and returns its ID.
func (c *Cluster) AddLearner(t *testing.T, peerURL string) uint64 {
	t.Helper()
	return c.addLearner(t, c.Members[0], peerURL)
}

func (c *Cluster) addLearner(t *testing.T, by *Member, peerURL string) (id uint64) {
	t.Helper()
	c.insist(t, func(ctx context.Context) error {
		added, err := c.talk(t, by).MemberAddAsLearner(ctx, []string{peerURL})
		if err == nil {
			id = added.Member.ID
		}
		return err
	})
	return id
}

// Fill writes values of this size in bytes.
func (c *Cluster) Fill(t *testing.T, size int) {
	t.Helper()
	const value = 1 << 20
	for i := range size / value {
		// Random bytes are not compressed on the way.
		text := make([]byte, value)
		_, _ = rand.Read(text)
		c.Put(t, fmt.Sprintf("fill/%d", i), string(text))
	}
}

// Put writes a value.
func (c *Cluster) Put(t *testing.T, key, value string) {
	t.Helper()
	c.insist(t, func(ctx context.Context) error {
		_, err := c.talk(t, c.Members[0]).Put(ctx, key, value)
		return err
	})
}

// Values returns the values of keys, or an empty one for a missing key.
func (c *Cluster) Values(t *testing.T, keys ...string) []string {
	t.Helper()
	var values []string
	for _, key := range keys {
		value := ""
		c.insist(t, func(ctx context.Context) error {
			found, err := c.talk(t, c.Members[0]).Get(ctx, key)
			if err == nil && len(found.Kvs) > 0 {
				value = string(found.Kvs[0].Value)
			}
			return err
		})
		values = append(values, value)
	}
	return values
}

// RaiseNoSpace raises the alarm of a member whose disk is full.
func (c *Cluster) RaiseNoSpace(t *testing.T, id uint64) {
	t.Helper()
	c.raise(t, id, etcdserverpb.AlarmType_NOSPACE)
}

// RaiseCorrupt raises the alarm of a member whose data differs from that of the others.
func (c *Cluster) RaiseCorrupt(t *testing.T, id uint64) {
	t.Helper()
	c.raise(t, id, etcdserverpb.AlarmType_CORRUPT)
}

func (c *Cluster) raise(t *testing.T, id uint64, alarm etcdserverpb.AlarmType) {
	t.Helper()
	c.insist(t, func(ctx context.Context) error {
		_, err := etcdserverpb.NewMaintenanceClient(c.talk(t, c.Members[0]).ActiveConnection()).Alarm(ctx,
			&etcdserverpb.AlarmRequest{
				Action: etcdserverpb.AlarmRequest_ACTIVATE, MemberID: id, Alarm: alarm,
			})
		return err
	})
}

func (c *Cluster) status(t *testing.T, m *Member) *clientv3.StatusResponse {
	t.Helper()
	var status *clientv3.StatusResponse
	c.insist(t, func(ctx context.Context) (err error) {
		status, err = c.talk(t, m).Status(ctx, "https://"+m.Client())
		return err
	})
	return status
}

// insist makes a request until it succeeds.
func (c *Cluster) insist(t *testing.T, request func(context.Context) error) {
	t.Helper()
	gomega.NewWithT(t).Eventually(func() error {
		ctx, cancel := context.WithTimeout(t.Context(), requestTimeout)
		defer cancel()
		return request(ctx)
	}).WithTimeout(patience).WithPolling(pollPeriod).Should(gomega.Succeed())
}

// talk returns a client of one member.
func (c *Cluster) talk(t *testing.T, m *Member) *clientv3.Client {
	t.Helper()
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{"https://" + m.Client()}, TLS: c.tls, Logger: zap.NewNop(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}
