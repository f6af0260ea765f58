package storage

import (
	"context"
	"slices"
	"sync"

	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
)

// turns limits how many deposits of one namespace are worked on at once, so that a server which does not answer holds
// up its own namespace alone. A deposit that has to wait leaves its worker to others, and is queued again.
type turns struct {
	// limit is how many deposits of a namespace are worked on at once; 0 is any number.
	limit int

	mutex   sync.Mutex
	running map[string]int
	// waiting are the deposits of each namespace that wait, in the order in which they came.
	waiting map[string][]ctrl.Request
	// again queues a deposit; nil drops it.
	again func(ctrl.Request)
}

// newTurns returns turns for a number of deposits of each namespace at once.
func newTurns(limit int) *turns {
	return &turns{limit: limit, running: map[string]int{}, waiting: map[string][]ctrl.Request{}}
}

// connect has deposits that waited be queued in the controller's queue.
func (t *turns) connect(_ context.Context, q workqueue.TypedRateLimitingInterface[ctrl.Request]) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.again = q.Add
	return nil
}

// take reports whether the deposit may be worked on now. If it may, end has to be called for it.
func (t *turns) take(r ctrl.Request) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.limit == 0 || t.running[r.Namespace] < t.limit {
		t.running[r.Namespace]++
		return true
	}
	if !slices.Contains(t.waiting[r.Namespace], r) {
		t.waiting[r.Namespace] = append(t.waiting[r.Namespace], r)
	}
	return false
}

// end makes room for the next deposit of the namespace.
func (t *turns) end(r ctrl.Request) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.running[r.Namespace]--; t.running[r.Namespace] == 0 {
		delete(t.running, r.Namespace)
	}
	waiting := t.waiting[r.Namespace]
	if len(waiting) == 0 {
		return
	}
	if t.again != nil {
		t.again(waiting[0])
	}
	if t.waiting[r.Namespace] = waiting[1:]; len(waiting) == 1 {
		delete(t.waiting, r.Namespace)
	}
}
