package convert

import (
	"context"
	"encoding/base64"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// TalosBundleKey is the bundle's key in the cluster's Secret, and Suffix is the suffix of the Secret's name after the
// cluster's name. Both are those of Talos's own bootstrap provider.
const (
	TalosBundleKey    = "bundle"
	TalosBundleSuffix = "-talos"
)

// talosBundleFile contains the fields of a bundle that are read and written (siderolabs/talos
// pkg/machinery/config/generate/secrets.Bundle). Bundles of Talos's own tools also contain Kubernetes's key pairs;
// machineadm reads those from Cluster API's Secrets.
type talosBundleFile struct {
	Cluster struct {
		ID     string `yaml:"id"`
		Secret string `yaml:"secret"`
	} `yaml:"cluster"`
	Secrets struct {
		BootstrapToken            string `yaml:"bootstraptoken"`
		SecretboxEncryptionSecret string `yaml:"secretboxencryptionsecret"`
	} `yaml:"secrets"`
	TrustdInfo struct {
		Token string `yaml:"token"`
	} `yaml:"trustdinfo"`
	Certs struct {
		OS talosKeyPair `yaml:"os"`
	} `yaml:"certs"`
}

// talosKeyPair is a certificate and its key, as base64 of PEM.
type talosKeyPair struct {
	Crt string `yaml:"crt"`
	Key string `yaml:"key"`
}

func newTalosKeyPair(p node.KeyPair) talosKeyPair {
	return talosKeyPair{Crt: encodeBase64(p.Certificate), Key: encodeBase64(p.Key.Reveal())}
}

func (p talosKeyPair) keyPair() (node.KeyPair, bool) {
	certificate, errCertificate := base64.StdEncoding.DecodeString(p.Crt)
	key, errKey := base64.StdEncoding.DecodeString(p.Key)
	return node.KeyPair{Certificate: certificate, Key: secret.New(key)}, errCertificate == nil && errKey == nil
}

func encodeBase64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// EncodeTalosBundle returns the bundle as YAML.
func EncodeTalosBundle(s node.TalosSecrets) ([]byte, error) {
	var f talosBundleFile
	f.Cluster.ID, f.Cluster.Secret = s.ClusterID, string(s.ClusterSecret.Reveal())
	f.Secrets.BootstrapToken = string(s.BootstrapToken.Reveal())
	f.Secrets.SecretboxEncryptionSecret = string(s.SecretboxKey.Reveal())
	f.TrustdInfo.Token = string(s.TrustdToken.Reveal())
	f.Certs.OS = newTalosKeyPair(s.OSCA)
	return yaml.Marshal(f)
}

// decodeFirstYAML decodes the first document of a text, within the budget of the context.
func decodeFirstYAML(ctx context.Context, text []byte, into any) error {
	documents, err := structured.YAML(ctx, text)
	if err != nil || len(documents) == 0 {
		return err
	}
	return documents[0].Decode(into)
}

// DecodeTalosBundle reads a bundle. The error for an invalid bundle is ErrInvalidTalosSecrets, which names the field
// but not its value.
func DecodeTalosBundle(ctx context.Context, text []byte) (node.TalosSecrets, error) {
	var f talosBundleFile
	// The library's error is dropped, because it may quote secrets.
	if err := decodeFirstYAML(ctx, text, &f); err != nil {
		return node.TalosSecrets{}, fmt.Errorf("%w: this is not the YAML of a secrets bundle", ports.ErrInvalidTalosSecrets)
	}
	ca, ok := f.Certs.OS.keyPair()
	if !ok {
		return node.TalosSecrets{}, fmt.Errorf("%w: certs.os is not in base64", ports.ErrInvalidTalosSecrets)
	}
	s := node.TalosSecrets{
		OSCA: ca, TrustdToken: secret.FromString(f.TrustdInfo.Token),
		BootstrapToken: secret.FromString(f.Secrets.BootstrapToken),
		ClusterID:      f.Cluster.ID, ClusterSecret: secret.FromString(f.Cluster.Secret),
		SecretboxKey: secret.FromString(f.Secrets.SecretboxEncryptionSecret),
	}
	if ca.Key.IsZero() {
		return s, fmt.Errorf("%w: certs.os.key is missing", ports.ErrInvalidTalosSecrets)
	}
	if findings := s.Check(TalosBundleKey); findings.HasErrors() {
		return s, fmt.Errorf("%w: %s: %s", ports.ErrInvalidTalosSecrets, findings[0].Path, findings[0].Message)
	}
	return s, nil
}

// TalosConfig is a client configuration with one context.
type TalosConfig struct {
	// Context is the name of the context.
	Context string
	// Endpoints are the addresses of machines that serve the Talos API.
	Endpoints []string
	// CA is the CA certificate of these machines in PEM.
	CA []byte
	// Pair is the client's certificate and key.
	Pair node.KeyPair
}

// TalosConfigKey is the client configuration's key in its Secret, and ClientSuffix is the suffix of the Secret's name
// after the cluster's name.
const (
	TalosConfigKey    = "talosconfig"
	TalosConfigSuffix = "-talosconfig"
)

// talosConfigFile is a talosconfig (siderolabs/talos pkg/machinery/client/config.Config).
type talosConfigFile struct {
	Context  string                  `yaml:"context"`
	Contexts map[string]talosContext `yaml:"contexts"`
}

type talosContext struct {
	Endpoints    []string `yaml:"endpoints"`
	CA           string   `yaml:"ca"`
	talosKeyPair `yaml:",inline"`
}

// EncodeTalosConfig returns the client configuration as YAML.
func EncodeTalosConfig(c TalosConfig) ([]byte, error) {
	return yaml.Marshal(talosConfigFile{Context: c.Context, Contexts: map[string]talosContext{
		c.Context: {Endpoints: c.Endpoints, CA: encodeBase64(c.CA), talosKeyPair: newTalosKeyPair(c.Pair)},
	}})
}

// DecodeTalosConfig reads a client configuration. It returns an empty one for an invalid text; its certificate does not
// verify.
func DecodeTalosConfig(ctx context.Context, text []byte) TalosConfig {
	var f talosConfigFile
	if decodeFirstYAML(ctx, text, &f) != nil {
		return TalosConfig{}
	}
	context := f.Contexts[f.Context]
	pair, ok := context.keyPair()
	ca, err := base64.StdEncoding.DecodeString(context.CA)
	if !ok || err != nil {
		return TalosConfig{}
	}
	c := TalosConfig{Context: f.Context, CA: ca, Pair: pair}
	c.Endpoints = append(c.Endpoints, context.Endpoints...)
	return c
}
