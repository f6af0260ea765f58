package bootstrap

import (
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Reason is the machine-readable reason why data is not published, or not maintained.
type Reason string

// The reasons of Waiting.
const (
	ReasonOwner          Reason = "WaitingForOwner"
	ReasonCluster        Reason = "WaitingForCluster"
	ReasonInfrastructure Reason = "WaitingForInfrastructure"
	ReasonControlPlane   Reason = "WaitingForControlPlane"
	ReasonInitLock       Reason = "WaitingForFirstMachine"
	ReasonCertificates   Reason = "WaitingForCertificates"
	ReasonEndpoint       Reason = "WaitingForEndpoint"
	ReasonReference      Reason = "WaitingForReference"
	ReasonRemoval        Reason = "WaitingForRemoval"
	ReasonUnreachable    Reason = "ClusterUnreachable"
	ReasonTalosSecrets   Reason = "WaitingForTalosSecrets"
	ReasonStorage        Reason = "WaitingForStorage"
	ReasonPlugin         Reason = "WaitingForPlugin"
	ReasonKeys           Reason = "KeysUnavailable"
)

// The reasons of Stalled.
const (
	ReasonInvalid             Reason = "InvalidSpec"
	ReasonVersionSkew         Reason = "VersionSkew"
	ReasonSecretNotOwned      Reason = "SecretNotOwned"
	ReasonLockNotOwned        Reason = "InitLockNotOwned"
	ReasonInvalidCertificate  Reason = "BadCertificate"
	ReasonControlPlaneType    Reason = "InvalidControlPlaneType"
	ReasonInvalidTalosSecrets Reason = "BadTalosSecrets"
	ReasonTooLarge            Reason = "PayloadTooLarge"
	ReasonStorageRefused      Reason = "StorageRefused"
	ReasonKeyRefused          Reason = "KeyRefused"
	ReasonPluginFailed        Reason = "PluginFailed"
	ReasonPluginNotOwned      Reason = "PluginNotOwned"
	ReasonPluginOrder         Reason = "InvalidPluginOrder"
	ReasonPluginInvalid       Reason = "InvalidPlugin"
	ReasonPluginAgent         Reason = "PluginNeedsAgent"
)

// Blocked is an error that is reported as a condition: Waiting or Stalled. Other errors are failures, which are logged
// and tried again.
type Blocked interface {
	error
	// Condition returns the reason and the message of the condition.
	Condition() (Reason, string)
}

// WaitingError is the error for data that needs something else first. The awaited change triggers the next attempt.
type WaitingError struct {
	Reason  Reason
	Message string
	// At is the path of the field that names what the machine waits for, or empty if no field of its description does.
	At report.Path
	// Findings are about the missing references that the machine waits for, if it waits for references.
	Findings report.Report
	// Recent means that the wait has just begun, so that it need not be reported yet.
	Recent bool
	// Cause is set if nothing triggers the next attempt.
	Cause error
}

// Error returns the message.
func (w WaitingError) Error() string { return w.Message }

// Unwrap returns the cause.
func (w WaitingError) Unwrap() error { return w.Cause }

// Condition implements Blocked. Its message begins with the field.
func (w WaitingError) Condition() (Reason, string) {
	if w.At == "" {
		return w.Reason, w.Message
	}
	return w.Reason, string(w.At) + ": " + w.Message
}

// StalledError is the error for data that needs a change by the user.
type StalledError struct {
	Reason  Reason
	Message string
	// Findings are the mistakes in the machine's description, or none for other reasons.
	Findings report.Report
	// Cause is set if nothing triggers the next attempt.
	Cause error
}

// Error returns the message.
func (s StalledError) Error() string { return s.Message }

// Unwrap returns the cause.
func (s StalledError) Unwrap() error { return s.Cause }

// Condition implements Blocked.
func (s StalledError) Condition() (Reason, string) { return s.Reason, s.Message }

// Failure returns the error that needs another attempt: the cause of a Waiting or Stalled, or the error itself. It is
// nil if a change triggers the next attempt.
func Failure(err error) error {
	if blocked := Blocked(nil); errors.As(err, &blocked) {
		return errors.Unwrap(blocked)
	}
	return err
}

// withFailure adds a failure to an error.
func withFailure(err, failure error) error {
	var w WaitingError
	var s StalledError
	switch {
	case failure == nil:
		return err
	case errors.As(err, &w):
		w.Cause = errors.Join(w.Cause, failure)
		return w
	case errors.As(err, &s):
		s.Cause = errors.Join(s.Cause, failure)
		return s
	default:
		return errors.Join(err, failure)
	}
}

// clusterError converts an error about the cluster's certificates and Talos secrets.
func clusterError(err error) error {
	switch {
	case errors.Is(err, ports.ErrNoTalosSecrets):
		return WaitingError{Reason: ReasonTalosSecrets, Message: err.Error()}
	case errors.Is(err, ports.ErrInvalidTalosSecrets):
		return StalledError{Reason: ReasonInvalidTalosSecrets, Message: err.Error()}
	case errors.Is(err, ports.ErrNotOwned):
		return StalledError{
			Reason:  ReasonSecretNotOwned,
			Message: err.Error() + "; remove it or give the cluster another name",
		}
	case errors.Is(err, ports.ErrNoCertificate):
		return WaitingError{Reason: ReasonCertificates, Message: err.Error()}
	case errors.Is(err, ports.ErrInvalidCertificate):
		return StalledError{Reason: ReasonInvalidCertificate, Message: err.Error()}
	case err != nil:
		return fmt.Errorf("look up certificates: %w", err)
	default:
		return nil
	}
}

// dataError converts an error about the data Secret.
func dataError(err error, operation string, key ports.Key) error {
	switch {
	case errors.Is(err, ports.ErrNotOwned):
		return StalledError{Reason: ReasonSecretNotOwned, Message: fmt.Sprintf(
			"the Secret %s is not this object's; remove it or give the machine another name", key.Name)}
	case errors.Is(err, ports.ErrDataDeleting):
		return WaitingError{Reason: ReasonRemoval, Message: fmt.Sprintf("the Secret %s is being removed", key.Name)}
	case err != nil:
		return fmt.Errorf("%s the data: %w", operation, err)
	default:
		return nil
	}
}

// storageError converts an error about the stored object.
func storageError(err error, key ports.Key, storage delivery.StorageRef) error {
	var refused *ports.StorageError
	switch {
	case errors.Is(err, ports.ErrStoragePending):
		return WaitingError{Reason: ReasonStorage, Message: fmt.Sprintf("%s has not stored Secret %s yet", storage, key.Name)}
	case errors.As(err, &refused):
		return StalledError{Reason: ReasonStorageRefused, Message: fmt.Sprintf("%s: %s", storage, refused.Message)}
	case errors.Is(err, ports.ErrNotOwned), errors.Is(err, ports.ErrDataDeleting):
		return dataError(err, "store", key)
	default:
		return keyError(err, "store the data")
	}
}

// tokenError converts an error of an operation on a token in the workload cluster. ErrUnreachable needs no cause: the
// cluster's connection triggers the next attempt.
func tokenError(err error, operation string) error {
	waiting := WaitingError{Reason: ReasonUnreachable, Message: "the cluster cannot be reached to " + operation}
	switch {
	case errors.Is(err, ports.ErrUnreachable):
		return waiting
	case errors.Is(err, ports.ErrNoAnswer):
		waiting.Cause = err
		return waiting
	default:
		return err
	}
}

// keyError converts an error of encryption. It is the cause of the result, since a key management service triggers no
// attempt. The message is the same for a key that does not exist, is disabled or must not be used, so that tenants do
// not learn which keys exist. The log contains the service's answer.
func keyError(err error, operation string) error {
	if err == nil {
		return nil
	}
	failure := fmt.Errorf("%s: %w", operation, err)
	switch {
	case errors.Is(err, ports.ErrNoProvider):
		return StalledError{Reason: ReasonKeyRefused, Message: err.Error(), Cause: failure}
	case errors.Is(err, ports.ErrKeysUnavailable):
		return WaitingError{
			Reason: ReasonKeys, Cause: failure,
			Message: ports.ErrKeysUnavailable.Error() + "; the controller's log has the cause",
		}
	case errors.Is(err, ports.ErrKeyRefused):
		return StalledError{Reason: ReasonKeyRefused, Cause: failure, Message: "spec.delivery.encryption.key: " +
			ports.ErrKeyRefused.Error() + ": the name is wrong, or the key does not exist, is disabled, or is not for " +
			"the controller; check it, or ask the administrator for the service's answer in the controller's log"}
	default:
		return failure
	}
}
