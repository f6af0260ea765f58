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

// talosKeyLength is how many bytes a cluster's identity, its secret and its encryption key have
// (docs.siderolabs.com/talos: cluster.id, cluster.secret and cluster.secretboxEncryptionSecret).
const talosKeyLength = 32

// TalosSecrets is what all Talos machines of one cluster share beside the cluster's Kubernetes key pairs. It is made
// once for each cluster: machines that were given different ones do not find or trust each other.
//
// The Kubernetes CA, the CA of etcd, the front proxy's CA and the service accounts' key are not in it: they come as
// certificates of the NodeConfig, as on every other system. A worker's NodeConfig has the certificate of the Kubernetes
// CA among them, ca.crt, since Talos trusts a certificate and knows no pins.
type TalosSecrets struct {
	// OSCA signs the certificates of Talos's own API. Workers get the certificate alone.
	OSCA KeyPair `json:"osCA"`
	// TrustdToken lets a machine ask a control plane machine for a certificate of OSCA; six and sixteen characters, as a
	// bootstrap token has them.
	TrustdToken secret.Value `json:"trustdToken"`
	// BootstrapToken is the Kubernetes bootstrap token, id.secret, that control plane machines put up when they start the
	// cluster and their kubelets join by. Workers join by the token of their discovery.
	BootstrapToken secret.Value `json:"bootstrapToken"`
	// ClusterID and ClusterSecret are how machines find each other in Talos's discovery: 32 bytes each, the ID in base64
	// with the alphabet of URLs, the secret in the usual one.
	ClusterID     string       `json:"clusterID"`
	ClusterSecret secret.Value `json:"clusterSecret"`
	// SecretboxKey encrypts Secrets in etcd: 32 bytes in base64. Only control plane machines get it.
	SecretboxKey secret.Value `json:"secretboxKey"`
}

// Kind returns KindTalosSecrets.
func (TalosSecrets) Kind() document.Kind { return KindTalosSecrets }

// Check finds what Talos refuses, and keys of a wrong length, which it finds only at boot.
func (s TalosSecrets) Check(p report.Path) report.Report {
	var r report.Report
	if !isPEM(s.OSCA.Certificate, "CERTIFICATE") {
		r = append(r, report.Errorf(p.Field("osCA").Field("certificate"), "this is no certificate in PEM"))
	}
	if !s.OSCA.Key.IsZero() && !isPEM(s.OSCA.Key.Reveal(), "PRIVATE KEY") {
		r = append(r, report.Errorf(p.Field("osCA").Field("key"), "this is no private key in PEM"))
	}
	tokens := []struct {
		field string
		value secret.Value
	}{{"trustdToken", s.TrustdToken}, {"bootstrapToken", s.BootstrapToken}}
	for _, t := range tokens {
		if !tokenPattern.Match(t.value.Reveal()) {
			r = append(r, report.Errorf(p.Field(t.field), "this is no token").To(
				"write six and sixteen characters with a dot between"))
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
			r = append(r, report.Errorf(p.Field(k.field), "this is not %d bytes in base64", talosKeyLength))
		}
	}
	return r
}

// isPEM reports whether b holds a block whose type ends in kind, as "EC PRIVATE KEY" does.
func isPEM(b []byte, kind string) bool {
	block, _ := pem.Decode(b)
	return block != nil && len(block.Bytes) > 0 && bytes.HasSuffix([]byte(block.Type), []byte(kind))
}
