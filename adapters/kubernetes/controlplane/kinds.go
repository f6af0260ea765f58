package controlplane

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// lateRetry is how long a kind is not read again after its first list did not arrive in time.
const lateRetry = time.Minute

// kinds remembers the kinds of infrastructure machines whose first list did not arrive in time. Without the permission
// it never does, and reads from the cache would wait for it without an end. The zero value is ready for use.
type kinds struct {
	mutex sync.Mutex
	late  map[schema.GroupKind]time.Time
}

// read reads objects of a kind from the cache, which lists the kind when it is read for the first time.
func (k *kinds) read(ctx context.Context, kind schema.GroupKind, now time.Time, read func(context.Context) error,
) error {
	if k.isLate(kind, now) {
		return notListed(kind)
	}
	limited, cancel := context.WithTimeout(ctx, cacheTimeout)
	defer cancel()
	err := read(limited)
	if ctx.Err() != nil || !apierrors.IsTimeout(err) {
		return err
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.late == nil {
		k.late = map[schema.GroupKind]time.Time{}
	}
	k.late[kind] = now
	return notListed(kind)
}

func (k *kinds) isLate(kind schema.GroupKind, now time.Time) bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	at, found := k.late[kind]
	return found && now.Sub(at) < lateRetry
}

// errNotListed means that the list of a kind does not arrive.
var errNotListed = errors.New("the API server does not list the kind")

func notListed(kind schema.GroupKind) error {
	return fmt.Errorf("%w %s; give a ClusterRole that allows the controller to list and watch it the label "+
		"controlplane.machineadm.io/aggregate-to-manager", errNotListed, kind)
}
