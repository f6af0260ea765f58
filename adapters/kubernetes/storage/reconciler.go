package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/machineadm/machineadm/adapters/internal/limiter"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const (
	// Finalizer is on requests with stored objects, and on storages that are needed to delete them.
	Finalizer = "bootstrap.machineadm.io/stored-objects"
	// maxStoredObjects is the number of objects to keep: machines may still boot with the previous userdata.
	maxStoredObjects = 2
	// renewalAnnotation is the time at which an answer is signed again (RFC 3339): halfway to its expiry. An answer that
	// expires within minLifetime is refused.
	renewalAnnotation = "bootstrap.machineadm.io/sign-again"
	minLifetime       = time.Minute
	// The delays of retries grow from firstRetry to lastRetry.
	firstRetry, lastRetry = time.Second, 5 * time.Minute
	// slotRetry is how long a request waits while its namespace has no slot. The worker serves other namespaces meanwhile.
	slotRetry = 2 * time.Second
)

// ErrNoStorage means that there is no such storage resource.
var ErrNoStorage = errors.New("there is no such storage")

// OpenStorage is a storage and the lifetime of the URLs that it signs.
type OpenStorage struct {
	ports.Storage
	Lifetime time.Duration
	// Place identifies where the resource currently stores objects, in letters and digits, or empty if there is only one
	// place.
	Place string
	// Signer identifies what signs URLs. It changes when the signed URLs become invalid or would differ. It contains no
	// secret, and is empty if URLs only expire.
	Signer string
}

// Reconciler serves the requests for one kind of storage resource. Set its fields before the setup.
type Reconciler struct {
	// Client reads Secrets from the API and clusters from the cache.
	Client client.Client
	// Metadata serves the metadata of Secrets from the cache.
	Metadata client.Reader
	// Group and Kind are the group and kind of the storage resources.
	Group, Kind string
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter of requests; empty accepts all.
	WatchFilter string
	// Open returns the storage that a resource describes. A StorageError describes a problem that the user can fix;
	// ErrNoStorage means that the resource does not exist.
	Open func(ctx context.Context, key client.ObjectKey) (OpenStorage, error)
	// Reopen returns the storage that was used when objects were put to the place, to delete them. Its errors are those
	// of Open.
	Reopen func(ctx context.Context, key client.ObjectKey, place string) (OpenStorage, error)
	// Signer returns the current signer of the storage, or empty if it is not known. It reads only from the cache, since
	// it is called for each storage request at each event. It may be nil.
	Signer func(ctx context.Context, key client.ObjectKey) string
	// Clock determines when answers expire.
	Clock ports.Clock
	// PerNamespace is how many requests of one namespace are processed at once; 0 sets no limit.
	PerNamespace int
	// Storage is an object of the kind. Its changes wake the requests that are not stored, or whose answer another signer
	// signed.
	Storage client.Object

	// slots limits the requests that are processed at once by namespace; nil sets no limit.
	slots *limiter.Limiter[string]
}

// requestOf returns the content of a request for which this controller is responsible.
func (r *Reconciler) requestOf(o metav1.Object) (storagecontract.Request, bool) {
	request, err := storagecontract.RequestOf(o)
	return request, err == nil && kube.HasWatchFilter(o, r.WatchFilter) && request.Storage.Group == r.Group &&
		request.Storage.Kind == r.Kind
}

// Reconcile stores the object of one request, or deletes the objects of a request that is being deleted. A server that
// does not answer delays its own namespace only: a request for which its namespace has no slot is tried again later.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if r.slots != nil {
		release := r.slots.TryAcquire(req.Namespace)
		if release == nil {
			return ctrl.Result{RequeueAfter: slotRetry}, nil
		}
		defer release()
	}
	return r.reconcile(ctx, req)
}

func (r *Reconciler) reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	meta := kube.Metadata("Secret")
	if err := r.Metadata.Get(ctx, req.NamespacedName, meta); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	request, responsible := r.requestOf(meta)
	if !responsible {
		return ctrl.Result{}, nil
	}
	if r.isComplete(ctx, meta) {
		return ctrl.Result{RequeueAfter: r.next(meta)}, nil
	}
	paused, err := kube.IsPaused(ctx, r.Client, meta)
	if paused || err != nil {
		return ctrl.Result{}, err
	}
	o := &corev1.Secret{}
	if err := r.Client.Get(ctx, req.NamespacedName, o); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !o.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.remove(ctx, o, request.Storage.Name)
	}
	if err := r.process(ctx, o); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: r.next(o)}, nil
}

// isComplete reports whether a request is served completely. One that was moved or restored may lack its finalizer.
func (r *Reconciler) isComplete(ctx context.Context, o client.Object) bool {
	hasFinalizer := controllerutil.ContainsFinalizer(o, Finalizer)
	if !o.GetDeletionTimestamp().IsZero() {
		return !hasFinalizer
	}
	_, spare := splitObjects(objects(o))
	return hasFinalizer && r.settled(ctx, o) && len(spare) == 0
}

// answered reports whether there is an answer that is valid for long enough, since data may be published at any time. A
// moved or restored request may have an old answer.
func (r *Reconciler) answered(o client.Object) bool {
	ends := o.GetAnnotations()[storagecontract.ExpiresAnnotation]
	if !storagecontract.Answered(o) || ends == "" {
		return storagecontract.Answered(o)
	}
	return r.isFuture(ends) && r.isFuture(o.GetAnnotations()[renewalAnnotation])
}

