package render

import (
	"errors"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// unpinned stands for a digest that is not known, so that nobody complains of that too.
const unpinned = "0000000000000000000000000000000000000000000000000000000000000000"

// pin takes the digest of the agent from its release, if that is signed by the key.
func (s *Service) pin(t *osprofile.Target) report.Report {
	f := t.Delivery.Agent.Fetch
	if f == nil || f.Release == nil {
		return nil
	}
	at := deliveryPath.Field("agent").Field("fetch")
	if f.SHA256 != "" {
		return report.Report{report.Errorf(at.Field("sha256"), "the release has the digest").To(
			"give one of sha256 and release")}
	}
	pinned := *f
	t.Delivery.Agent.Fetch = &pinned
	var found report.Report
	if pinned.SHA256, found = s.digest(*t, at.Field("release")); found.HasErrors() {
		pinned.SHA256 = unpinned
	}
	return found
}

func (s *Service) digest(t osprofile.Target, at report.Path) (string, report.Report) {
	r := t.Delivery.Agent.Fetch.Release
	if s.signatures == nil {
		return "", report.Report{report.Errorf(at, "this program verifies no signatures").To("give sha256")}
	}
	switch err := s.signatures.Verify(r.PublicKey, r.Checksums, r.Signature); {
	case errors.Is(err, ports.ErrSignature):
		return "", report.Report{report.Errorf(at.Field("signatureFrom"), "the checksums are not signed by this key: "+
			"somebody changed them, or it is another's key").
			To("use none of these files; take the checksums and their signature of one release, and the key from who releases")}
	case err != nil:
		return "", report.Report{report.Errorf(at, "the signature of the checksums cannot be verified: %v", err).
			To("give a public key in PEM, and the signature in base64 as cosign sign-blob writes it")}
	}
	name := r.File
	if name == "" {
		name = delivery.ReleaseFile
	}
	name = strings.NewReplacer("{version}", t.Delivery.Agent.Fetch.Version, "{arch}", t.Architecture).Replace(name)
	digest, names := r.Digest(name)
	if digest == "" {
		return "", report.Report{report.Errorf(at.Field("file"), "the checksums have no digest of %q, or two",
			name).To("use one of %s", strings.Join(names, ", "))}
	}
	return digest, nil
}
