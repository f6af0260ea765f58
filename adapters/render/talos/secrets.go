package talos

import (
	"bytes"

	talosx509 "github.com/siderolabs/crypto/x509"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// keys are the cluster's key pairs by their purpose; those of a purpose that Talos has no place for are other.
type keys struct {
	pairs map[node.Purpose]*talosx509.PEMEncodedCertificateAndKey
	// other are indexes of certificates that Talos has no place for.
	other []int
}

// sortKeys finds the key pairs among the files that kubeadm would get. It asks the domain which file belongs to which
// purpose.
func sortKeys(given []node.CertificateFile) keys {
	k := keys{pairs: map[node.Purpose]*talosx509.PEMEncodedCertificateAndKey{}}
	purposes := node.ControlPlanePurposes(false)
	for i, file := range given {
		found := false
		for _, p := range purposes {
			certificate, key := p.Files()
			if file.Path != certificate && file.Path != key {
				continue
			}
			found = true
			pair := k.pair(p)
			if file.Path == key {
				pair.Key = file.Content.Reveal()
			} else {
				pair.Crt = file.Content.Reveal()
			}
		}
		if !found {
			k.other = append(k.other, i)
		}
	}
	return k
}

func (k keys) pair(p node.Purpose) *talosx509.PEMEncodedCertificateAndKey {
	if k.pairs[p] == nil {
		k.pairs[p] = &talosx509.PEMEncodedCertificateAndKey{}
	}
	return k.pairs[p]
}

// checkKeys finds key pairs that the machine's role needs and does not have, and those that Talos has no place for.
func (b *build) checkKeys() report.Report {
	at := b.nodeAt.Field("certificates")
	var r report.Report
	for _, i := range b.keys.other {
		r = append(r, report.Errorf(at.Index(i), "Talos does not support %s", b.node.Certificates[i].Path).To("leave it out"))
	}
	if len(b.keys.pair(node.PurposeClusterCA).Crt) == 0 {
		return append(r, report.Errorf(at, "Talos needs the certificate of the cluster's CA; a pin is not enough for it"))
	}
	if b.node.Role.IsControlPlane() {
		for _, p := range node.ControlPlanePurposes(false) {
			if pair := b.keys.pair(p); len(pair.Key) == 0 || (len(pair.Crt) == 0 && p != node.PurposeServiceAccount) {
				r = append(r, report.Errorf(at, "the key pair %q is not complete", p))
			}
		}
		if b.secrets.OSCA.Key.IsZero() {
			r = append(r, report.Errorf(at, "the key of Talos's own CA is missing"))
		}
	}
	return r
}

// bundle is what Talos's generator is given, whole, so that it makes nothing itself. It takes keys for control plane
// machines alone.
func (b *build) bundle() *secrets.Bundle {
	token := b.secrets.BootstrapToken
	if d := b.node.Discovery; d != nil && !b.node.Role.IsControlPlane() {
		token = d.Token
	}
	return &secrets.Bundle{
		Cluster: &secrets.Cluster{ID: b.secrets.ClusterID, Secret: string(b.secrets.ClusterSecret.Reveal())},
		Secrets: &secrets.Secrets{
			BootstrapToken:            string(token.Reveal()),
			SecretboxEncryptionSecret: string(b.secrets.SecretboxKey.Reveal()),
		},
		TrustdInfo: &secrets.TrustdInfo{Token: string(b.secrets.TrustdToken.Reveal())},
		Certs: &secrets.Certs{
			Etcd:              b.keys.pair(node.PurposeEtcdCA),
			K8s:               b.keys.pair(node.PurposeClusterCA),
			K8sAggregator:     b.keys.pair(node.PurposeFrontProxyCA),
			K8sServiceAccount: &talosx509.PEMEncodedKey{Key: b.keys.pair(node.PurposeServiceAccount).Key},
			OS: &talosx509.PEMEncodedCertificateAndKey{
				Crt: bytes.Clone(b.secrets.OSCA.Certificate), Key: b.secrets.OSCA.Key.Reveal(),
			},
		},
	}
}
