package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/ports"
)

// objectsAnnotation lists the objects of a request, the newest first. An object is listed before it is stored.
const objectsAnnotation = "bootstrap.machineadm.io/stored-objects"

const (
	// maxListedObjects limits the list: the annotations of an object have at most 256 KiB, and a name at most 400 bytes.
	maxListedObjects = 500
	// maxFailedDeletions limits the failed deletions of one attempt, for each place.
	maxFailedDeletions = 10
)

// triedMark is the suffix of objects that may not exist, and placeMark separates the place from the name.
const (
	triedMark = "?"
	placeMark = ":"
)

// object is an object that a request has stored or tried to store.
type object struct {
	// place is where it is stored (OpenStorage.Place), and name is its name there.
	place, name string
	// tried means that it is not known whether the object exists.
	tried bool
}

func (o object) String() string {
	text := o.name
	if o.place != "" {
		text = o.place + placeMark + text
	}
	if o.tried {
		text += triedMark
	}
	return text
}

// same reports whether both are the same object of the storage.
func (o object) same(other object) bool { return o.place == other.place && o.name == other.name }

// objectName returns the name of a request's object with the digest.
func objectName(request metav1.Object, digest string) string {
	return strings.Join([]string{request.GetNamespace(), request.GetName(), digest}, "/")
}

// isOwnObject reports whether the name is one of the request's objects.
func isOwnObject(request metav1.Object, name string) bool {
	digest := name[strings.LastIndex(name, "/")+1:]
	sum, err := hex.DecodeString(digest)
	return err == nil && len(sum) == sha256.Size && name == objectName(request, digest)
}

// objects returns the objects of a request. It ignores other names, since the annotation may have been written by a
// user.
func objects(o metav1.Object) []object {
	var known []object
	for _, text := range strings.Fields(o.GetAnnotations()[objectsAnnotation]) {
		name, tried := strings.CutSuffix(text, triedMark)
		place, rest, placed := strings.Cut(name, placeMark)
		if !placed {
			place, rest = "", name
		}
		if isOwnObject(o, rest) {
			known = append(known, object{place: place, name: rest, tried: tried})
		}
	}
	return known
}

func setObjects(s *corev1.Secret, known []object) {
	if s.Annotations == nil {
		s.Annotations = map[string]string{}
	}
	var texts []string
	for _, o := range known {
		texts = append(texts, o.String())
	}
	s.Annotations[objectsAnnotation] = strings.Join(texts, " ")
}

// splitObjects returns the objects to keep and to delete. It keeps the newest one and the one before it that exists,
// since machines may still boot with the previous userdata. It deletes no object with a kept name, since two places can
// be the same bucket.
func splitObjects(known []object) (stay, spare []object) {
	var names []string
	for i, o := range known {
		if i == 0 || !o.tried && len(names) < maxStoredObjects && !slices.Contains(names, o.name) {
			names = append(names, o.name)
		}
	}
	for _, o := range known {
		if slices.Contains(names, o.name) {
			stay = append(stay, o)
		} else {
			spare = append(spare, o)
		}
	}
	return stay, spare
}

// recordObject records an object before it is stored, so that it is deleted in any case.
func (r *Reconciler) recordObject(ctx context.Context, request *corev1.Secret, o object) error {
	known := objects(request)
	at := slices.IndexFunc(known, o.same)
	if at == 0 && controllerutil.ContainsFinalizer(request, Finalizer) {
		return nil
	}
	o.tried = at < 0 || known[at].tried
	known = append([]object{o}, slices.DeleteFunc(known, o.same)...)
	return r.patch(ctx, request, func(s *corev1.Secret) error {
		controllerutil.AddFinalizer(s, Finalizer)
		setObjects(s, known)
		return nil
	})
}

