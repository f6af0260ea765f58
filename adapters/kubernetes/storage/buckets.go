package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// defaultFirstBootDeadlineSeconds is how long a machine may take until its first boot.
const defaultFirstBootDeadlineSeconds = 24 * 60 * 60

// lifetime returns how long a URL is valid whose storage has this deadline for the first boot.
func lifetime(deadlineSeconds int32) time.Duration {
	return time.Duration(cmp.Or(deadlineSeconds, defaultFirstBootDeadlineSeconds)) * time.Second
}

// The keys of a Secret with an access key.
const (
	accessKeyID     = "accessKeyID"
	secretAccessKey = "secretAccessKey" //nolint:gosec // this is a key's name and no credential
	sessionToken    = "sessionToken"
)

// The reasons of a storage's condition Ready.
const (
	reasonUsable    = "Usable"
	reasonNotUsable = "NotUsable"
)

// errNoFinalizer means that the storage and its credentials do not have the finalizer yet.
var errNoFinalizer = &ports.StorageError{Message: "its finalizer has not been added yet"}

// Keys is an access key. A zero AccessKeyID is the controller's own identity.
type Keys struct {
	AccessKeyID                   string
	SecretAccessKey, SessionToken secret.Value
}

// BucketReconciler maintains S3BootstrapStorages. Finalizers protect the storage and its credentials until all objects
// are deleted.
type BucketReconciler struct {
	// Client reads storages from the cache, and Secrets from the API.
	Client client.Client
	// Metadata serves the metadata of Secrets from the cache.
	Metadata client.Reader
	// New opens a bucket.
	New func(ctx context.Context, spec v1alpha1.S3BootstrapStorageSpec, keys Keys) (ports.Storage, error)
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter of storages; empty accepts all.
	WatchFilter string
	// Identity reports whether storages of a namespace may use the controller's own identity. Nil allows none.
	Identity func(namespace string) bool
}

// SetupWithManager registers the watches: storages, and the Secrets that they need or that need them.
func (r *BucketReconciler) SetupWithManager(mgr ctrl.Manager, o controller.Options) error {
	err := ctrl.NewControllerManagedBy(mgr).Named("s3bootstrapstorage").WithOptions(o).For(&v1alpha1.S3BootstrapStorage{}).
		WatchesMetadata(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.onSecret)).Complete(r)
	if err != nil {
		return fmt.Errorf("set up the controller of storages: %w", err)
	}
	return r.setupCredentials(mgr, o)
}

// onSecret returns the storage of a request if it is being deleted, and the storages that use the Secret as
// credentials. A request without a finalizer is deleted without an update before, and one can change to another
// storage.
func (r *BucketReconciler) onSecret(ctx context.Context, o client.Object) []ctrl.Request {
	if request, err := storagecontract.RequestOf(o); err == nil {
		key, s := client.ObjectKey{Namespace: o.GetNamespace(), Name: request.Storage.Name}, &v1alpha1.S3BootstrapStorage{}
		if request.Storage.Kind != v1alpha1.S3StorageKind || request.Storage.Group != v1alpha1.Group ||
			r.Client.Get(ctx, key, s) != nil || s.DeletionTimestamp.IsZero() {
			return nil
		}
		return []ctrl.Request{{NamespacedName: key}}
	}
	uses := func(s *v1alpha1.S3BootstrapStorage) bool { return credentialsOf(s) == o.GetName() }
	return kube.Requests(ctx, r.Client, &v1alpha1.S3BootstrapStorageList{}, uses, client.InNamespace(o.GetNamespace()))
}

func credentialsOf(s *v1alpha1.S3BootstrapStorage) string {
	if s.Spec.Credentials == nil {
		return ""
	}
	return s.Spec.Credentials.SecretName
}

