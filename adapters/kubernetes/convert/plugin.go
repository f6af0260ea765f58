package convert

import (
	"context"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/report"
)

// Plugin converts a resource of one of machineadm's plugin kinds like the group of a config's spec with the same
// fields. The result contains documents, findings and missing references.
func Plugin(ctx context.Context, p v1alpha1.Plugin, r Resolver) (composition.Description, error) {
	object := fmt.Sprintf("%s/%s/%s", v1alpha1.PluginKind(p), p.GetNamespace(), p.GetName())
	c := newConverter(ctx, r, object)
	const at report.Path = "spec"
	switch p := p.(type) {
	case *v1alpha1.ContainerdConfig:
		c.containerd(&p.Spec, at)
	case *v1alpha1.TimeSyncConfig:
		c.timeSync(&p.Spec, at)
	case *v1alpha1.SysctlConfig:
		c.sysctls(p.Spec.Sysctls, at.Field("sysctls"))
	case *v1alpha1.TrustedCAsConfig:
		c.trustedCAs(p.Spec.TrustedCAs, at.Field("trustedCAs"))
	case *v1alpha1.ControlPlaneConfig:
		c.controlPlane(&p.Spec, at)
	case *v1alpha1.HardeningConfig:
		c.hardening(&p.Spec, at)
	default:
		return composition.Description{}, fmt.Errorf("convert %s: %T is not a plugin of machineadm", object, p)
	}
	if c.err != nil {
		return composition.Description{}, fmt.Errorf("convert %s: %w", object, c.err)
	}
	return c.Description, nil
}

func (c *converter) hardening(s *v1alpha1.HardeningConfigSpec, p report.Path) {
	if s != nil {
		c.add(p, hardening.Config{Profile: hardening.Profile(s.Profile), Except: slices.Clone(s.Except)})
	}
}
