package render

import (
	"errors"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// unpinned replaces a digest that is not known, so that there is no second finding about it.
const unpinned = "0000000000000000000000000000000000000000000000000000000000000000"

// pin sets the digest of the agent from its release if the release's signature is valid.
func (s *Service) pin(job *plan.Job) report.Report {
	f := job.Delivery.Agent.Fetch
	if f == nil || f.Release == nil {
		return nil
	}
	at := deliveryPath.Field("agent").Field("fetch")
	if f.SHA256 != "" {
		return report.Report{report.Errorf(at.Field("sha256"), "release contains the digest").To(
			"set either sha256 or release")}
	}
	pinned := *f
	job.Delivery.Agent.Fetch = &pinned
	var found report.Report
	if pinned.SHA256, found = s.releaseDigest(pinned, job.Target.Architecture, at.Field("release")); found.HasErrors() {
		pinned.SHA256 = unpinned
	}
	return found
}

// releaseDigest returns the digest of the agent's file from the release's signed checksums.
func (s *Service) releaseDigest(f delivery.AgentFetch, architecture string, at report.Path) (string, report.Report) {
	r := f.Release
	if s.signatures == nil {
		return "", report.Report{report.Errorf(at, "this program does not verify signatures").To("set sha256 instead")}
	}
	switch err := s.signatures.Verify(r.PublicKey, r.Checksums, r.Signature); {
	case errors.Is(err, ports.ErrSignature):
		return "", report.Report{report.Errorf(at.Field("signatureFrom"), "the signature of the checksums does not match "+
			"the key: the checksums were changed, or they were signed with another key").
			To("do not use these files; take the checksums and the signature from one release, and the key from its publisher")}
	case err != nil:
		return "", report.Report{report.Errorf(at, "the signature of the checksums cannot be verified: %v", err).
			To("set a PEM public key, and the base64 signature that cosign sign-blob writes")}
	}
	name := r.File
	if name == "" {
		name = delivery.ReleaseFile
	}
	name = strings.NewReplacer("{version}", f.Version, "{arch}", architecture).Replace(name)
	digest, names := r.Digest(name)
	if digest == "" {
		return "", report.Report{report.Errorf(at.Field("file"), "the checksums contain no digest of %q, or two",
			name).To("use one of %s", strings.Join(names, ", "))}
	}
	return digest, nil
}
