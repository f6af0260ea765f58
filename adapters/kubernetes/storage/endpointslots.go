package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/reserved"
	"github.com/machineadm/machineadm/ports"
)

const (
	// slotPrefix is the prefix of the names of Secrets with objects.
	slotPrefix = reserved.ServedPrefix
	// slotMark separates an object's name in a URL from the last part of its Secret's name, so that one request finds it.
	slotMark = "."
	// hashDigits is the length of the digest of a request's UID in the names of its slots. A request that is created
	// again gets other slots: the garbage collector deletes the old ones.
	hashDigits = 16
	// maxSlots limits how many Secrets are read.
	maxSlots = 64
)

// slots is the result of look.
type slots struct {
	// object is the slot of the object, and free is an empty slot; both may be nil.
	object, free *corev1.Secret
	// next is the name of the first slot that does not exist.
	next string
}

// findSlots reads the slots of a request, which are numbered from 0 without gaps. There are as many as the request ever
// had objects at once. It ignores a Secret of another type with such a name.
func (s *EndpointStorage) findSlots(ctx context.Context, request *corev1.Secret, name string) (slots, error) {
	sum := sha256.Sum256([]byte(request.UID))
	prefix := slotPrefix + hex.EncodeToString(sum[:])[:hashDigits] + "-"
	var found slots
	for n := range maxSlots {
		slot, at := &corev1.Secret{}, client.ObjectKey{Namespace: request.Namespace, Name: prefix + strconv.Itoa(n)}
		err := s.client.Get(ctx, at, slot)
		if apierrors.IsNotFound(err) {
			found.next = at.Name
			return found, nil
		}
		if err != nil {
			return slots{}, fmt.Errorf("get Secret %s: %w", at.Name, err)
		}
		switch held := slot.Annotations[objectAnnotation]; {
		case slot.Type != ObjectSecretType:
		case held == name:
			found.object = slot
		case held == "" && found.free == nil && slot.DeletionTimestamp.IsZero():
			found.free = slot
		}
	}
	return slots{}, &ports.StorageError{Message: fmt.Sprintf(
		"there are %d Secrets %s0, %s1 and so on already; remove those that are empty", maxSlots, prefix, prefix)}
}
