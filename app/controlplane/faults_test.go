package controlplane_test

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

var errInjected = errors.New("injected")

// mode is how a call fails.
type mode string

const (
	// modeFail fails without an effect.
	modeFail mode = "fails"
	// modeTimeout does not answer within the deadline, without an effect.
	modeTimeout mode = "times out"
	// modeLost has its effect, and reports a failure.
	modeLost mode = "succeeds and reports a failure"
)

// faults makes each n-th call fail, and all calls of some names. The zero value makes none fail.
type faults struct {
	every int
	mode  mode
	// failing are the names of calls that always fail, with the error or errInjected.
	failing map[string]error
	count   int
	// calls are the names of all calls.
	calls []string
}

func (f *faults) active() bool { return f.every > 0 || len(f.failing) > 0 }

// called reports whether there was a call with the name.
func (f *faults) called(name string) bool { return slices.Contains(f.calls, name) }

// do calls a port.
func (f *faults) do(name string, call func() error) error {
	f.calls = append(f.calls, name)
	f.count++
	if err := f.failing[name]; err != nil {
		return err
	}
	if f.every == 0 || f.count%f.every != 0 {
		return call()
	}
	switch f.mode {
	case modeTimeout:
		return context.DeadlineExceeded
	case modeLost:
		if err := call(); err != nil {
			return err
		}
	case modeFail:
	}
	return errInjected
}

type faultyObjects struct {
	faults *faults
	next   ports.ControlPlaneObjects
}

func (f faultyObjects) Read(ctx context.Context, key ports.Key) (c ports.ControlPlane, err error) {
	err = f.faults.do("read", func() error {
		c, err = f.next.Read(ctx, key)
		return err
	})
	return c, err
}

func (f faultyObjects) Propagate(ctx context.Context, c ports.ControlPlane) error {
	return f.faults.do("propagate", func() error { return f.next.Propagate(ctx, c) })
}

func (f faultyObjects) SetStatus(ctx context.Context, c ports.ControlPlane, s ports.ControlPlaneStatus) error {
	return f.faults.do("status", func() error { return f.next.SetStatus(ctx, c, s) })
}

func (f faultyObjects) Finish(ctx context.Context, c ports.ControlPlane) error {
	return f.faults.do("finish", func() error { return f.next.Finish(ctx, c) })
}

type faultyMachines struct {
	faults *faults
	next   ports.ControlPlaneMachines
}

func (f faultyMachines) Create(ctx context.Context, c ports.ControlPlane, o controlplane.Operation) error {
	return f.faults.do("create", func() error { return f.next.Create(ctx, c, o) })
}

func (f faultyMachines) Delete(ctx context.Context, c ports.ControlPlane, o controlplane.Operation) error {
	return f.faults.do("delete", func() error { return f.next.Delete(ctx, c, o) })
}

func (f faultyMachines) Release(ctx context.Context, c ports.ControlPlane, machine string) error {
	return f.faults.do("release", func() error { return f.next.Release(ctx, c, machine) })
}

func (f faultyMachines) Record(ctx context.Context, c ports.ControlPlane, m controlplane.Machine) error {
	return f.faults.do("record", func() error { return f.next.Record(ctx, c, m) })
}

// faultyCertificates never fails to return pins, which are not used.
type faultyCertificates struct {
	ports.Certificates
	faults *faults
}

func (f faultyCertificates) Find(ctx context.Context, cluster ports.Key, p node.Purpose) (k node.KeyPair, err error) {
	err = f.faults.do("find", func() error {
		k, err = f.Certificates.Find(ctx, cluster, p)
		return err
	})
	return k, err
}

func (f faultyCertificates) Generate(ctx context.Context, cluster ports.Key, p node.Purpose,
	how node.Certificates,
) error {
	return f.faults.do("generate", func() error { return f.Certificates.Generate(ctx, cluster, p, how) })
}

type faultyKubeconfigs struct {
	faults *faults
	next   ports.Kubeconfigs
}

func (f faultyKubeconfigs) Ensure(ctx context.Context, c ports.ControlPlane) error {
	return f.faults.do("kubeconfig", func() error { return f.next.Ensure(ctx, c) })
}

type faultyMembers struct {
	faults *faults
	next   ports.EtcdMembers
}

func (f faultyMembers) Observe(ctx context.Context, c ports.ControlPlane) (m controlplane.Members, err error) {
	err = f.faults.do("members", func() error {
		m, err = f.next.Observe(ctx, c)
		return err
	})
	return m, err
}

func (f faultyMembers) MoveLeader(ctx context.Context, c ports.ControlPlane, from, to uint64) error {
	return f.faults.do("move", func() error { return f.next.MoveLeader(ctx, c, from, to) })
}

func (f faultyMembers) Remove(ctx context.Context, c ports.ControlPlane, member uint64) error {
	return f.faults.do("remove", func() error { return f.next.Remove(ctx, c, member) })
}

type faultyWorkload struct {
	faults *faults
	next   ports.WorkloadCluster
}

func (f faultyWorkload) Observe(ctx context.Context, c ports.ControlPlane) (w ports.Workload, err error) {
	err = f.faults.do("workload", func() error {
		w, err = f.next.Observe(ctx, c)
		return err
	})
	return w, err
}

func (f faultyWorkload) PrepareJoin(ctx context.Context, c ports.ControlPlane) error {
	return f.faults.do("prepare", func() error { return f.next.PrepareJoin(ctx, c) })
}

func (f faultyWorkload) UpdateAddons(ctx context.Context, c ports.ControlPlane) error {
	return f.faults.do("add-ons", func() error { return f.next.UpdateAddons(ctx, c) })
}

func (f faultyWorkload) CertificateExpiry(ctx context.Context, c ports.ControlPlane, m controlplane.Machine) (
	at time.Time, err error,
) {
	err = f.faults.do("expiry", func() error {
		at, err = f.next.CertificateExpiry(ctx, c, m)
		return err
	})
	return at, err
}
