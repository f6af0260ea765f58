package pluginresources

import (
	"context"
	"fmt"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/composition"
)

// permission is the result of asking for the permissions of a resource.
type permission struct {
	// missing is the first verb of a watch that the controller may not use, or empty if it may use all.
	missing string
	at      time.Time
}

// missing returns the first verb of a watch that the controller may not use, or empty if it may use all. It caches a
// positive result for good, and a negative one for maxAge.
func (l *Lookup) missing(ctx context.Context, r schema.GroupVersionResource, maxAge time.Duration) (string, error) {
	l.mutex.Lock()
	known, found := l.permissions[r]
	l.mutex.Unlock()
	if found && (known.missing == "" || l.Clock.Now().Sub(known.at) < maxAge) {
		return known.missing, nil
	}
	asked := permission{at: l.Clock.Now()}
	for _, verb := range []string{"list", "watch"} {
		may, err := l.isPermitted(ctx, verb, r)
		if err != nil {
			return "", fmt.Errorf("ask whether to %s %s: %w", verb, r.GroupResource(), err)
		}
		if !may {
			asked.missing = verb
			break
		}
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.permissions[r] = asked
	return asked.missing, nil
}

func (l *Lookup) isPermitted(ctx context.Context, verb string, r schema.GroupVersionResource) (bool, error) {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: l.Namespace, Verb: verb, Group: r.Group, Version: r.Version, Resource: r.Resource,
		},
	}}
	if err := l.Client.Create(ctx, review); err != nil {
		return false, err
	}
	return review.Status.Allowed, nil
}

func notPermitted(verb string, r schema.GroupVersionResource) composition.Observed {
	return composition.Observed{
		State: composition.NotPermitted,
		Message: fmt.Sprintf("the controller may not %s %s; give a ClusterRole that allows it the label %s: \"true\"",
			verb, r.GroupResource(), v1alpha1.PluginsRoleLabel),
	}
}
