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
	// slotPrefix begins the names of Secrets that hold objects.
	slotPrefix = reserved.ServedPrefix
	// slotMark stands in an address between the name of an object and what follows the prefix in the name of its Secret,
	// so that one look finds it.
	slotMark = "."
	// hashDigits are how much of the digest of its deposit's UID a slot's name has. A deposit that is made again gets
	// slots of its own: the old ones belong to the garbage collector.
	hashDigits = 16
	// maxSlots bounds how many Secrets are looked at.
	maxSlots = 64
)

// slots is what is known of a deposit's slots.
type slots struct {
	// object is that of the name that was looked for, and free an empty one; both may be nil.
	object, free *corev1.Secret
	// next is the name of the first one that is not there.
	next string
}

// look goes through the slots of a deposit: they are counted from 0, and each is there if a later one is. There are as
// many as the deposit ever had objects at once. A Secret of the name that somebody else made is left alone.
func (s *EndpointStorage) look(ctx context.Context, deposit *corev1.Secret, name string) (slots, error) {
	sum := sha256.Sum256([]byte(deposit.UID))
	prefix := slotPrefix + hex.EncodeToString(sum[:])[:hashDigits] + "-"
	var found slots
	for n := range maxSlots {
		slot, at := &corev1.Secret{}, client.ObjectKey{Namespace: deposit.Namespace, Name: prefix + strconv.Itoa(n)}
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