// makeRoom deletes objects if the list is full and does not contain the object. It refuses to store the object if none
// can be deleted.
func (r *Reconciler) makeRoom(ctx context.Context, request *corev1.Secret, storage string, o object) error {
	known := objects(request)
	if len(known) < maxListedObjects || slices.ContainsFunc(known, o.same) {
		return nil
	}
	err := r.prune(ctx, request, storage)
	if len(objects(request)) < maxListedObjects {
		return nil
	}
	return &ports.StorageError{Message: fmt.Sprintf("nothing is stored while %d earlier objects exist: %v",
		len(known), err)}
}

// prune deletes objects whose userdata was replaced twice.
func (r *Reconciler) prune(ctx context.Context, request *corev1.Secret, storage string) error {
	stay, spare := splitObjects(objects(request))
	if len(spare) == 0 {
		return nil
	}
	remaining, err := r.delete(ctx, client.ObjectKey{Namespace: request.Namespace, Name: storage}, spare)
	return errors.Join(err, r.setRemaining(ctx, request, append(stay, remaining...), err == nil))
}

// setRemaining records the objects that were not deleted. If it was possible to delete the others, an earlier problem
// of an answered request is solved.
func (r *Reconciler) setRemaining(ctx context.Context, request *corev1.Secret, remaining []object, solved bool) error {
	if len(remaining) == len(objects(request)) {
		return nil
	}
	return r.patch(ctx, request, func(s *corev1.Secret) error {
		setObjects(s, remaining)
		if solved && storagecontract.Answered(s) {
			delete(s.Annotations, storagecontract.ProblemAnnotation)
		}
		return nil
	})
}

// remove deletes all objects of the request and removes the finalizer.
func (r *Reconciler) remove(ctx context.Context, request *corev1.Secret, storage string) error {
	remaining, err := r.delete(ctx, client.ObjectKey{Namespace: request.Namespace, Name: storage}, objects(request))
	if errors.Is(err, ErrNoStorage) {
		// A user has removed the finalizer of the storage, so its objects can no longer be reached.
		ctrl.LoggerFrom(ctx).Info("The storage is gone; objects stay where they are", "storage", storage, "objects",
			len(remaining))
		err = nil
	}
	if err != nil {
		return r.fail(ctx, request, errors.Join(err, r.setRemaining(ctx, request, remaining, false)))
	}
	return client.IgnoreNotFound(r.patch(ctx, request, func(s *corev1.Secret) error {
		controllerutil.RemoveFinalizer(s, Finalizer)
		return nil
	}))
}

// delete deletes objects where they are stored, and returns those that remain. It starts with the oldest, because a
// retention period ends there first. After maxFailedDeletions it leaves the others at the same place: each attempt
// would probably fail, and can take minutes.
func (r *Reconciler) delete(ctx context.Context, key client.ObjectKey, known []object) ([]object, error) {
	var (
		remaining []object
		first     error
		failed    = map[string]int{}
	)
	for _, o := range slices.Backward(known) {
		if failed[o.place] < maxFailedDeletions {
			err := r.deleteObject(ctx, key, o)
			if err == nil {
				continue
			}
			if failed[o.place]++; first == nil {
				first = err
			}
		}
		remaining = append(remaining, o)
	}
	slices.Reverse(remaining)
	if first != nil {
		return remaining, fmt.Errorf("delete stored objects (%d remain): %w", len(remaining), first)
	}
	return nil, nil
}

// deleteObject deletes an object where it is stored. It ignores an error for an object that was only tried at a
// previous place: the place may be a mistake that was corrected.
func (r *Reconciler) deleteObject(ctx context.Context, key client.ObjectKey, o object) error {
	storage, err := r.Reopen(ctx, key, o.place)
	if err != nil {
		return err
	}
	err = storage.Delete(ctx, o.name)
	if err != nil && o.tried && o.place != storage.Place {
		ctrl.LoggerFrom(ctx).Info("An object that may have been stored cannot be deleted where the storage was", "object",
			o.name, "reason", err.Error())
		return nil
	}
	return err
}
