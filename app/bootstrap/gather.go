package bootstrap

import (
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// facts are what the cluster adds to a machine's description.
type facts struct {
	role         node.Role
	pins         []string
	certificates []node.CertificateFile
	// talos is what Talos machines share; nil in a cluster that is none of Talos's. start goes with it.
	talos *node.TalosSecrets
	start *Start
}

// gather collects what the role needs of the cluster's certificates and secrets.
func (s *Service) gather(ctx context.Context, r Request, role node.Role, d Description) (facts, Outcome, error) {
	f := facts{role: role}
	var err error
	if role.IsControlPlane() {
		f.certificates, err = s.certificates(ctx, r, role, d.Documents)
	} else if !d.Target.Profile.RunsKubeadm() {
		f.certificates, err = s.authority(ctx, r)
	}
	if err == nil && role != node.RoleInit {
		f.pins, err = s.Certificates.Pins(ctx, r.Cluster.Key)
	}
	if err == nil && r.talos() {
		err = s.gatherTalos(ctx, r, &f)
	}
	if o := talosProblem(err); o != nil {
		return f, o, nil
	}
	switch {
	case errors.Is(err, ports.ErrNoCertificate):
		return f, Waiting{ReasonCertificates, err.Error()}, nil
	case errors.Is(err, ports.ErrBadCertificate):
		return f, Stalled{Reason: ReasonBadCertificate, Message: err.Error()}, nil
	case err != nil:
		return f, nil, fmt.Errorf("look up certificates: %w", err)
	}
	return f, nil, nil
}

// authority returns the certificate of the cluster's CA, without its key.
func (s *Service) authority(ctx context.Context, r Request) ([]node.CertificateFile, error) {
	pair, err := s.Certificates.Find(ctx, r.Cluster.Key, node.PurposeClusterCA)
	if err != nil {
		return nil, fmt.Errorf("certificate %s of cluster %s: %w", node.PurposeClusterCA, r.Cluster.Name, err)
	}
	return node.KeyPair{Certificate: pair.Certificate}.CertificateFiles(node.PurposeClusterCA), nil
}

// certificates returns the files of a control plane machine. The first machine of a cluster that nobody else looks
// after makes what is missing.
func (s *Service) certificates(ctx context.Context, r Request, role node.Role,
	docs []document.Document,
) ([]node.CertificateFile, error) {
	c, _, _ := document.First[node.ControlPlaneConfig](docs)
	external := c.ExternalEtcd != nil
	var files []node.CertificateFile
	for _, p := range node.ControlPlanePurposes(external) {
		if external && byUser(c, p) {
			continue
		}
		if role == node.RoleInit && r.Cluster.StandAlone && !(external && p == node.PurposeEtcdCA) {
			if err := s.generate(ctx, r, p, c.Certificates); err != nil {
				return nil, err
			}
		}
		pair, err := s.pair(ctx, r, p, external)
		if err != nil {
			return nil, err
		}
		files = append(files, pair.CertificateFiles(p)...)
	}
	return files, nil
}

// byUser reports whether the user says where the file of an external etcd stands, and so brings it along.
func byUser(c node.ControlPlaneConfig, p node.Purpose) bool {
	switch p {
	case node.PurposeEtcdCA:
		return c.ExternalEtcd.CAFile != ""
	case node.PurposeEtcdClient:
		return c.ExternalEtcd.CertFile != ""
	default:
		return false
	}
}

func (s *Service) generate(ctx context.Context, r Request, p node.Purpose, how node.Certificates) error {
	_, err := s.Certificates.Find(ctx, r.Cluster.Key, p)
	if !errors.Is(err, ports.ErrNoCertificate) || p == node.PurposeEtcdClient {
		return nil
	}
	if err := s.Certificates.Generate(ctx, r.Cluster.Key, p, how); err != nil {
		return fmt.Errorf("generate the certificate %s: %w", p, err)
	}
	return nil
}

func (s *Service) pair(ctx context.Context, r Request, p node.Purpose, external bool) (node.KeyPair, error) {
	pair, err := s.Certificates.Find(ctx, r.Cluster.Key, p)
	if err != nil {
		return pair, fmt.Errorf("certificate %s of cluster %s: %w", p, r.Cluster.Name, err)
	}
	if !pair.Complete(p, external) {
		return pair, fmt.Errorf("certificate %s of cluster %s lacks its certificate or key: %w", p, r.Cluster.Name,
			ports.ErrBadCertificate)
	}
	return pair, nil
}
