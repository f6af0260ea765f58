package main

import (
	"encoding/json"
	"hash/maphash"
	"reflect"
	"sync"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// maxShared limits the parts that are shared, in bytes of JSON. Beyond it, the oldest objects keep their parts, and
// newer ones share among themselves.
const maxShared = 2 << 20

// sharing makes cached objects use one copy of equal parts: the machines of a MachineSet have the same labels, and
// their configs the same spec. No one changes cached objects; readers get copies.
type sharing struct {
	seed  maphash.Seed
	mutex sync.Mutex
	parts map[uint64]any
	size  int
}

func newSharing() *sharing { return &sharing{seed: maphash.MakeSeed(), parts: map[uint64]any{}} }

// transform is trim, and shares parts of the object.
func (s *sharing) transform(object any) (any, error) {
	object, err := trim(object)
	if o, ok := object.(client.Object); ok && len(o.GetLabels()) > 0 {
		o.SetLabels(share(s, o.GetLabels()))
	}
	if config, ok := object.(*v1alpha1.MachineBootstrapConfig); ok {
		config.Spec = share(s, config.Spec)
	}
	return object, err
}

// transformMachine is transform, and drops the status of a Machine except for what the bootstrap provider reads.
func (s *sharing) transformMachine(object any) (any, error) {
	object, err := s.transform(object)
	if m, ok := object.(*clusterv1.Machine); ok {
		m.Status = clusterv1.MachineStatus{Addresses: m.Status.Addresses, NodeRef: m.Status.NodeRef}
	}
	return object, err
}

// share returns the part, or an equal one of another object.
func share[T any](s *sharing, part T) T {
	text, err := json.Marshal(part)
	if err != nil || len(text) > maxShared {
		return part
	}
	key := maphash.Bytes(s.seed, text)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// JSON omits an empty list; the comparison distinguishes it from none.
	if known, ok := s.parts[key].(T); ok && reflect.DeepEqual(known, part) {
		return known
	}
	if s.size += len(text); s.size > maxShared {
		clear(s.parts)
		s.size = len(text)
	}
	s.parts[key] = part
	return part
}
