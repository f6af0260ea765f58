package talosapi_test

import (
	"context"
	"crypto/tls"
	stdx509 "crypto/x509"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/siderolabs/crypto/x509"
	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/talosapi"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// world is a cluster of Talos machines, each with a machine API. The service is generated from Talos' protobuf files.
type world struct {
	options  talosapi.Options
	machines []*machineDouble

	mutex sync.Mutex
	// leader is the ID of the leader, or zero.
	leader  uint64
	started int
}

// machineDouble is one machine.
type machineDouble struct {
	machine.UnimplementedMachineServiceServer
	world   *world
	name    string
	address string
	server  *grpc.Server
	// id is the ID of its member, or zero if it has none. data means that its etcd has data.
	id   uint64
	data bool
	down bool
	// name of the member.
	member string
}

// newWorld starts machines at addresses of the loopback network. Their port is the same, as that of real machines.
func newWorld(t *testing.T, n int) *world {
	t.Helper()
	clock := memory.NewClock(time.Now())
	secrets := &memory.TalosSecrets{Assume: true, Clock: clock}
	created, err := secrets.Ensure(t.Context(), ports.Key{Namespace: "default", Name: "c1"})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{options: talosapi.Options{
		Secrets: secrets, Clock: clock, Entropy: &memory.Entropy{}, Timeout: time.Minute,
	}}
	for i := range n {
		m := &machineDouble{world: w, name: fmt.Sprintf("m%d", i+1), address: fmt.Sprintf("127.50.0.%d", i+1)}
		m.member = "talos-" + m.name
		w.machines = append(w.machines, m)
		m.serve(t, created)
	}
	return w
}

// serve starts the machine API, which accepts clients of the machines' CA.
func (m *machineDouble) serve(t *testing.T, secrets node.TalosSecrets) {
	t.Helper()
	config := serverCredentials(t, secrets, m.address)
	listener, err := net.Listen("tcp", net.JoinHostPort(m.address, strconv.Itoa(m.world.options.Port)))
	if err != nil {
		t.Fatal(err)
	}
	m.world.options.Port = listener.Addr().(*net.TCPAddr).Port
	m.server = grpc.NewServer(grpc.Creds(credentials.NewTLS(config)))
	machine.RegisterMachineServiceServer(m.server, m)
	go func() { _ = m.server.Serve(listener) }()
	t.Cleanup(m.server.Stop)
}

func serverCredentials(t *testing.T, secrets node.TalosSecrets, address string) *tls.Config {
	t.Helper()
	ca, err := x509.NewCertificateAuthorityFromCertificateAndKey(&x509.PEMEncodedCertificateAndKey{
		Crt: secrets.OSCA.Certificate, Key: secrets.OSCA.Key.Reveal(),
	})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := x509.NewKeyPair(ca, x509.IPAddresses([]net.IP{net.ParseIP(address)}),
		x509.ExtKeyUsage([]stdx509.ExtKeyUsage{stdx509.ExtKeyUsageServerAuth}), x509.NotAfter(time.Now().Add(time.Hour)))
	if err != nil {
		t.Fatal(err)
	}
	clients := stdx509.NewCertPool()
	clients.AppendCertsFromPEM(secrets.OSCA.Certificate)
	return &tls.Config{
		Certificates: []tls.Certificate{*pair.Certificate}, ClientCAs: clients,
		ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12,
	}
}

// controlPlane describes the machines.
func (w *world) controlPlane() ports.ControlPlane {
	c := ports.ControlPlane{Key: ports.Key{Namespace: "default", Name: "cp"}, ClusterName: "c1"}
	c.Desired.Type = node.ControlPlaneTalos
	for _, m := range w.machines {
		c.Observed.Machines = append(c.Observed.Machines, controlplane.Machine{
			Name: m.name, NodeName: m.name, Addresses: []string{m.address},
		})
	}
	// A machine that has not booted is never asked.
	c.Observed.Machines = append(c.Observed.Machines, controlplane.Machine{Name: "booting"})
	return c
}

// join makes every machine a voting member. The first one leads.
func (w *world) join() {
	for i, m := range w.machines {
		m.id, m.data = uint64(100+i), true
	}
	w.leader = w.machines[0].id
}

func (m *machineDouble) stop() {
	m.world.mutex.Lock()
	m.down = true
	m.world.elect()
	m.world.mutex.Unlock()
	m.server.Stop()
}

// votes counts the members, and those that run. The caller has the lock.
func (w *world) votes() (all, running int) {
	for _, m := range w.machines {
		if m.id != 0 {
			all++
			if !m.down {
				running++
			}
		}
	}
	return all, running
}

// elect elects a leader that runs, if there is a quorum. The caller has the lock.
func (w *world) elect() {
	all, running := w.votes()
	for _, m := range w.machines {
		if m.id == w.leader && !m.down && 2*running > all {
			return
		}
	}
	w.leader = 0
	for _, m := range w.machines {
		if m.id != 0 && !m.down && 2*running > all {
			w.leader = m.id
			return
		}
	}
}

var errNoMember = errors.New("etcd is not running")

// EtcdStatus returns the status of the member.
func (m *machineDouble) EtcdStatus(context.Context, *emptypb.Empty) (*machine.EtcdStatusResponse, error) {
	m.world.mutex.Lock()
	defer m.world.mutex.Unlock()
	if m.id == 0 {
		return nil, errNoMember
	}
	member := &machine.EtcdMemberStatus{MemberId: m.id, Leader: m.world.leader}
	return &machine.EtcdStatusResponse{Messages: []*machine.EtcdStatus{{MemberStatus: member}}}, nil
}

// EtcdMemberList returns the members.
func (m *machineDouble) EtcdMemberList(context.Context, *machine.EtcdMemberListRequest) (
	*machine.EtcdMemberListResponse, error,
) {
	m.world.mutex.Lock()
	defer m.world.mutex.Unlock()
	if m.id == 0 {
		return nil, errNoMember
	}
	list := &machine.EtcdMembers{}
	for _, other := range m.world.machines {
		if other.id != 0 {
			list.Members = append(list.Members, &machine.EtcdMember{
				Id: other.id, Hostname: other.member, PeerUrls: []string{"https://" + other.address + ":2380"},
			})
		}
	}
	return &machine.EtcdMemberListResponse{Messages: []*machine.EtcdMembers{list}}, nil
}

// EtcdAlarmList returns no alarms.
func (m *machineDouble) EtcdAlarmList(context.Context, *emptypb.Empty) (*machine.EtcdAlarmListResponse, error) {
	return &machine.EtcdAlarmListResponse{Messages: []*machine.EtcdAlarm{{}}}, nil
}

// EtcdRemoveMemberByID removes a member, by the rules of etcd's strict reconfiguration check.
func (m *machineDouble) EtcdRemoveMemberByID(_ context.Context, r *machine.EtcdRemoveMemberByIDRequest) (
	*machine.EtcdRemoveMemberByIDResponse, error,
) {
	m.world.mutex.Lock()
	defer m.world.mutex.Unlock()
	all, running := m.world.votes()
	for _, other := range m.world.machines {
		if other.id != r.GetMemberId() {
			continue
		}
		if !other.down && running-1 < 1+(all-1)/2 {
			return nil, fmt.Errorf("failed to remove member %d: etcdserver: unhealthy cluster", other.id)
		}
		other.id = 0
		m.world.elect()
		return &machine.EtcdRemoveMemberByIDResponse{Messages: []*machine.EtcdRemoveMemberByID{{}}}, nil
	}
	return nil, errors.New("etcdserver: member not found")
}

// EtcdForfeitLeadership makes another member lead.
func (m *machineDouble) EtcdForfeitLeadership(context.Context, *machine.EtcdForfeitLeadershipRequest) (
	*machine.EtcdForfeitLeadershipResponse, error,
) {
	m.world.mutex.Lock()
	defer m.world.mutex.Unlock()
	for _, other := range m.world.machines {
		if m.world.leader == m.id && other.id != 0 && other.id != m.id && !other.down {
			m.world.leader = other.id
		}
	}
	return &machine.EtcdForfeitLeadershipResponse{Messages: []*machine.EtcdForfeitLeadership{{}}}, nil
}

// List lists the directory with etcd's data.
func (m *machineDouble) List(r *machine.ListRequest, stream grpc.ServerStreamingServer[machine.FileInfo]) error {
	m.world.mutex.Lock()
	defer m.world.mutex.Unlock()
	if !m.data || r.GetRoot() != "/var/lib/etcd/member" {
		return fmt.Errorf("lstat %s: no such file or directory", r.GetRoot())
	}
	return stream.Send(&machine.FileInfo{Name: r.GetRoot(), RelativeName: ".", IsDir: true})
}

// Bootstrap starts a cluster on a machine without data.
func (m *machineDouble) Bootstrap(context.Context, *machine.BootstrapRequest) (*machine.BootstrapResponse, error) {
	m.world.mutex.Lock()
	defer m.world.mutex.Unlock()
	if m.data {
		return nil, status.Error(codes.AlreadyExists, "etcd data directory is not empty")
	}
	m.data, m.id = true, 100
	m.world.started++
	return &machine.BootstrapResponse{Messages: []*machine.Bootstrap{{}}}, nil
}
