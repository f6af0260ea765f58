package endpoint

import (
	"context"
	"net/netip"
	"sync"
)

// turns limits what is done at once, for each network and all together. Clients wait for their turn, first for one of
// their network: a network that asks for much waits for itself, and has no more than its limit among those that others
// wait for.
type turns struct {
	all  chan struct{}
	each int

	mutex  sync.Mutex
	queues map[netip.Prefix]*queue
}

// queue is the turns of one network. It takes no memory once no client of the network has or awaits one.
type queue struct {
	turns   chan struct{}
	clients int
}

func newTurns(all, each int) *turns {
	return &turns{all: make(chan struct{}, all), each: each, queues: map[netip.Prefix]*queue{}}
}

// take waits for a turn, which the caller has to end. The error is that of the context.
func (t *turns) take(ctx context.Context, network netip.Prefix) (end func(), err error) {
	q := t.join(network)
	if err := enter(ctx, q.turns); err != nil {
		t.leave(network, q)
		return nil, err
	}
	ended := func() {
		<-q.turns
		t.leave(network, q)
	}
	if err := enter(ctx, t.all); err != nil {
		ended()
		return nil, err
	}
	return func() {
		<-t.all
		ended()
	}, nil
}

func enter(ctx context.Context, turns chan struct{}) error {
	select {
	case turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *turns) join(network netip.Prefix) *queue {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	q := t.queues[network]
	if q == nil {
		q = &queue{turns: make(chan struct{}, t.each)}
		t.queues[network] = q
	}
	q.clients++
	return q
}

func (t *turns) leave(network netip.Prefix, q *queue) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if q.clients--; q.clients == 0 {
		delete(t.queues, network)
	}
}
