package bootstrap

import (
	"errors"
	"strings"

	"github.com/machineadm/machineadm/ports"
)

// identity names the machine of a description among all that ever were: a description that was made again is another one.
func identity(o ports.Owner) string {
	parts := []string{o.Namespace, o.Name}
	if o.UID != "" {
		parts = append(parts, o.UID)
	}
	return strings.Join(parts, "/")
}

// withoutKey returns why the configuration could not be encrypted; nil if something else failed. It goes with the error, since a
// key management service tells nobody when it is back or lets us in.
func withoutKey(err error) Outcome {
	switch {
	case errors.Is(err, ports.ErrKeysUnavailable):
		return Waiting{Reason: ReasonKeys, Message: err.Error()}
	case errors.Is(err, ports.ErrKeyRefused), errors.Is(err, ports.ErrNoProvider):
		return Stalled{Reason: ReasonKeyRefused, Message: err.Error()}
	default:
		return nil
	}
}
