//go:build linux

package planes

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/onsi/gomega"
	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// etcdPeriod is how often the members are listed, and etcdLimit how long one member may take to answer.
	etcdPeriod = 500 * time.Millisecond
	etcdLimit  = 3 * time.Second
)

// keyPrefix is that of the keys that tests write. No API server reads them.
const keyPrefix = "/planes/"

// Quorum watches the etcd members of a cluster. Whenever a quorum agrees on the list of members, it checks that the
// machines of a majority of the voters run.
type Quorum struct {
	cluster *Cluster
	tls     *tls.Config
	cancel  context.CancelFunc
	done    chan struct{}

	lock sync.Mutex
	// stopped are the names of the machines whose member a test has stopped.
	stopped map[string]bool
	faults  []string
	// ids are the IDs of the clusters that answered.
	ids map[uint64]bool
	// keys are what tests have written.
	keys map[string]string
}

// WatchQuorum starts to watch the members. Check reports what was found.
func (c *Cluster) WatchQuorum() *Quorum {
	c.t.Helper()
	ctx, cancel := context.WithCancel(c.ctx)
	q := &Quorum{
		cluster: c, tls: c.etcdClient(), cancel: cancel, done: make(chan struct{}), stopped: map[string]bool{},
		ids: map[uint64]bool{}, keys: map[string]string{},
	}
	go q.run(ctx)
	c.t.Cleanup(q.Stop)
	return q
}

// Stop stops the watch.
func (q *Quorum) Stop() {
	q.cancel()
	<-q.done
}

// Stopped records that the test stops the member of a machine.
func (q *Quorum) Stopped(m *clusterv1.Machine) { q.set(m, true) }

// Started records that the member of a machine runs again.
func (q *Quorum) Started(m *clusterv1.Machine) { q.set(m, false) }

func (q *Quorum) set(m *clusterv1.Machine, stopped bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.stopped[m.Name] = stopped
}

// Write writes a key, which Check reads.
func (q *Quorum) Write(key, value string) {
	c := q.cluster
	c.t.Helper()
	c.Eventually(func() error {
		return q.ask(c.ctx, func(ctx context.Context, etcd *clientv3.Client) error {
			_, err := etcd.Put(ctx, keyPrefix+key, value)
			return err
		})
	}).Should(gomega.Succeed())
	q.lock.Lock()
	defer q.lock.Unlock()
	q.keys[keyPrefix+key] = value
}

// Check checks that the cluster never lost its quorum, is the same as before, and has all keys that were written.
func (q *Quorum) Check() {
	c := q.cluster
	c.t.Helper()
	found := map[string]string{}
	c.Eventually(func() error {
		return q.ask(c.ctx, func(ctx context.Context, etcd *clientv3.Client) error {
			response, err := etcd.Get(ctx, keyPrefix, clientv3.WithPrefix())
			if err != nil {
				return err
			}
			for _, pair := range response.Kvs {
				found[string(pair.Key)] = string(pair.Value)
			}
			return nil
		})
	}).Should(gomega.Succeed())
	q.lock.Lock()
	defer q.lock.Unlock()
	c.Expect(found).To(gomega.Equal(q.keys), "the data of etcd")
	c.Expect(q.faults[:min(len(q.faults), 3)]).To(gomega.BeEmpty(), "the quorum of etcd")
	c.Expect(q.ids).To(gomega.HaveLen(1), "the IDs of the etcd cluster")
}

func (q *Quorum) run(ctx context.Context) {
	defer close(q.done)
	ticker := time.NewTicker(etcdPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			// An error means that no list was agreed on. Check fails if that does not end.
			_ = q.ask(ctx, q.look)
		}
	}
}

