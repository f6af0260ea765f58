package talosapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/machineadm/machineadm/adapters/internal/etcdmembers"
	"github.com/machineadm/machineadm/ports"
)

// NewMembers returns the etcd members of Talos machines.
func NewMembers(o Options) *etcdmembers.Members {
	return &etcdmembers.Members{
		Connect: o.sessions, Clock: o.Clock, Timeout: cmp.Or(o.Timeout, etcdmembers.DefaultTimeout),
	}
}

// sessions returns sessions with the machines that have addresses.
func (o Options) sessions(ctx context.Context, c ports.ControlPlane) ([]etcdmembers.Session, error) {
	config, err := o.credentials(ctx, clusterKey(c))
	if err != nil {
		return nil, fmt.Errorf("connect to the machines: %w", err)
	}
	var sessions []etcdmembers.Session
	for _, m := range c.Observed.Machines {
		if len(m.Addresses) == 0 {
			continue
		}
		t, err := o.connect(m, config)
		if err != nil {
			for _, opened := range sessions {
				_ = opened.Close()
			}
			return nil, err
		}
		sessions = append(sessions, &session{target: t})
	}
	return sessions, nil
}

// session is a connection to a machine. client is that of the address that answered.
type session struct {
	*target
	client machine.MachineServiceClient
}

// Report asks the member for its status.
func (s *session) Report(ctx context.Context) (etcdmembers.Report, error) {
	answer, client, err := first(ctx, s.target,
		func(ctx context.Context, c machine.MachineServiceClient) (*machine.EtcdStatus, error) {
			response, err := c.EtcdStatus(ctx, &emptypb.Empty{})
			return only(response.GetMessages(), err)
		})
	if err != nil {
		return etcdmembers.Report{}, err
	}
	s.client = client
	member := answer.GetMemberStatus()
	return etcdmembers.Report{MemberID: member.GetMemberId(), Leader: member.GetLeader()}, nil
}

// List returns the members. Talos asks a member that has a quorum unless the request is local.
func (s *session) List(ctx context.Context, quorum bool) ([]etcdmembers.Entry, error) {
	response, err := s.client.EtcdMemberList(ctx, &machine.EtcdMemberListRequest{QueryLocal: true})
	list, err := only(response.GetMessages(), err)
	if err != nil {
		return nil, s.failure(err)
	}
	alarms := map[uint64][]string{}
	if quorum {
		response, err := s.client.EtcdAlarmList(ctx, &emptypb.Empty{})
		raised, err := only(response.GetMessages(), err)
		if err != nil {
			return nil, s.failure(err)
		}
		for _, a := range raised.GetMemberAlarms() {
			alarms[a.GetMemberId()] = append(alarms[a.GetMemberId()], a.GetAlarm().String())
		}
	}
	var entries []etcdmembers.Entry
	for _, m := range list.GetMembers() {
		entries = append(entries, etcdmembers.Entry{
			ID: m.GetId(), Name: m.GetHostname(), PeerURLs: m.GetPeerUrls(), Learner: m.GetIsLearner(),
			Alarms: alarms[m.GetId()],
		})
	}
	return entries, nil
}

// Remove removes a member. Talos reports an unknown member without a code of its own, so the list is read first.
func (s *session) Remove(ctx context.Context, id uint64) error {
	list, err := s.List(ctx, true)
	if err != nil || !contains(list, id) {
		return err
	}
	response, err := s.client.EtcdRemoveMemberByID(ctx, &machine.EtcdRemoveMemberByIDRequest{MemberId: id})
	_, err = only(response.GetMessages(), err)
	return s.failure(err)
}

func contains(list []etcdmembers.Entry, id uint64) bool {
	for _, e := range list {
		if e.ID == id {
			return true
		}
	}
	return false
}

// MoveLeader makes the machine forfeit the leadership. Talos selects the next leader itself.
func (s *session) MoveLeader(ctx context.Context, to uint64) error {
	list, err := s.List(ctx, true)
	if err != nil {
		return err
	}
	if !contains(list, to) {
		return fmt.Errorf("move the leader to member %x: it %w", to, ports.ErrRefused)
	}
	response, err := s.client.EtcdForfeitLeadership(ctx, &machine.EtcdForfeitLeadershipRequest{})
	_, err = only(response.GetMessages(), err)
	return s.failure(err)
}

// message is a response of one machine.
type message interface{ GetMetadata() *common.Metadata }

// only returns the response of the machine. The machine API can pass requests on to several machines, and then returns
// one message for each, with an error in it.
func only[T message](messages []T, err error) (T, error) {
	var none T
	switch {
	case err != nil:
		return none, err
	case len(messages) != 1:
		return none, fmt.Errorf("%d machines answered, want one", len(messages))
	case messages[0].GetMetadata().GetError() != "":
		return none, errors.New(messages[0].GetMetadata().GetError())
	default:
		return messages[0], nil
	}
}

// failure classifies an error of the machine API. The machine API has no code for most refusals of etcd.
func (t *target) failure(err error) error {
	if err == nil {
		return nil
	}
	if isUnreachable(err) {
		address := t.machine.Addresses[0]
		return fmt.Errorf("%s: port %d at %s: %w; open it for the controller, or manage the members yourself: talosctl "+
			"--nodes %s etcd members, and etcd remove-member: %w", t.machine.Name, t.port, address, ports.ErrUnreachable,
			address, err)
	}
	return fmt.Errorf("%s: %w: %w", t.machine.Name, ports.ErrRefused, err)
}

// isUnreachable reports whether the machine, or its etcd, did not answer.
func isUnreachable(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled:
		return !strings.Contains(err.Error(), "unhealthy cluster")
	case codes.Unknown:
		// Talos wraps errors of its client for etcd (internal/pkg/etcd), and their codes are lost.
		for _, text := range []string{"context deadline exceeded", "etcdserver: no leader", "etcdserver: request timed out"} {
			if strings.Contains(err.Error(), text) {
				return true
			}
		}
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, io.EOF)
}
