package storage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/workqueue"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
)

// TestASilentServerHoldsUpItsNamespaceAlone has the storages of one namespace not answer: no more workers than its
// share wait for them, deposits of another namespace are served, and those that had to wait get their turn.
func TestASilentServerHoldsUpItsNamespaceAlone(t *testing.T) {
	const share, many = 2, 5
	var (
		objects []client.Object
		all     sync.WaitGroup
		mutex   sync.Mutex
		opened  []string
	)
	for _, namespace := range []string{"silent", "other"} {
		for i := range many {
			s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("m%d-stored", i)}}
			storagecontract.Request{
				Storage: storagecontract.Storage{Group: "g", Kind: "Kind", Name: "a"},
				Digest:  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
			}.Write(s, nil)
			objects = append(objects, s)
		}
	}
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if err := clusterv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build()
	reached, answer := make(chan struct{}, 2*many), make(chan struct{})
	r := &Reconciler{Client: c, Metadata: c, Group: "g", Kind: "Kind", turns: newTurns(share)}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r.Open = func(ctx context.Context, key client.ObjectKey) (OpenStorage, error) {
		mutex.Lock()
		opened = append(opened, key.Namespace)
		mutex.Unlock()
		if key.Namespace == "silent" {
			reached <- struct{}{}
			select {
			case <-answer:
			case <-ctx.Done():
			}
		}
		return OpenStorage{}, ErrNoStorage
	}
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[ctrl.Request]())
	defer queue.ShutDown()
	if err := r.turns.connect(t.Context(), queue); err != nil {
		t.Fatal(err)
	}
	reconcile := func(o client.Object) {
		_, _ = r.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(o)})
	}
	for _, o := range objects[:share] {
		all.Go(func() { reconcile(o) })
	}
	for range share {
		<-reached
	}
	// These return although the server does not answer.
	for range 2 {
		for _, o := range objects[share:] {
			reconcile(o)
		}
	}
	mutex.Lock()
	if got := strings.Join(opened, " "); strings.Count(got, "silent") != share || strings.Count(got, "other") != 2*many {
		t.Errorf("opened: %s", got)
	}
	mutex.Unlock()
	close(answer)
	all.Wait()
	var served []string
	for queue.Len() > 0 {
		next, _ := queue.Get()
		served = append(served, next.Name)
		_, _ = r.Reconcile(ctx, next)
		queue.Done(next)
	}
	if want := []string{"m2-stored", "m3-stored", "m4-stored"}; !slices.Equal(served, want) {
		t.Errorf("then served: %v, want %v", served, want)
	}
	if len(r.turns.running)+len(r.turns.waiting) > 0 {
		t.Errorf("left: %v, %v", r.turns.running, r.turns.waiting)
	}
}