// isFuture reports whether a time (RFC 3339) is in the future.
func (r *Reconciler) isFuture(text string) bool {
	at, err := time.Parse(time.RFC3339, text)
	return err == nil && r.Clock.Now().Before(at)
}

// next returns the time until the answer is signed again; 0 for never.
func (r *Reconciler) next(o client.Object) time.Duration {
	renewal, err := time.Parse(time.RFC3339, o.GetAnnotations()[renewalAnnotation])
	if err != nil || !r.answered(o) || !o.GetDeletionTimestamp().IsZero() {
		return 0
	}
	return renewal.Sub(r.Clock.Now())
}

// process stores the object and answers if necessary, and deletes objects that are no longer needed.
func (r *Reconciler) process(ctx context.Context, o *corev1.Secret) error {
	request, responsible := r.requestOf(o)
	if !responsible {
		return nil
	}
	if !r.settled(ctx, o) || !controllerutil.ContainsFinalizer(o, Finalizer) {
		if err := r.store(ctx, o, request); err != nil {
			return err
		}
	}
	if err := r.prune(ctx, o, request.Storage.Name); err != nil {
		return r.fail(ctx, o, err)
	}
	return nil
}

// store stores the object and answers. It reports errors in the request and returns them, so that the request is
// retried.
func (r *Reconciler) store(ctx context.Context, o *corev1.Secret, request storagecontract.Request) error {
	value := secret.New(o.Data[storagecontract.ValueKey])
	if sum := sha256.Sum256(value.Reveal()); hex.EncodeToString(sum[:]) != request.Digest {
		return r.setProblem(ctx, o, "the digest is not that of the data")
	}
	storage, err := r.Open(ctx, client.ObjectKey{Namespace: o.Namespace, Name: request.Storage.Name})
	if err != nil {
		return r.fail(ctx, o, err)
	}
	name := objectName(o, request.Digest)
	put := object{place: storage.Place, name: name}
	if err := r.makeRoom(ctx, o, request.Storage.Name, put); err != nil {
		return r.fail(ctx, o, err)
	}
	if err := r.recordObject(ctx, o, put); err != nil {
		return err
	}
	if err := storage.Put(ctx, name, value); err != nil {
		return r.fail(ctx, o, err)
	}
	location, err := r.locate(ctx, storage, name)
	if err != nil {
		return r.fail(ctx, o, err)
	}
	known := objects(o)
	known[0] = put
	return r.patch(ctx, o, func(s *corev1.Secret) error {
		setObjects(s, known)
		r.setNext(s, location.Expires)
		setSigner(s, storage.Signer)
		return contractAnswer(location).Write(s, request.Digest)
	})
}

// locate signs a URL. It refuses one that expires before a machine could use it: it would be renewed endlessly.
func (r *Reconciler) locate(ctx context.Context, storage OpenStorage, name string) (delivery.Location, error) {
	location, err := storage.Locate(ctx, name, storage.Lifetime)
	if err == nil && !location.Expires.IsZero() && location.Expires.Sub(r.Clock.Now()) < minLifetime {
		err = &ports.StorageError{Message: "the URLs that the storage's credentials sign expire within a minute, as the " +
			"credentials do; use credentials with a longer lifetime"}
	}
	return location, err
}

// setNext records when the answer is signed again.
func (r *Reconciler) setNext(s *corev1.Secret, ends time.Time) {
	delete(s.Annotations, renewalAnnotation)
	if !ends.IsZero() {
		now := r.Clock.Now()
		s.Annotations[renewalAnnotation] = now.Add(ends.Sub(now) / 2).UTC().Format(time.RFC3339)
	}
}

// setSigner records what signed the answer.
func setSigner(s *corev1.Secret, signer string) {
	delete(s.Annotations, signerAnnotation)
	if signer != "" {
		s.Annotations[signerAnnotation] = signer
	}
}

// fail reports the error in the request and returns it, so that the request is retried.
func (r *Reconciler) fail(ctx context.Context, o *corev1.Secret, err error) error {
	return errors.Join(err, r.setProblem(ctx, o, err.Error()))
}

func (r *Reconciler) setProblem(ctx context.Context, o *corev1.Secret, message string) error {
	if storagecontract.Problem(o) == message {
		return nil
	}
	return r.patch(ctx, o, func(s *corev1.Secret) error {
		storagecontract.SetProblem(s, message)
		return nil
	})
}

// patch changes the request, unless it was changed since it was read.
func (r *Reconciler) patch(ctx context.Context, o *corev1.Secret, change func(*corev1.Secret) error) error {
	before := o.DeepCopy()
	if err := change(o); err != nil {
		return err
	}
	err := r.Client.Patch(ctx, o, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	if err != nil {
		return fmt.Errorf("patch Secret %s: %w", o.Name, err)
	}
	return nil
}

func contractAnswer(l delivery.Location) storagecontract.Answer {
	a := storagecontract.Answer{URL: string(l.URL.Reveal()), CABundle: l.CABundle, Expires: l.Expires}
	for _, h := range l.Headers {
		if a.Headers == nil {
			a.Headers = map[string]string{}
		}
		a.Headers[h.Name] = string(h.Value.Reveal())
	}
	return a
}
