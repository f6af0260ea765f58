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
		Connect: o.connect, Clock: o.Clock, Timeout: cmp.Or(o.Timeout, etcdmembers.DefaultTimeout),
	}
}

// connect returns sessions with the machines that are nodes. The name of the Pod contains that of the node.
func (o MembersOptions) connect(ctx context.Context, c ports.ControlPlane) ([]etcdmembers.Session, error) {
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
		s, err := openSession(ctx, config, credentials, machine.Name, machine.NodeName)
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
