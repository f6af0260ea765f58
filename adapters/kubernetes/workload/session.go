package workload

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"k8s.io/client-go/rest"

	"github.com/machineadm/machineadm/adapters/internal/etcdmembers"
	"github.com/machineadm/machineadm/ports"
)

const (
	// etcdPort is the port at which kubeadm's members serve clients.
	etcdPort = 2379
	// maxMessage limits one response of a member in bytes.
	maxMessage = 1 << 20
)

// session is a connection to the member of a machine.
type session struct {
	client  *clientv3.Client
	machine string
}

var _ etcdmembers.SnapshotSession = (*session)(nil)

// openSession returns a session with the member on the node. It connects with the first request. The session ends with
// the context.
func openSession(ctx context.Context, config *rest.Config, credentials *tls.Config, machine, node string, limit int,
) (*session, error) {
	pod := "etcd-" + node
	// The context of the dialer ends when the connection is established, and that of the session does not.
	dial := func(context.Context, string) (net.Conn, error) { return dialPod(ctx, config, pod, etcdPort, limit) }
	c, err := clientv3.New(clientv3.Config{
		// The dialer ignores the address. It is the name that the member's certificate must have.
		Endpoints: []string{credentials.ServerName}, TLS: credentials, Context: ctx, Logger: zap.NewNop(),
		DialOptions:        []grpc.DialOption{grpc.WithContextDialer(dial)},
		MaxCallRecvMsgSize: maxMessage, MaxUnaryRetries: 1,
	})
	if err != nil {
		return nil, fmt.Errorf("connect to the member of %s: %w", machine, err)
	}
	return &session{client: c, machine: machine}, nil
}

// Close closes the connection.
func (s *session) Close() error { return s.client.Close() }

// Report asks the member about itself.
func (s *session) Report(ctx context.Context) (etcdmembers.Report, error) {
	maintenance := etcdserverpb.NewMaintenanceClient(s.client.ActiveConnection())
	status, err := maintenance.Status(ctx, &etcdserverpb.StatusRequest{})
	if err != nil {
		return etcdmembers.Report{}, s.failure("ask the member of %s", err)
	}
	header := status.GetHeader()
	return etcdmembers.Report{
		ClusterID: header.GetClusterId(), MemberID: header.GetMemberId(), Leader: status.GetLeader(),
	}, nil
}

// List returns the members, with alarms if a quorum is required.
func (s *session) List(ctx context.Context, quorum bool) ([]etcdmembers.Entry, error) {
	var options []clientv3.OpOption
	if !quorum {
		options = append(options, clientv3.WithSerializable())
	}
	listed, err := s.client.MemberList(ctx, options...)
	if err != nil {
		return nil, s.failure("list the members by that of %s", err)
	}
	alarms := map[uint64][]string{}
	if quorum {
		raised, err := s.client.AlarmList(ctx)
		if err != nil {
			return nil, s.failure("list the alarms by the member of %s", err)
		}
		for _, a := range raised.Alarms {
			alarms[a.MemberID] = append(alarms[a.MemberID], a.Alarm.String())
		}
	}
	var entries []etcdmembers.Entry
	for _, m := range listed.Members {
		entries = append(entries, etcdmembers.Entry{
			ID: m.ID, Name: m.Name, PeerURLs: m.PeerURLs, Learner: m.IsLearner, Alarms: alarms[m.ID],
		})
	}
	return entries, nil
}

// Remove removes a member.
func (s *session) Remove(ctx context.Context, id uint64) error {
	_, err := s.client.MemberRemove(ctx, id)
	if err == nil || errors.Is(err, rpctypes.ErrMemberNotFound) {
		return nil
	}
	return s.failure("remove a member by that of %s", err)
}

// MoveLeader transfers the leadership.
func (s *session) MoveLeader(ctx context.Context, to uint64) error {
	if _, err := s.client.MoveLeader(ctx, to); err != nil {
		return s.failure("move the leader from the member of %s", err)
	}
	return nil
}

// Snapshot returns a snapshot of the member's data, with a digest at its end.
func (s *session) Snapshot(ctx context.Context) (io.ReadCloser, error) {
	data, err := s.client.Snapshot(ctx)
	if err != nil {
		return nil, s.failure("take a snapshot of the member of %s", err)
	}
	return data, nil
}

// failure classifies an error of etcd. A member that has no leader, or stops, is one that cannot be reached; other
// errors of etcd are refusals.
func (s *session) failure(operation string, err error) error {
	kind := ports.ErrUnreachable
	var known rpctypes.EtcdError
	if errors.As(rpctypes.Error(err), &known) && !isTransient(known) {
		kind = ports.ErrRefused
	}
	return fmt.Errorf(operation+": %w: %w", s.machine, kind, err)
}

func isTransient(err rpctypes.EtcdError) bool {
	for _, transient := range []error{
		rpctypes.ErrNoLeader, rpctypes.ErrStopped, rpctypes.ErrTimeout, rpctypes.ErrTimeoutDueToLeaderFail,
		rpctypes.ErrTimeoutDueToConnectionLost, rpctypes.ErrLeaderChanged, rpctypes.ErrTooManyRequests,
		rpctypes.ErrTimeoutWaitAppliedIndex,
	} {
		if errors.Is(err, transient) {
			return true
		}
	}
	return false
}
