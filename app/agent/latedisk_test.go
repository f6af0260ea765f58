package agent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

var errNoDevice = errors.New("device /dev/b does not exist")

// lateDisk is a host whose disk appears while the agent waits for it.
type lateDisk struct {
	*memory.Host
	waited []string
}

func (l *lateDisk) AwaitDevice(_ context.Context, op action.Operation) {
	l.waited = append(l.waited, op.Summary())
}

func (l *lateDisk) Diff(ctx context.Context, op action.Operation, o journal.Original) (ports.Change, error) {
	if len(l.waited) == 0 {
		return ports.Change{}, errNoDevice
	}
	return l.Host.Diff(ctx, op, o)
}

// disks is a plugin for disks.
type disks struct{}

func (disks) Describe() ports.Capability {
	return ports.Capability{Name: "disks", Kinds: []document.Kind{"disks.example/v1/Disk"}}
}

func (disks) Expand(context.Context, ports.Expansion) ([]action.Action, report.Report, error) {
	return action.Of(action.PartitionDisk{Disk: machine.Disk{
		Device: "/dev/b", Partitions: []machine.Partition{{Number: 1}},
	}}, action.MakeFilesystem{Filesystem: machine.Filesystem{Device: "/dev/b1", Format: "xfs"}}), nil, nil
}

// TestLateDisk has a disk that the agent waits for. Diff reports it as missing and does not wait.
func TestLateDisk(t *testing.T) {
	request := agent.Request{Data: []byte("c")}
	w := newWorld(codec{"c": {document.Opaque{Type: "disks.example/v1/Disk", Body: []byte("x")}}})
	host := &lateDisk{Host: w.host}
	s, err := agent.New(agent.Dependencies{
		Host: host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
		Expanders: []ports.Expander{disks{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Diff(t.Context(), request); !errors.Is(err, errNoDevice) || len(host.waited) > 0 {
		t.Errorf("diff: %v, waited %q", err, host.waited)
	}
	if _, _, err := s.Apply(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"partition /dev/b", "make xfs on /dev/b1"}, host.waited); diff != "" {
		t.Errorf("waited: %s", diff)
	}
}
