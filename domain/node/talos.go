package node

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// KindTalosSecrets is a singleton.
const KindTalosSecrets document.Kind = "TalosSecrets"

// talosKeyLength is the length in bytes of a cluster's ID, secret and encryption key (docs.siderolabs.com/talos:
// cluster.id, cluster.secret and cluster.secretboxEncryptionSecret).
const talosKeyLength = 32

// TalosSecrets are the secrets that all Talos machines of one cluster share, besides the cluster's Kubernetes key
// pairs. They are created once for each cluster. Machines with different secrets neither find nor trust each other.
//
// The Kubernetes CA, the CA of etcd, the CA of the front proxy and the key of service accounts are certificates of the
// NodeConfig, as on every other system. A worker's NodeConfig contains the certificate of the Kubernetes CA, ca.crt,
// because Talos verifies with a certificate and supports no pins.
type TalosSecrets struct {
	// OSCA signs the certificates of the Talos API. Workers receive only the certificate.
	OSCA KeyPair `json:"osCA"`
	// TrustdToken authorizes a machine to request a certificate of OSCA from a control plane machine. It has six and
	// sixteen characters, like a bootstrap token.
	TrustdToken secret.Value `json:"trustdToken"`
	// BootstrapToken is the Kubernetes bootstrap token, id.secret, that the first control plane machine creates and the
	// kubelets of control plane machines join with. Workers join with the token of their discovery.
	BootstrapToken secret.Value `json:"bootstrapToken"`
	// ClusterID identifies the cluster in Talos's discovery service: 32 bytes in base64 with the alphabet of URLs.
	ClusterID string `json:"clusterID"`
	// ClusterSecret encrypts the data in Talos's discovery service: 32 bytes in base64.
	ClusterSecret secret.Value `json:"clusterSecret"`
	// SecretboxKey encrypts Secrets in etcd: 32 bytes in base64. Only control plane machines receive it.
	SecretboxKey secret.Value `json:"secretboxKey"`
}

// Kind returns KindTalosSecrets.
func (TalosSecrets) Kind() document.Kind { return KindTalosSecrets }

// Check returns error findings for values that Talos refuses. That includes keys of a wrong length, which Talos itself
// detects only at boot.
func (s TalosSecrets) Check(p report.Path) report.Report {
	var r report.Report
	if !isPEM(s.OSCA.Certificate, "CERTIFICATE") {
		r = append(r, report.Errorf(p.Field("osCA").Field("certificate"), "this is not a certificate in PEM").
			To("copy the PEM block from -----BEGIN CERTIFICATE----- on"))
	}
	if !s.OSCA.Key.IsZero() && !isPEM(s.OSCA.Key.Reveal(), "PRIVATE KEY") {
		r = append(r, report.Errorf(p.Field("osCA").Field("key"), "this is not a private key in PEM").To(
			"copy the PEM block with BEGIN and END lines"))
	}
	tokens := []struct {
		field string
		value secret.Value
	}{{"trustdToken", s.TrustdToken}, {"bootstrapToken", s.BootstrapToken}}
	for _, t := range tokens {
		if !isToken(string(t.value.Reveal())) {
			r = append(r, report.Errorf(p.Field(t.field), "this is not a bootstrap token").To(
				"write six lower-case letters and digits, a dot, and sixteen more"))
		}
	}
	return append(r, s.checkKeys(p)...)
}

func (s TalosSecrets) checkKeys(p report.Path) report.Report {
	keys := []struct {
		field    string
		encoding *base64.Encoding
		value    []byte
	}{
		{"clusterID", base64.URLEncoding, []byte(s.ClusterID)},
		{"clusterSecret", base64.StdEncoding, s.ClusterSecret.Reveal()},
		{"secretboxKey", base64.StdEncoding, s.SecretboxKey.Reveal()},
	}
	var r report.Report
	for _, k := range keys {
		decoded := make([]byte, k.encoding.DecodedLen(len(k.value)))
		if n, err := k.encoding.Decode(decoded, k.value); err != nil || n != talosKeyLength ||
			bytes.ContainsAny(k.value, "\r\n") {
			r = append(r, report.Errorf(p.Field(k.field), "this is not base64 of %d bytes", talosKeyLength).
				To("create it with: talosctl gen secrets"))
		}
	}
	return r
}

// isPEM reports whether b contains a PEM block whose type ends in kind, as "EC PRIVATE KEY" ends in "PRIVATE KEY".
func isPEM(b []byte, kind string) bool {
	block, _ := pem.Decode(b)
	return block != nil && len(block.Bytes) > 0 && bytes.HasSuffix([]byte(block.Type), []byte(kind))
}
