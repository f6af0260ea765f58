package ignitionv2

import (
	"fmt"

	"github.com/flatcar/ignition/config/v2_3/types"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

var _ ports.StubRenderer = (*Renderer)(nil)

// Stub returns a configuration that is replaced by the one at the location. Ignition verifies the digest. It cannot
// send headers.
func (*Renderer) Stub(l delivery.Location, t osprofile.Target, at report.Path) (delivery.Payload, report.Report, error,
) {
	var findings report.Report
	if l.Include {
		findings = append(findings, report.Errorf(at.Field("fetch"), "Include is cloud-init's").To("use Verified"))
	}
	if len(l.Headers) > 0 {
		findings = append(findings, report.Errorf("spec.storageRef",
			"version %s sends no headers, and the storage asks for some", Version).To("use a storage with signed URLs"))
	}
	if findings.HasErrors() {
		return delivery.Payload{}, findings, nil
	}
	hash := "sha512-" + l.SHA512
	c := types.Config{Ignition: types.Ignition{Version: Version}}
	c.Ignition.Config.Replace = &types.ConfigReference{
		Source:       string(l.URL.Reveal()),
		Verification: types.Verification{Hash: &hash},
	}
	if len(l.CABundle) > 0 {
		c.Ignition.Security.TLS.CertificateAuthorities = []types.CaReference{{Source: ignmodel.URL(l.CABundle)}}
	}
	data, err := ignmodel.JSON(c)
	if err != nil {
		return delivery.Payload{}, nil, fmt.Errorf("render an Ignition stub: %w", err)
	}
	return delivery.Payload{Format: delivery.FormatIgnitionV2, Data: secret.New(data), FileExtension: ".ign"}, findings,
		nil
}
