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
	// texts are short texts that were seen lately, at the remainder of their hash.
	texts [1 << 12]string
}

func newSharing() *sharing { return &sharing{seed: maphash.MakeSeed(), parts: map[uint64]any{}} }

// transform is trim, and shares parts of the object.
func (s *sharing) transform(object any) (any, error) {
	object, err := trim(object)
	o, ok := object.(client.Object)
	if !ok {
		return object, err
	}
	if config, ok := object.(*v1alpha1.MachineBootstrapConfig); ok {
		// The spec is shared as a whole. The cache transforms the objects of a list twice, and the second time, other
		// objects share the spec already.
		spec := share(s, config.Spec)
		config.Spec = v1alpha1.MachineBootstrapConfigSpec{}
		defer func() { config.Spec = spec }()
	}
	s.shareTexts(o)
	if len(o.GetLabels()) > 0 {
		o.SetLabels(share(s, o.GetLabels()))
	}
	return object, err
}

// transformMachine is transform, and drops the status of a Machine except for what the bootstrap provider reads.
func (s *sharing) transformMachine(object any) (any, error) {
	if m, ok := object.(*clusterv1.Machine); ok {
		m.Status = clusterv1.MachineStatus{Addresses: m.Status.Addresses, NodeRef: m.Status.NodeRef}
	}
	return s.transform(object)
}

// maxText limits the texts that are shared, in bytes. Names, UIDs, kinds and reasons are shorter.
const maxText = 64

// shareTexts makes equal short texts of objects use one copy: the owner of a Secret has the name of the config, and the
// conditions of most machines are the same. It leaves maps alone, because labels are shared as a whole.
func (s *sharing) shareTexts(o client.Object) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.shareTextsOf(reflect.ValueOf(o))
}

func (s *sharing) shareTextsOf(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		s.shareTextsOf(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() {
				s.shareTextsOf(field)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			s.shareTextsOf(v.Index(i))
		}
	case reflect.String:
		if text := v.String(); text != "" && len(text) <= maxText {
			known := &s.texts[maphash.String(s.seed, text)%uint64(len(s.texts))]
			if *known != text {
				*known = text
			}
			v.SetString(*known)
		}
	default:
	}
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
