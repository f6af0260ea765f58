//go:build e2e

package planescale_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// timeline measures how long the manager of a control plane is idle: it could act, because no machine boots, is
// drained or is terminated.
type timeline struct {
	mutex    sync.Mutex
	machines map[types.UID]*clusterv1.Machine
	idle     time.Duration
	// since is when the manager could act, or the zero time.
	since time.Time
}

// follow watches the Machines of a namespace until the test ends.
func follow(t *testing.T, namespace string) *timeline {
	t.Helper()
	l := &timeline{machines: map[types.UID]*clusterv1.Machine{}}
	c, err := client.NewWithWatch(env.Config, client.Options{Scheme: env.Client.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := c.Watch(t.Context(), &clusterv1.MachineList{}, client.InNamespace(namespace))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(watcher.Stop)
	go func() {
		for event := range watcher.ResultChan() {
			if m, ok := event.Object.(*clusterv1.Machine); ok {
				l.add(event.Type, m)
			}
		}
	}()
	return l
}

// add records a change of a Machine.
func (l *timeline) add(kind watch.EventType, m *clusterv1.Machine) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if kind == watch.Deleted {
		delete(l.machines, m.UID)
	} else {
		l.machines[m.UID] = m
	}
	now := time.Now()
	if !l.since.IsZero() {
		l.idle += now.Sub(l.since)
	}
	l.since = time.Time{}
	if l.mayAct() {
		l.since = now
	}
}

// mayAct reports whether the manager is the only one that can go on.
func (l *timeline) mayAct() bool {
	for _, m := range l.machines {
		if m.DeletionTimestamp.IsZero() && m.Status.NodeRef.Name == "" {
			return false
		}
		if !m.DeletionTimestamp.IsZero() && !isDue(m) {
			return false
		}
	}
	return true
}

// isDue reports whether the deletion of a machine waits for the manager.
func isDue(m *clusterv1.Machine) bool {
	held := false
	for name := range m.Annotations {
		held = held || strings.HasPrefix(name, clusterv1.PreTerminateDeleteHookAnnotationPrefix)
	}
	return held && conditions.GetReason(m, clusterv1.MachineDeletingCondition) ==
		clusterv1.MachineDeletingWaitingForPreTerminateHookReason
}

// reset begins a measurement, and read returns the idle time since then.
func (l *timeline) reset() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.idle = 0
	if !l.since.IsZero() {
		l.since = time.Now()
	}
}

func (l *timeline) read() time.Duration {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.idle
}
