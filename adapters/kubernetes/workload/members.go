package workload

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/internal/etcdmembers"
	"github.com/machineadm/machineadm/ports"
)

// MembersOptions configure the members of workload clusters.
type MembersOptions struct {
	Clusters     Clusters
	Certificates ports.Certificates
	Clock        ports.Clock
	// Timeout is the deadline of an observation and of an operation. Default: 12 seconds.
	Timeout time.Duration
}

// NewMembers returns the etcd members that kubeadm runs as static Pods. It reaches them through port-forwards.
func NewMembers(o MembersOptions) *etcdmembers.Members {
	return &etcdmembers.Members{
		Connect: o.connect(maxBytes), Clock: o.Clock, Timeout: cmp.Or(o.Timeout, etcdmembers.DefaultTimeout),
		Linearizable: true,
	}
}

// NewSnapshotter returns the same members for snapshots, of which much more is read. The deadline of a snapshot is that
// of the caller.
func NewSnapshotter(o MembersOptions) *etcdmembers.Members {
	members := NewMembers(o)
	members.Connect = o.connect(maxSnapshot)
	return members
}

// connect returns a function that returns sessions with the machines that are nodes. Of each, a number of bytes can be
// read. The name of the Pod contains that of the node.
func (o MembersOptions) connect(limit int) func(context.Context, ports.ControlPlane) ([]etcdmembers.Session, error) {
	return func(ctx context.Context, c ports.ControlPlane) ([]etcdmembers.Session, error) {
		return o.open(ctx, c, limit)
	}
}

func (o MembersOptions) open(ctx context.Context, c ports.ControlPlane, limit int) ([]etcdmembers.Session, error) {
	config, err := o.Clusters.GetRESTConfig(ctx, client.ObjectKey(clusterKey(c)))
	if err != nil {
		return nil, connectionError(err)
	}
	credentials, err := etcdCredentials(ctx, o.Certificates, clusterKey(c), o.Clock.Now())
	if err != nil {
		return nil, fmt.Errorf("connect to the members: %w", err)
	}
	var sessions []etcdmembers.Session
	for _, machine := range c.Observed.Machines {
		if machine.NodeName == "" {
			continue
		}
		s, err := openSession(ctx, config, credentials, machine.Name, machine.NodeName, limit)
		if err != nil {
			for _, opened := range sessions {
				_ = opened.Close()
			}
			return nil, err
		}
		sessions = append(sessions, s)
	}
	return sessions, nil
}