// look checks the members that a quorum agrees on.
func (q *Quorum) look(ctx context.Context, etcd *clientv3.Client) error {
	members, err := etcd.MemberList(ctx)
	if err != nil {
		return err
	}
	running, err := q.running(ctx)
	if err != nil {
		return err
	}
	after, err := etcd.MemberList(ctx)
	if err != nil {
		return err
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	q.ids[members.Header.ClusterId] = true
	// The machines can be compared with a list that did not change.
	if !slices.EqualFunc(members.Members, after.Members, sameMember) {
		return nil
	}
	var voters, alive []string
	for _, m := range members.Members {
		if m.IsLearner {
			continue
		}
		voters = append(voters, m.Name)
		if running[m.Name] {
			alive = append(alive, m.Name)
		}
	}
	if len(alive) < len(voters)/2+1 {
		q.faults = append(q.faults, fmt.Sprintf("%s: of the voters %q only %q run", time.Now().Format(time.TimeOnly),
			voters, alive))
	}
	return nil
}

func sameMember(a, b *etcdserverpb.Member) bool { return a.ID == b.ID && a.IsLearner == b.IsLearner }

// running returns the names of the machines whose member can run. A member has the name of its machine.
func (q *Quorum) running(ctx context.Context) (map[string]bool, error) {
	var list clusterv1.MachineList
	err := q.cluster.Client.List(ctx, &list, client.InNamespace(namespace),
		client.MatchingLabels{clusterv1.ClusterNameLabel: q.cluster.Name})
	if err != nil {
		return nil, err
	}
	running := map[string]bool{}
	for i := range list.Items {
		m := &list.Items[i]
		q.lock.Lock()
		stopped := q.stopped[m.Name]
		q.lock.Unlock()
		running[m.Name] = !stopped && q.cluster.Process(m) != 0
	}
	return running, nil
}

// Leader returns the name of the member that leads.
func (q *Quorum) Leader() string {
	c := q.cluster
	c.t.Helper()
	leader := ""
	c.Eventually(func() error {
		return q.ask(c.ctx, func(ctx context.Context, etcd *clientv3.Client) error {
			list, err := etcd.MemberList(ctx)
			if err != nil {
				return err
			}
			status, err := etcd.Status(ctx, etcd.Endpoints()[0])
			if err != nil {
				return err
			}
			for _, m := range list.Members {
				if m.ID == status.Leader {
					leader = m.Name
				}
			}
			return nil
		})
	}).Should(gomega.Succeed())
	return leader
}

// ask calls the function with a client of one member after the other, until it succeeds.
func (q *Quorum) ask(ctx context.Context, call func(context.Context, *clientv3.Client) error) error {
	err := errors.New("no machine has an address")
	for _, m := range q.cluster.Machines() {
		for _, a := range m.Status.Addresses {
			if a.Type != clusterv1.MachineInternalIP {
				continue
			}
			if err = q.askOne(ctx, a.Address, call); err == nil {
				return nil
			}
		}
	}
	return err
}

func (q *Quorum) askOne(ctx context.Context, address string, call func(context.Context, *clientv3.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, etcdLimit)
	defer cancel()
	etcd, err := clientv3.New(clientv3.Config{
		Endpoints: []string{"https://" + address + ":2379"}, TLS: q.tls, Context: ctx, Logger: zap.NewNop(),
		MaxUnaryRetries: 1,
	})
	if err != nil {
		return err
	}
	defer func() { _ = etcd.Close() }()
	return call(ctx, etcd)
}

// etcdClient returns the configuration of an administrator of etcd, signed by the cluster's CA.
func (c *Cluster) etcdClient() *tls.Config {
	c.t.Helper()
	secret := &corev1.Secret{}
	c.Eventually(func() error {
		return c.Client.Get(c.ctx, client.ObjectKey{Namespace: namespace, Name: c.Name + "-etcd"}, secret)
	}).Should(gomega.Succeed())
	authority, err := certs.DecodeCertPEM(secret.Data["tls.crt"])
	c.Expect(err).NotTo(gomega.HaveOccurred())
	signer, err := certs.DecodePrivateKeyPEM(secret.Data["tls.key"])
	c.Expect(err).NotTo(gomega.HaveOccurred())
	key, err := certs.NewPrivateKey()
	c.Expect(err).NotTo(gomega.HaveOccurred())
	config := certs.Config{CommonName: "test", Usages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	signed, err := config.NewSignedCert(key, authority, signer)
	c.Expect(err).NotTo(gomega.HaveOccurred())
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{signed.Raw}, PrivateKey: key}}, RootCAs: roots,
		MinVersion: tls.VersionTLS12,
	}
}
