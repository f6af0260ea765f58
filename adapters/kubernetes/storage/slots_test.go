package storage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/internal/limiter"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
)

// TestUnresponsiveServerBlocksItsNamespaceAlone makes the storages of one namespace not answer. No more workers than
// its share wait for them, requests of another namespace are served, and requests without a slot are tried again.
func TestUnresponsiveServerBlocksItsNamespaceAlone(t *testing.T) {
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
	r := &Reconciler{Client: c, Metadata: c, Group: "g", Kind: "Kind", slots: limiter.New[string](2*many, share)}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
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
	waiting := map[client.ObjectKey]bool{}
	reconcile := func(key client.ObjectKey) {
		result, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: key})
		mutex.Lock()
		defer mutex.Unlock()
		if delete(waiting, key); err == nil && result.RequeueAfter == slotRetry {
			waiting[key] = true
		}
	}
	for _, o := range objects[:share] {
		all.Go(func() { reconcile(client.ObjectKeyFromObject(o)) })
	}
	for range share {
		<-reached
	}
	// Reconcile returns although the server does not answer.
	for range 2 {
		for _, o := range objects[share:] {
			reconcile(client.ObjectKeyFromObject(o))
		}
	}
	mutex.Lock()
	if got := strings.Join(opened, " "); strings.Count(got, "silent") != share || strings.Count(got, "other") != 2*many {
		t.Errorf("opened: %s", got)
	}
	mutex.Unlock()
	close(answer)
	all.Wait()
	if len(waiting) != many-share {
		t.Errorf("requests to try again: %v, want %d", waiting, many-share)
	}
	for _, key := range slices.Collect(maps.Keys(waiting)) {
		reconcile(key)
	}
	if got := strings.Count(strings.Join(opened, " "), "silent"); len(waiting) != 0 || got != many {
		t.Errorf("%d of %d requests were processed after the server answered; waiting: %v", got, many, waiting)
	}
	for range 2 {
		if r.slots.TryAcquire("silent") == nil {
			t.Error("a slot was not released")
		}
	}
}
