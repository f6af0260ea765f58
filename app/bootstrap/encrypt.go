package bootstrap

import (
	"errors"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/ports"
)

// identity names the machine of a description among all that ever were: a description that was made again is another
// one.
func identity(o ports.Owner) string {
	parts := []string{o.Namespace, o.Name}
	if o.UID != "" {
		parts = append(parts, o.UID)
	}
	return strings.Join(parts, "/")
}

// mayEncrypt returns why the configuration must not be encrypted; nil if it may. A key management service is asked with
// the controller's own identity, which may use keys that whoever writes configs may not.
func (s *Service) mayEncrypt(r Request, d Description) Outcome {
	e := d.Target.Delivery.Encryption
	if e.IsZero() || !e.HasService() || s.KeyIdentity != nil && s.KeyIdentity(r.Owner.Namespace) {
		return nil
	}
	return Stalled{Reason: ReasonKeyRefused, Message: fmt.Sprintf(
		"spec.delivery.encryption.provider: the controller's identity with key management "+
			"services is not for namespace %s; use the provider file or remote, or ask the administrator to list the namespace "+
			"in --kms-identity-namespaces",
		r.Owner.Namespace)}
}

// withoutKey returns why the configuration could not be encrypted; nil if something else failed. It goes with the
// error, since a key management service tells nobody when it is back or lets us in. The message is the same for a key
// that does not exist, is disabled or must not be used: the error, for the controller's log, has the service's code,
// and a tenant must not learn which keys there are.
func withoutKey(err error) Outcome {
	switch {
	case errors.Is(err, ports.ErrNoProvider):
		return Stalled{Reason: ReasonKeyRefused, Message: err.Error()}
	case errors.Is(err, ports.ErrKeysUnavailable):
		return Waiting{Reason: ReasonKeys, Message: ports.ErrKeysUnavailable.Error() + "; the controller's log has the cause"}
	case errors.Is(err, ports.ErrKeyRefused):
		return Stalled{Reason: ReasonKeyRefused, Message: "spec.delivery.encryption.key: " + ports.ErrKeyRefused.Error() +
			": the name is wrong, or the key " +
			"does not exist, is disabled, or is not for the controller; check it, or ask the administrator for the service's " +
			"answer in the controller's log"}
	default:
		return nil
	}
}
