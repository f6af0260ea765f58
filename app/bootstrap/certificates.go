package bootstrap

import (
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// lookUpCluster looks up the cluster's certificates and secrets that the role needs.
func (p *production) lookUpCluster(ctx context.Context) error {
	var err error
	if p.role.IsControlPlane() {
		p.certificates, err = p.controlPlaneCertificates(ctx)
	} else if !p.description.Target.Profile.RunsKubeadm() {
		p.certificates, err = p.authority(ctx)
	}
	if err == nil && p.role != node.RoleInit {
		p.pins, err = p.Certificates.Pins(ctx, p.request.Cluster.Key)
	}
	if err == nil && p.request.talos() {
		err = p.lookUpTalos(ctx)
	}
	return clusterError(err)
}

// authority returns the certificate of the cluster's CA, without its key.
func (p *production) authority(ctx context.Context) ([]node.CertificateFile, error) {
	cluster := p.request.Cluster
	pair, err := p.Certificates.Find(ctx, cluster.Key, node.PurposeClusterCA)
	if err != nil {
		return nil, fmt.Errorf("certificate %s of cluster %s: %w", node.PurposeClusterCA, cluster.Name, err)
	}
	return node.KeyPair{Certificate: pair.Certificate}.CertificateFiles(node.PurposeClusterCA), nil
}

// controlPlaneCertificates returns the files of a control plane machine. In a cluster without a control plane provider
// the first machine generates missing certificates.
func (p *production) controlPlaneCertificates(ctx context.Context) ([]node.CertificateFile, error) {
	c, _, _ := document.First[node.ControlPlaneConfig](p.description.Documents)
	external := c.ExternalEtcd != nil
	var files []node.CertificateFile
	for _, purpose := range node.ControlPlanePurposes(external) {
		if external && providedByUser(c, purpose) {
			continue
		}
		if p.role == node.RoleInit && p.request.Cluster.StandAlone && !(external && purpose == node.PurposeEtcdCA) {
			if err := p.generate(ctx, purpose, c.Certificates); err != nil {
				return nil, err
			}
		}
		pair, err := p.keyPair(ctx, purpose, external)
		if err != nil {
			return nil, err
		}
		files = append(files, pair.CertificateFiles(purpose)...)
	}
	return files, nil
}

// providedByUser reports whether the user provides the file of an external etcd and sets its path.
func providedByUser(c node.ControlPlaneConfig, p node.Purpose) bool {
	switch p {
	case node.PurposeEtcdCA:
		return c.ExternalEtcd.CAFile != ""
	case node.PurposeEtcdClient:
		return c.ExternalEtcd.CertFile != ""
	case node.PurposeClusterCA, node.PurposeFrontProxyCA, node.PurposeServiceAccount:
	}
	return false
}

// generate generates a missing key pair. The client certificate of an external etcd cannot be generated.
func (p *production) generate(ctx context.Context, purpose node.Purpose, settings node.Certificates) error {
	cluster := p.request.Cluster.Key
	_, err := p.Certificates.Find(ctx, cluster, purpose)
	if !errors.Is(err, ports.ErrNoCertificate) || purpose == node.PurposeEtcdClient {
		return nil
	}
	if err := p.Certificates.Generate(ctx, cluster, purpose, settings); err != nil {
		return fmt.Errorf("generate the certificate %s: %w", purpose, err)
	}
	return nil
}

func (p *production) keyPair(ctx context.Context, purpose node.Purpose, external bool) (node.KeyPair, error) {
	cluster := p.request.Cluster
	pair, err := p.Certificates.Find(ctx, cluster.Key, purpose)
	if err != nil {
		return pair, fmt.Errorf("certificate %s of cluster %s: %w", purpose, cluster.Name, err)
	}
	if !pair.Complete(purpose, external) {
		return pair, fmt.Errorf("certificate %s of cluster %s lacks its certificate or key: %w", purpose, cluster.Name,
			ports.ErrInvalidCertificate)
	}
	return pair, nil
}
