package hosts

import (
	"bytes"
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// unknownFormat is the name of data whose format is not recognized.
const unknownFormat ports.HostFormat = "unknown"

// secrets implements ports.HostSecrets. It reads from the API server: no Secret is cached.
type secrets struct{ live client.Reader }

var _ ports.HostSecrets = secrets{}

// PrivateKey returns the private key of spec.sshKeyRef.
func (s secrets) PrivateKey(ctx context.Context, e ports.HostEntry) (secret.Value, error) {
	invalid := func(format string, values ...any) error {
		return &ports.HostError{
			Fault: host.FaultCredentials, Operation: "read the private key", Err: fmt.Errorf(format, values...),
		}
	}
	found := &corev1.Secret{}
	err := s.live.Get(ctx, client.ObjectKey{Namespace: e.Namespace, Name: e.SecretName}, found)
	switch {
	case apierrors.IsNotFound(err):
		return secret.Value{}, invalid("the Secret %s does not exist; %s", e.SecretName, convert.MoveRemedy)
	case err != nil:
		return secret.Value{}, fmt.Errorf("get the Secret %s: %w", e.SecretName, err)
	case found.Labels[v1alpha1.SSHKeyLabel] != "true":
		return secret.Value{}, invalid("the Secret %s does not have the label %s: \"true\"", e.SecretName,
			v1alpha1.SSHKeyLabel)
	case len(found.Data[e.SecretKey]) == 0:
		return secret.Value{}, invalid("the Secret %s has no key %s", e.SecretName, e.SecretKey)
	}
	return secret.New(found.Data[e.SecretKey]), nil
}

// Data returns the bootstrap data. Its format is that of the MachineBootstrapConfig that owns the Secret; for other
// providers, it is the key "format" and the first line of the data.
func (s secrets) Data(ctx context.Context, m ports.HostMachine) (ports.HostFormat, secret.Value, error) {
	found := &corev1.Secret{}
	err := s.live.Get(ctx, client.ObjectKey{Namespace: m.Namespace, Name: m.DataSecretName}, found)
	if apierrors.IsNotFound(err) {
		return "", secret.Value{}, fmt.Errorf("%w: the Secret %s does not exist", ports.ErrNoBootstrapData, m.DataSecretName)
	}
	if err != nil {
		return "", secret.Value{}, fmt.Errorf("get the bootstrap data: %w", err)
	}
	data := found.Data[kube.DataKey]
	if len(data) == 0 {
		return "", secret.Value{}, fmt.Errorf("%w: the Secret %s has no key %s", ports.ErrNoBootstrapData,
			m.DataSecretName, kube.DataKey)
	}
	format, err := s.renderedFormat(ctx, found)
	if err == nil && format == "" {
		format = detectFormat(string(found.Data[kube.DataFormatKey]), data)
	}
	return format, secret.New(data), err
}

// renderedFormat returns the format that the owner of the Secret reports, or an empty string if it is not a
// MachineBootstrapConfig.
func (s secrets) renderedFormat(ctx context.Context, data *corev1.Secret) (ports.HostFormat, error) {
	owner := kube.ControllerOf(data, bootstrapv1.Group, bootstrapv1.ConfigKind)
	if owner == nil {
		return "", nil
	}
	config := &bootstrapv1.MachineBootstrapConfig{}
	err := s.live.Get(ctx, client.ObjectKey{Namespace: data.Namespace, Name: owner.Name}, config)
	if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) || (err == nil && config.Status.Payload == nil) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("get the owner of the bootstrap data: %w", err)
	}
	if config.Status.Payload.Format == string(delivery.FormatCloudInit) {
		return ports.HostFormatCloudConfig, nil
	}
	return ports.HostFormat(config.Status.Payload.Format), nil
}

// detectFormat returns the format of data of other providers.
func detectFormat(key string, data []byte) ports.HostFormat {
	switch {
	case key == string(ports.HostFormatIgnition):
		return ports.HostFormatIgnition
	case bytes.HasPrefix(data, []byte("#!")):
		return ports.HostFormatShell
	case key == "" || key == string(ports.HostFormatCloudConfig):
		return ports.HostFormatCloudConfig
	default:
		return unknownFormat
	}
}
