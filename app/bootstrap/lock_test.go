package bootstrap_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

func TestOneMachineStartsTheCluster(t *testing.T) {
	w := newWorld()
	w.ready(t, request(controlPlane, uninitialized))
	if got := w.node().Role; got != node.RoleInit {
		t.Errorf("the first machine's role is %s", got)
	}
	second := request(controlPlane, uninitialized, named("m2"))
	if got := summary(w.produce(t, second)); got != string(bootstrap.ReasonInitLock) {
		t.Errorf("the second machine is %s", got)
	}
	if ready, _ := w.Produce(t.Context(), second); ready.Next <= 0 {
		t.Error("the second machine does not try the lock again")
	}
	second.Cluster.Initialized = true
	w.ready(t, second)
	if n := w.node(); n.Role != node.RoleControlPlane || len(n.Certificates) != 8 || n.Discovery == nil {
		t.Errorf("the second machine's role is %s with %d files", n.Role, len(n.Certificates))
	}
}

func TestStalledMachineFreesTheLock(t *testing.T) {
	w := newWorld()
	w.findings = report.Report{report.Errorf("spec.os", "no such thing")}
	w.produce(t, request(controlPlane, uninitialized))
	if holder := w.lock.Holder(clusterKey); holder != "" {
		t.Errorf("%s cannot start the cluster and keeps the lock", holder)
	}
}

func TestMachineThatHadDataKeepsTheLock(t *testing.T) {
	w := newWorld()
	first := request(controlPlane, uninitialized)
	w.ready(t, first)
	w.data.Delete(first.Owner.Key)
	w.findings = report.Report{report.Errorf("spec.os", "no such thing any more")}
	first.Published = true
	w.produce(t, first)
	w.findings = nil
	if got := summary(w.produce(t, request(controlPlane, uninitialized, named("m2")))); got != string(
		bootstrap.ReasonInitLock) {
		t.Errorf("the second machine is %s, and the first has started the cluster", got)
	}
}

func TestFailedMachineKeepsTheLock(t *testing.T) {
	w := newWorld()
	first := request(controlPlane, uninitialized)
	first.Describe = func(context.Context) (composition.Description, error) {
		return composition.Description{}, errors.New("no luck")
	}
	if _, err := result(w.Produce(t.Context(), first)); err == nil {
		t.Fatal("the failure was swallowed")
	}
	if holder := w.lock.Holder(clusterKey); holder != "m1" {
		t.Errorf("the lock is %q's; after a failure two machines could start the cluster", holder)
	}
}

// foreignLock is a lock whose name belongs to something else.
type foreignLock struct{ ports.InitLock }

func (foreignLock) Acquire(context.Context, ports.Key, string) (string, error) {
	return "ConfigMap c1-lock", ports.ErrNotOwned
}

func TestForeignLockStallsTheMachine(t *testing.T) {
	w := newWorld()
	w.Lock = foreignLock{}
	o := w.produce(t, request(controlPlane, uninitialized))
	stalled, ok := as[bootstrap.StalledError](o)
	if !ok || stalled.Reason != bootstrap.ReasonLockNotOwned || !strings.Contains(stalled.Message, "ConfigMap c1-lock") ||
		!strings.Contains(stalled.Message, "; delete it") {
		t.Errorf("%#v", o)
	}
	if _, published := w.data.Payload(ports.Key{Namespace: "default", Name: "m1"}); published {
		t.Error("two machines could start the cluster")
	}
}
