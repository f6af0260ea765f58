// Package bundle reads and writes the two files of Talos that stand in Secrets: the secrets bundle, as talosctl gen
// secrets writes it, and the client configuration, talosconfig.
//
// It knows no cluster, so that the terminal can read a bundle among manifests.
package bundle

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

// Key is the bundle's key in the cluster's Secret, and Suffix what that Secret's name has after the cluster's. Talos's
// own bootstrap provider calls them so.
const (
	Key    = "bundle"
	Suffix = "-talos"
)

// file is the part of a bundle that is read and written (siderolabs/talos
// pkg/machinery/config/generate/secrets.Bundle). A bundle of Talos's own tools also has Kubernetes's key pairs: those
// are taken from Cluster API's Secrets.
type file struct {
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
		OS pair `yaml:"os"`
	} `yaml:"certs"`
}

// pair is a certificate and its key: PEM, in base64.
type pair struct {
	Crt string `yaml:"crt"`
	Key string `yaml:"key"`
}

func newPair(p node.KeyPair) pair {
	return pair{Crt: encode(p.Certificate), Key: encode(p.Key.Reveal())}
}

func (p pair) keyPair() (node.KeyPair, bool) {
	certificate, errCertificate := base64.StdEncoding.DecodeString(p.Crt)
	key, errKey := base64.StdEncoding.DecodeString(p.Key)
	return node.KeyPair{Certificate: certificate, Key: secret.New(key)}, errCertificate == nil && errKey == nil
}

func encode(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// Encode writes a bundle.
func Encode(s node.TalosSecrets) ([]byte, error) {
	var f file
	f.Cluster.ID, f.Cluster.Secret = s.ClusterID, string(s.ClusterSecret.Reveal())
	f.Secrets.BootstrapToken = string(s.BootstrapToken.Reveal())
	f.Secrets.SecretboxEncryptionSecret = string(s.SecretboxKey.Reveal())
	f.TrustdInfo.Token = string(s.TrustdToken.Reveal())
	f.Certs.OS = newPair(s.OSCA)
	return yaml.Marshal(f)
}

// read decodes the first document of a text that is not too costly to read.
func read(ctx context.Context, text []byte, into any) error {
	documents, err := structured.YAML(ctx, text)
	if err != nil || len(documents) == 0 {
		return err
	}
	return documents[0].Decode(into)
}

// Decode reads a bundle. What is wrong with it is ErrBadTalosSecrets, which names the field and never its value.
func Decode(ctx context.Context, text []byte) (node.TalosSecrets, error) {
	var f file
	// The error of the library may quote what it has read.
	if err := read(ctx, text, &f); err != nil {
		return node.TalosSecrets{}, fmt.Errorf("%w: this is no YAML of a secrets bundle", ports.ErrBadTalosSecrets)
	}
	ca, ok := f.Certs.OS.keyPair()
	if !ok {
		return node.TalosSecrets{}, fmt.Errorf("%w: certs.os is not in base64", ports.ErrBadTalosSecrets)
	}
	s := node.TalosSecrets{
		OSCA: ca, TrustdToken: secret.FromString(f.TrustdInfo.Token),
		BootstrapToken: secret.FromString(f.Secrets.BootstrapToken),
		ClusterID:      f.Cluster.ID, ClusterSecret: secret.FromString(f.Cluster.Secret),
		SecretboxKey: secret.FromString(f.Secrets.SecretboxEncryptionSecret),
	}
	if ca.Key.IsZero() {
		return s, fmt.Errorf("%w: certs.os.key is missing", ports.ErrBadTalosSecrets)
	}
	if findings := s.Check(Key); findings.HasErrors() {
		return s, fmt.Errorf("%w: %s: %s", ports.ErrBadTalosSecrets, findings[0].Path, findings[0].Message)
	}
	return s, nil
}

// Client is a client configuration with one context.
type Client struct {
	// Context is its name.
	Context string
	// Endpoints are the addresses of machines whose API is asked.
	Endpoints []string
	// CA is the certificate that they are trusted by, in PEM.
	CA []byte
	// Pair is the client's own certificate and key.
	Pair node.KeyPair
}

// ClientKey is the client configuration's key in its Secret, and ClientSuffix what that Secret's name has after the
// cluster's.
const (
	ClientKey    = "talosconfig"
	ClientSuffix = "-talosconfig"
)

// clientFile is a talosconfig (siderolabs/talos pkg/machinery/client/config.Config).
type clientFile struct {
	Context  string                   `yaml:"context"`
	Contexts map[string]clientContext `yaml:"contexts"`
}

type clientContext struct {
	Endpoints []string `yaml:"endpoints"`
	CA        string   `yaml:"ca"`
	pair      `yaml:",inline"`
}

// EncodeClient writes a client configuration.
func EncodeClient(c Client) ([]byte, error) {
	return yaml.Marshal(clientFile{Context: c.Context, Contexts: map[string]clientContext{
		c.Context: {Endpoints: c.Endpoints, CA: encode(c.CA), pair: newPair(c.Pair)},
	}})
}

// DecodeClient reads a client configuration. A text that is none gives an empty one, whose certificate nobody signed.
func DecodeClient(ctx context.Context, text []byte) Client {
	var f clientFile
	if read(ctx, text, &f) != nil {
		return Client{}
	}
	context := f.Contexts[f.Context]
	pair, ok := context.keyPair()
	ca, err := base64.StdEncoding.DecodeString(context.CA)
	if !ok || err != nil {
		return Client{}
	}
	c := Client{Context: f.Context, CA: ca, Pair: pair}
	c.Endpoints = append(c.Endpoints, context.Endpoints...)
	return c
}