// Reconcile sets the condition of a storage. It removes the finalizer of a deleted storage when nothing is stored in
// it.
func (r *BucketReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	s := &v1alpha1.S3BootstrapStorage{}
	if err := r.Client.Get(ctx, req.NamespacedName, s); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !kube.HasWatchFilter(s, r.WatchFilter) {
		return ctrl.Result{}, nil
	}
	if !s.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.reconcileDelete(ctx, s)
	}
	if err := r.addFinalizers(ctx, s); err != nil {
		return ctrl.Result{}, err
	}
	opened, err := r.open(ctx, s)
	if err == nil {
		err = r.recordSigner(ctx, s, opened.Signer)
	}
	var problem *ports.StorageError
	if err != nil && !errors.As(err, &problem) {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.setReady(ctx, s, problem)
}

// addFinalizers adds finalizers to the storage and its credentials.
func (r *BucketReconciler) addFinalizers(ctx context.Context, s *v1alpha1.S3BootstrapStorage) error {
	if name := credentialsOf(s); name != "" {
		credentials := &corev1.Secret{}
		err := r.Client.Get(ctx, client.ObjectKey{Namespace: s.Namespace, Name: name}, credentials)
		if err == nil && credentials.DeletionTimestamp.IsZero() && isCredentials(credentials) {
			err = r.setFinalizer(ctx, credentials, true)
		}
		if client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	before := s.DeepCopy()
	if known, err := withPlace(s); known || err != nil {
		return errors.Join(err, r.setFinalizer(ctx, s, true))
	}
	controllerutil.AddFinalizer(s, Finalizer)
	if err := r.Client.Patch(ctx, s, client.MergeFromWithOptions(before,
		client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("patch the finalizers of %s: %w", s.Name, err)
	}
	return nil
}

// setFinalizer adds or removes the finalizer.
func (r *BucketReconciler) setFinalizer(ctx context.Context, o client.Object, wanted bool) error {
	if controllerutil.ContainsFinalizer(o, Finalizer) == wanted {
		return nil
	}
	change := controllerutil.RemoveFinalizer
	if wanted {
		change = controllerutil.AddFinalizer
	}
	if err := kube.Patch(ctx, r.Client, o, func() { change(o, Finalizer) }); err != nil {
		return fmt.Errorf("patch the finalizers of %s: %w", o.GetName(), err)
	}
	return nil
}

// reconcileDelete removes the finalizer of a storage that no request needs. Its credentials are released afterwards.
func (r *BucketReconciler) reconcileDelete(ctx context.Context, s *v1alpha1.S3BootstrapStorage) error {
	requests, err := listRequests(ctx, r.Metadata, s.Namespace, v1alpha1.S3StorageKind)
	if err != nil {
		return fmt.Errorf("list storage requests: %w", err)
	}
	needed := func(m metav1.PartialObjectMetadata) bool {
		request, err := storagecontract.RequestOf(&m)
		return err == nil && request.Storage.Group == v1alpha1.Group && request.Storage.Name == s.Name && len(objects(&m)) > 0
	}
	if slices.ContainsFunc(requests, needed) {
		return nil
	}
	return client.IgnoreNotFound(r.setFinalizer(ctx, s, false))
}

func (r *BucketReconciler) setReady(ctx context.Context, s *v1alpha1.S3BootstrapStorage, problem *ports.StorageError,
) error {
	before := s.DeepCopy()
	s.Status.Ready, s.Status.ObservedGeneration = problem == nil, s.Generation
	c := metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: reasonUsable,
		ObservedGeneration: s.Generation,
	}
	if problem != nil {
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, reasonNotUsable, problem.Message
	}
	if !meta.SetStatusCondition(&s.Status.Conditions, c) && before.Status.Ready == s.Status.Ready &&
		before.Status.ObservedGeneration == s.Generation {
		return nil
	}
	// The storage may be deleted meanwhile; this is not an error.
	if err := r.Client.Status().Patch(ctx, s, client.MergeFrom(before)); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("patch the status: %w", err)
	}
	return nil
}

// Open implements Reconciler.Open.
func (r *BucketReconciler) Open(ctx context.Context, key client.ObjectKey) (OpenStorage, error) {
	s, err := r.get(ctx, key)
	if err != nil {
		return OpenStorage{}, err
	}
	if _, known := places(s)[placeOf(s.Spec).id()]; !known || !controllerutil.ContainsFinalizer(s, Finalizer) {
		return OpenStorage{}, errNoFinalizer
	}
	opened, err := r.open(ctx, s)
	// The annotation was read before the credentials. If a new signer is recorded meanwhile, the answer is signed once
	// more than necessary; a change of the signer is never missed.
	opened.Signer = s.Annotations[signerAnnotation]
	if err == nil && opened.Signer == "" {
		err = errNoFinalizer
	}
	return opened, err
}

