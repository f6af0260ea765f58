package controlplane_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/controlplane"
)

// unlisted is a cache without the permission to list infrastructure machines: reads wait for the first list.
type unlisted struct {
	client.Client
	waits *int
}

func (c unlisted) wait(ctx context.Context) error {
	*c.waits++
	<-ctx.Done()
	return apierrors.NewTimeoutError("failed waiting for the Informer to sync", 0)
}

func (c unlisted) Get(ctx context.Context, key client.ObjectKey, o client.Object, options ...client.GetOption) error {
	if o.GetObjectKind().GroupVersionKind().Kind == "HostMachine" {
		return c.wait(ctx)
	}
	return c.Client.Get(ctx, key, o, options...)
}

func (c unlisted) List(ctx context.Context, list client.ObjectList, options ...client.ListOption) error {
	if _, ok := list.(*metav1.PartialObjectMetadataList); ok {
		return c.wait(ctx)
	}
	return c.Client.List(ctx, list, options...)
}

// TestKindThatIsNotListed checks that a missing permission for infrastructure machines is reported, and occupies the
// controller only once in a while. It would wait for the list for ever.
func TestKindThatIsNotListed(t *testing.T) {
	const permission, field = "ClusterRole", "spec.machineTemplate.spec.infrastructureRef"
	synctest.Test(t, func(t *testing.T) {
		w, waits := newWorld(t, newCluster(), newPlane()), 0
		w.creates(t)
		store := w.with(unlisted{w.Client, &waits})
		for _, want := range []int{1, 1, 2} {
			c, err := store.Read(t.Context(), key())
			if err != nil || len(c.Observed.Machines) != 1 || len(c.Findings) != 1 {
				t.Fatalf("error %v, machines %+v, findings %v", err, c.Observed.Machines, c.Findings)
			}
			if f := c.Findings[0].String(); !strings.Contains(f, permission) || !strings.Contains(f, field) {
				t.Errorf("the finding is %s", f)
			}
			if waits != want {
				t.Errorf("%d waits, want %d", waits, want)
			}
			w.clock.Advance(40 * time.Second)
		}
		err := store.Create(t.Context(), w.read(t), controlplane.Operation{})
		if err == nil || !strings.Contains(err.Error(), permission) || !strings.Contains(err.Error(), field) {
			t.Errorf("got %v", err)
		}
	})
}
