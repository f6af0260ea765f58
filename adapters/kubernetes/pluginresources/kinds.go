package pluginresources

import (
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/restmapper"

	"github.com/machineadm/machineadm/ports"
)

// answerAge is how long it is assumed that a kind does not exist, or may not be read. It is less than the requeue delay
// of a config that names such a kind, so that each attempt of a single config asks again.
const answerAge = 10 * time.Second

// DiscoverKinds returns a function that reads the kinds that the API server serves.
func DiscoverKinds(d discovery.DiscoveryInterface) func() (meta.RESTMapper, error) {
	return func() (meta.RESTMapper, error) {
		groups, err := restmapper.GetAPIGroupResources(d)
		if err != nil {
			return nil, fmt.Errorf("discover the kinds of the API server: %w", err)
		}
		return restmapper.NewDiscoveryRESTMapper(groups), nil
	}
}

// kinds maps kinds to resources. A discovery reads all kinds at once, so one answers all configs. The manager's mapper
// would need one for each kind that does not exist, and a config can name 128 of them.
type kinds struct {
	discover func() (meta.RESTMapper, error)
	clock    ports.Clock

	last    atomic.Pointer[discovered]
	flights singleflight.Group
}

// discovered is the result of a discovery.
type discovered struct {
	mapper meta.RESTMapper
	at     time.Time
}

// mapping returns the resource of a kind in the API server's preferred version. If the last discovery does not contain
// the kind and is at least as old as maxAge, there is another one.
func (k *kinds) mapping(kind schema.GroupKind, maxAge time.Duration) (*meta.RESTMapping, error) {
	if last := k.last.Load(); last != nil {
		found, err := last.mapper.RESTMapping(kind)
		if !meta.IsNoMatchError(err) || k.isYoung(last, maxAge) {
			return found, err
		}
	}
	mapper, err, _ := k.flights.Do(maxAge.String(), func() (any, error) {
		if last := k.last.Load(); last != nil && k.isYoung(last, maxAge) {
			return last.mapper, nil
		}
		mapper, err := k.discover()
		if err == nil {
			k.last.Store(&discovered{mapper: mapper, at: k.clock.Now()})
		}
		return mapper, err
	})
	if err != nil {
		return nil, err
	}
	return mapper.(meta.RESTMapper).RESTMapping(kind) //nolint:forcetypeassert // the function above returns nothing else
}

func (k *kinds) isYoung(d *discovered, maxAge time.Duration) bool {
	return k.clock.Now().Sub(d.at) < maxAge
}
