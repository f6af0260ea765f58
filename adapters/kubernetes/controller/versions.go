package controller

import (
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// versions records the resource versions that were written. The reconciler skips an older object in the cache, since
// the newer one triggers another reconciliation. The API server orders the resource versions of all objects that it
// stores itself.
type versions struct {
	mutex   sync.Mutex
	written map[types.UID]uint64
}

func (v *versions) note(o client.Object) {
	version, err := strconv.ParseUint(o.GetResourceVersion(), 10, 64)
	if err != nil {
		return
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.written == nil {
		v.written = map[types.UID]uint64{}
	}
	v.written[o.GetUID()] = version
}

// stale reports whether the object is older than its last written version.
func (v *versions) stale(o client.Object) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	written, known := v.written[o.GetUID()]
	if !known {
		return false
	}
	if version, err := strconv.ParseUint(o.GetResourceVersion(), 10, 64); err == nil && version < written {
		return true
	}
	delete(v.written, o.GetUID())
	return false
}
