package controlplane_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
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

// TestKindThatIsNotDefined checks that a control plane whose infrastructure provider was removed, or has another
// contract, still has its machines and shows the reason.
func TestKindThatIsNotDefined(t *testing.T) {
	const name = "hostmachines.infrastructure.machineadm.io"
	for reason, change := range map[string]func(*testing.T, *world){
		"does not exist": func(t *testing.T, w *world) {
			t.Helper()
			if err := w.Delete(t.Context(), definition(name)); err != nil {
				t.Fatal(err)
			}
		},
		"no label of a contract": func(t *testing.T, w *world) {
			t.Helper()
			d := &apiextensionsv1.CustomResourceDefinition{}
			if err := w.Get(t.Context(), client.ObjectKey{Name: name}, d); err != nil {
				t.Fatal(err)
			}
			update(t, w, d, func(d *apiextensionsv1.CustomResourceDefinition) { d.Labels = nil })
		},
	} {
		t.Run(reason, func(t *testing.T) {
			w := newWorld(t, newCluster(), newPlane())
			w.creates(t)
			change(t, w)
			c := w.read(t)
			if len(c.Observed.Machines) != 1 || len(c.Findings) != 1 {
				t.Fatalf("machines %+v, findings %v", c.Observed.Machines, c.Findings)
			}
			if f := c.Findings[0].String(); !strings.Contains(f, reason) || !strings.Contains(f, name) {
				t.Errorf("the finding is %s", f)
			}
		})
	}
}
