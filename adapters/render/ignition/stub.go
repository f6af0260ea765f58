package ignition

import (
	"fmt"

	"github.com/coreos/ignition/v2/config/v3_6/types"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

var _ ports.StubRenderer = (*Renderer)(nil)

// Stub returns a configuration that is replaced by the one at the location (ignition.config.replace). Ignition verifies
// the digest, and retries until the server answers.
func (r *Renderer) Stub(l delivery.Location, t osprofile.Target, at report.Path) (delivery.Payload,
	report.Report, error,
) {
	version, findings := versionOf(t)
	if l.Include {
		findings = append(findings, report.Errorf(at.Field("fetch"), "Include is cloud-init's").To("use Verified"))
	}
	if len(l.Headers) > 0 && version < 1 {
		findings = append(findings, report.Errorf("spec.storageRef",
			"version %s sends no headers, and the storage asks for some", version).To("use a storage with signed URLs"))
	}
	if findings.HasErrors() {
		return delivery.Payload{}, findings, nil
	}
	c := types.Config{Ignition: types.Ignition{Version: version.String()}}
	c.Ignition.Config.Replace = types.Resource{
		Source: new(string(l.URL.Reveal())), Verification: types.Verification{Hash: new("sha512-" + l.SHA512)},
	}
	for _, h := range l.Headers {
		header := types.HTTPHeader{Name: h.Name, Value: new(string(h.Value.Reveal()))}
		c.Ignition.Config.Replace.HTTPHeaders = append(c.Ignition.Config.Replace.HTTPHeaders, header)
	}
	if len(l.CABundle) > 0 {
		c.Ignition.Security.TLS.CertificateAuthorities = []types.Resource{r.authority(l.CABundle, version)}
	}
	data, err := ignmodel.JSON(c)
	if err != nil {
		return delivery.Payload{}, nil, fmt.Errorf("render an Ignition stub: %w", err)
	}
	return payload(data), findings, nil
}

// authority renders certificates; the oldest version does not support compression.
func (r *Renderer) authority(bundle []byte, v ignmodel.Specification) types.Resource {
	if v < 1 {
		return types.Resource{Source: new(ignmodel.URL(bundle))}
	}
	return converter{encoder: r.encoder}.resource(bundle)
}
