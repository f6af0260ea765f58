package talosapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/machineadm/machineadm/adapters/internal/etcdmembers"
	"github.com/machineadm/machineadm/ports"
)

// etcdData is the directory that exists on a machine as soon as its etcd has data (siderolabs/talos,
// pkg/machinery/constants).
const etcdData = "/var/lib/etcd/member"

// Starter implements ports.ClusterStarter for Talos machines.
type Starter struct{ options Options }

var _ ports.ClusterStarter = (*Starter)(nil)

// NewStarter returns the starter.
func NewStarter(o Options) *Starter {
	o.Timeout = cmp.Or(o.Timeout, etcdmembers.DefaultTimeout)
	return &Starter{options: o}
}

// Start sends Bootstrap to the machine. Before, it asks all machines whether they have etcd data: a second Bootstrap
// would create a second cluster. A machine without an address is not asked: it has not booted.
func (s *Starter) Start(ctx context.Context, c ports.ControlPlane, name string) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	config, err := s.options.credentials(ctx, clusterKey(c))
	if err != nil {
		return fmt.Errorf("connect to the machines: %w", err)
	}
	var targets []*target
	defer func() {
		for _, t := range targets {
			_ = t.Close()
		}
	}()
	for _, m := range c.Observed.Machines {
		if len(m.Addresses) == 0 && m.Name != name {
			continue
		}
		t, err := s.options.connect(m, config)
		if err != nil {
			return err
		}
		targets = append(targets, t)
	}
	chosen, started, err := findData(ctx, targets, name)
	if err != nil || started {
		return err
	}
	if chosen == nil {
		return fmt.Errorf("machine %s does not exist: %w", name, ports.ErrConflict)
	}
	return bootstrap(ctx, chosen)
}

// bootable is a machine and its answer.
type bootable struct {
	client machine.MachineServiceClient
	target *target
	data   bool
	err    error
}

// findData reports whether a machine has etcd data, and returns the machine with the name.
func findData(ctx context.Context, targets []*target, name string) (chosen *bootable, started bool, err error) {
	answers := make([]bootable, len(targets))
	var group sync.WaitGroup
	for i, t := range targets {
		group.Go(func() {
			data, client, err := first(ctx, t, hasData)
			answers[i] = bootable{client: client, target: t, data: data, err: err}
		})
	}
	group.Wait()
	for i, a := range answers {
		if a.data {
			return nil, true, nil
		}
		err = cmp.Or(err, a.err)
		if a.target.machine.Name == name {
			chosen = &answers[i]
		}
	}
	return chosen, false, err
}

// hasData reports whether the machine has etcd data. A missing directory is an error of the machine without a code.
func hasData(ctx context.Context, c machine.MachineServiceClient) (bool, error) {
	files, err := c.List(ctx, &machine.ListRequest{Root: etcdData})
	if err != nil {
		return false, err
	}
	file, err := files.Recv()
	text := cmp.Or(file.GetError(), file.GetMetadata().GetError())
	switch {
	case errors.Is(err, io.EOF):
		return false, nil
	case err != nil && isUnreachable(err):
		return false, err
	case err != nil:
		text = status.Convert(err).Message()
	}
	if strings.Contains(text, "no such file or directory") {
		return false, nil
	}
	if text != "" {
		return false, errors.New(text)
	}
	return true, nil
}

// bootstrap starts the cluster. A machine that has data in the meantime was started by an earlier call.
func bootstrap(ctx context.Context, b *bootable) error {
	response, err := b.client.Bootstrap(ctx, &machine.BootstrapRequest{})
	_, err = only(response.GetMessages(), err)
	if status.Code(err) == codes.AlreadyExists {
		return nil
	}
	return b.target.failure(err)
}