// Reopen implements Reconciler.Reopen.
func (r *BucketReconciler) Reopen(ctx context.Context, key client.ObjectKey, at string) (OpenStorage, error) {
	s, err := r.get(ctx, key)
	if err != nil {
		return OpenStorage{}, err
	}
	now := placeOf(s.Spec).id()
	if p, known := places(s)[at]; known {
		p.write(&s.Spec)
	}
	opened, err := r.open(ctx, s)
	opened.Place = now
	return opened, err
}

func (r *BucketReconciler) get(ctx context.Context, key client.ObjectKey) (*v1alpha1.S3BootstrapStorage, error) {
	s := &v1alpha1.S3BootstrapStorage{}
	err := r.Client.Get(ctx, key, s)
	if apierrors.IsNotFound(err) {
		return nil, ErrNoStorage
	}
	if err != nil {
		return nil, fmt.Errorf("get the storage: %w", err)
	}
	return s, nil
}

func (r *BucketReconciler) open(ctx context.Context, s *v1alpha1.S3BootstrapStorage) (OpenStorage, error) {
	keys, err := r.keys(ctx, s)
	if err != nil {
		return OpenStorage{}, err
	}
	storage, err := r.New(ctx, s.Spec, keys)
	if err != nil {
		return OpenStorage{}, &ports.StorageError{Message: err.Error()}
	}
	return OpenStorage{
		Storage: storage, Lifetime: lifetime(s.Spec.FirstBootDeadlineSeconds),
		Place: placeOf(s.Spec).id(), Signer: signerOf(s.Spec, keys),
	}, nil
}

func (r *BucketReconciler) keys(ctx context.Context, s *v1alpha1.S3BootstrapStorage) (Keys, error) {
	return readKeys(ctx, r.Client, r.Identity, s)
}

// readKeys returns the credentials of the storage. The function reports whether storages of a namespace may use the
// controller's own identity.
func readKeys(ctx context.Context, reader client.Reader, identity func(string) bool, s *v1alpha1.S3BootstrapStorage,
) (Keys, error) {
	name := credentialsOf(s)
	if name == "" {
		if identity == nil || !identity(s.Namespace) {
			return Keys{}, &ports.StorageError{Message: "spec.credentials: the controller's own identity is not for this " +
				"namespace; set credentials, or ask the administrator to list the namespace in --storage-identity-namespaces"}
		}
		return Keys{}, nil
	}
	credentials := &corev1.Secret{}
	err := reader.Get(ctx, client.ObjectKey{Namespace: s.Namespace, Name: name}, credentials)
	// A Secret without the label is reported like a missing one. Otherwise users who may only create storages could
	// find out which Secrets exist.
	if apierrors.IsNotFound(err) || err == nil && !isCredentials(credentials) {
		return Keys{}, &ports.StorageError{Message: fmt.Sprintf(
			"spec.credentials.secretName: there is no Secret %s with the label %s: \"true\"; create it, or label it if it is "+
				"the access key for this bucket; %s",
			name, v1alpha1.StorageCredentialsLabel, convert.MoveRemedy)}
	}
	if err != nil {
		return Keys{}, fmt.Errorf("get the credentials: %w", err)
	}
	keys := Keys{
		AccessKeyID: string(credentials.Data[accessKeyID]), SecretAccessKey: secret.New(credentials.Data[secretAccessKey]),
		SessionToken: secret.New(credentials.Data[sessionToken]),
	}
	if keys.AccessKeyID == "" || keys.SecretAccessKey.IsZero() {
		return Keys{}, &ports.StorageError{Message: fmt.Sprintf(
			"spec.credentials.secretName: Secret %s lacks the key %s or %s; add both", name, accessKeyID, secretAccessKey)}
	}
	return keys, nil
}
