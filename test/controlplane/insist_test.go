package controlplane_test

import (
	"context"
	"errors"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/test/controlplane"
)

// TestEnsureOnABusyServer creates an object at a server that is too busy at first, and then creates it but does not
// answer.
func TestEnsureOnABusyServer(t *testing.T) {
	g := NewWithT(t)
	creations := 0
	c := &controlplane.ControlPlane{Client: fake.NewClientBuilder().WithInterceptorFuncs(interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.CreateOption) error {
			creations++
			switch creations {
			case 1:
				return apierrors.NewTooManyRequests("busy", 0)
			case 2:
				copied, _ := o.DeepCopyObject().(client.Object)
				return errors.Join(apierrors.NewTimeoutError("request did not complete", 0), c.Create(ctx, copied, options...))
			}
			return c.Create(ctx, o, options...)
		},
	}).Build()}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "late"}}
	g.Expect(c.Ensure(t.Context(), object)).To(Succeed())
	g.Expect(object.ResourceVersion).NotTo(BeEmpty())
	g.Expect(creations).To(Equal(3))
}

func TestInsistEnds(t *testing.T) {
	g := NewWithT(t)
	invalid := apierrors.NewInvalid(schema.GroupKind{Kind: "ConfigMap"}, "wrong", nil)
	tries := 0
	g.Expect(controlplane.Insist(t.Context(), func(context.Context) error {
		tries++
		return invalid
	})).To(MatchError(invalid))
	g.Expect(tries).To(Equal(1), "a wrong request is repeated")

	ctx, cancel := context.WithCancel(t.Context())
	busy := apierrors.NewServiceUnavailable("busy")
	err := controlplane.Insist(ctx, func(context.Context) error {
		cancel()
		return busy
	})
	g.Expect(err).To(MatchError(context.Canceled))
	g.Expect(err).To(MatchError(busy), "the error does not contain the last answer")
}
