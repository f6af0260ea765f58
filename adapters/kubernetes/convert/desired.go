package convert

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// The defaults of a MachineadmControlPlane.
const (
	defaultReplicas         = 1
	defaultMaxSurge         = 1
	defaultMinHealthyPeriod = time.Hour
	defaultInterval         = int32(controlplane.DefaultSnapshotInterval / time.Minute)
)

// ControlPlane is a converted MachineadmControlPlane.
type ControlPlane struct {
	// Desired contains what the object specifies. The cluster determines the failure domains, and whether the control
	// plane is paused or held.
	Desired controlplane.Desired
	// Config contains the settings of the control plane components, with those of spec.bootstrap.hardening. Contents are
	// replaced by the names of their sources.
	Config node.ControlPlaneConfig
	Addons ports.Addons
	Names  MachineNames
	// Snapshots is nil if no snapshots are specified.
	Snapshots *ports.EtcdSnapshots
	// Findings are the mistakes in the specification.
	Findings report.Report
}

// ConvertControlPlane converts a MachineadmControlPlane. The versions are those of its machines; that of a machine that
// never joined is empty, and does not prevent a return to an earlier version. The resolver is used for the profile of
// the operating system and for optional references only. An error means that a reference could not be looked up.
func ConvertControlPlane(ctx context.Context, o *controlplanev1.MachineadmControlPlane, versions []string, r Resolver,
	profiles ...osprofile.Profile,
) (ControlPlane, error) {
	s := &o.Spec
	found := ControlPlane{
		Desired: controlplane.Desired{
			Replicas: int(valueOr(s.Replicas, defaultReplicas)), MaxSurge: int(valueOr(s.Rollout.MaxSurge, defaultMaxSurge)),
			RolloutAfter: s.Rollout.After.Time, Remediation: remediation(s.Remediation),
			RolloutBeforeExpiry: time.Duration(valueOr(s.Rollout.Before.CertificatesExpiryDays, 0)) * 24 * time.Hour,
			Deleting:            !o.DeletionTimestamp.IsZero(),
		},
		Addons: addons(s),
	}
	found.Desired.Template = MachineTemplate(s)
	config, err := componentSettings(ctx, &s.Bootstrap, r)
	if err != nil {
		return ControlPlane{}, fmt.Errorf("convert %s/%s/%s: %w", controlplanev1.Kind, o.Namespace, o.Name, err)
	}
	found.Config = config
	found.Desired.ExternalEtcd = found.Config.ExternalEtcd != nil
	found.Names = NewMachineNames(o, o.Labels["cluster.x-k8s.io/cluster-name"])
	found.Findings = append(found.Findings, checkVersion(s.Version, versions)...)
	found.Findings = append(found.Findings, checkReplicas(found.Desired, len(versions))...)
	found.Findings = append(found.Findings, checkInfrastructure(s)...)
	found.Findings = append(found.Findings, found.Names.check()...)
	err = found.system(ctx, o, r, profiles)
	if found.Desired.Type == node.ControlPlaneKubeadm {
		found.Findings = append(found.Findings, CheckControlPlanePlugins(&s.Bootstrap, "spec.bootstrap")...)
	}
	found.snapshots(s.EtcdSnapshots)
	return found, err
}

// snapshots converts the snapshots of etcd. Without members on the machines, there are none.
func (f *ControlPlane) snapshots(s *controlplanev1.EtcdSnapshotsSpec) {
	if s == nil {
		return
	}
	if f.Desired.ExternalEtcd || f.Desired.Type == node.ControlPlaneTalos {
		f.Findings = append(f.Findings, report.Warningf("spec.etcdSnapshots", "no snapshots are taken of an external etcd, "+
			"and none of Talos machines").To("remove it, and take snapshots with the tools of etcd or Talos"))
	}
	f.Snapshots = &ports.EtcdSnapshots{
		SnapshotPolicy: controlplane.SnapshotPolicy{
			Interval: time.Duration(valueOr(s.IntervalMinutes, defaultInterval)) * time.Minute,
			Keep:     int(valueOr(s.Keep, controlplane.DefaultSnapshotKeep)),
		},
		Storage:    delivery.StorageRef{Group: s.StorageRef.APIGroup, Kind: s.StorageRef.Kind, Name: s.StorageRef.Name},
		Recipients: slices.Clone(s.Recipients),
	}
}

// system determines the control plane type from the operating system.
func (f *ControlPlane) system(ctx context.Context, o *controlplanev1.MachineadmControlPlane, r Resolver,
	profiles []osprofile.Profile,
) error {
	c := newConverter(ctx, r, fmt.Sprintf("%s/%s/%s", controlplanev1.Kind, o.Namespace, o.Name))
	c.profiles = profiles
	at := report.Path("spec").Field("bootstrap").Field("os")
	profile, known := c.profile(o.Spec.Bootstrap.OS, at)
	f.Findings = append(f.Findings, c.Findings...)
	if c.err != nil {
		return fmt.Errorf("convert %s: %w", c.object, c.err)
	}
	for _, missing := range c.Missing {
		f.Findings = append(f.Findings, missing.To("create it, or remove profileFrom"))
	}
	if known {
		f.Desired.Type = profile.ControlPlaneType()
	}
	return nil
}

// MachineTemplate returns what machines are created from, without the contents of referenced objects.
func MachineTemplate(s *controlplanev1.MachineadmControlPlaneSpec) controlplane.Template {
	return controlplane.Template{
		Version: completed(s.Version), Bootstrap: Meaning(&s.Bootstrap), Infrastructure: infrastructure(s),
	}
}

// valueOr returns the value, or the default if it is not set.
func valueOr(v *int32, otherwise int32) int32 {
	if v == nil {
		return otherwise
	}
	return *v
}

// completed returns the version with its prefix v.
func completed(version string) string {
	if version == "" || strings.HasPrefix(version, "v") {
		return version
	}
	return "v" + version
}

func remediation(s controlplanev1.RemediationSpec) controlplane.Remediation {
	r := controlplane.Remediation{MinHealthyPeriod: defaultMinHealthyPeriod}
	if s.RetryPeriodSeconds != nil {
		period := time.Duration(*s.RetryPeriodSeconds) * time.Second
		r.RetryPeriod = &period
	}
	if s.MinHealthyPeriodSeconds != nil {
		r.MinHealthyPeriod = time.Duration(*s.MinHealthyPeriodSeconds) * time.Second
	}
	if s.MaxRetry != nil {
		retries := int(*s.MaxRetry)
		r.MaxRetry = &retries
	}
	return r
}

// addons returns which add-ons are managed: not those that kubeadm does not install.
func addons(s *controlplanev1.MachineadmControlPlaneSpec) ports.Addons {
	managed := ports.Addons{
		KubeProxy: s.Addons.KubeProxy != controlplanev1.AddonUnmanaged,
		CoreDNS:   s.Addons.CoreDNS != controlplanev1.AddonUnmanaged,
	}
	if c := s.Bootstrap.ControlPlane; c != nil {
		managed.KubeProxy = managed.KubeProxy && (c.KubeProxy == nil || !c.KubeProxy.Disabled)
		managed.CoreDNS = managed.CoreDNS && (c.CoreDNS == nil || !c.CoreDNS.Disabled)
	}
	return managed
}

// infrastructure returns the infrastructure template in the form that machines record: Kind.group/name.
func infrastructure(s *controlplanev1.MachineadmControlPlaneSpec) string {
	ref := s.MachineTemplate.Spec.InfrastructureRef
	return InfrastructureTemplate(ref.Kind+"."+ref.APIGroup, ref.Name)
}

// InfrastructureTemplate returns a template in the form of controlplane.Template, from the values of the annotations
// cluster.x-k8s.io/cloned-from-groupkind and -name. It is empty if one of them is missing.
func InfrastructureTemplate(groupKind, name string) string {
	if groupKind == "" || name == "" {
		return ""
	}
	return groupKind + "/" + name
}

// checkVersion checks the Kubernetes version, also against the versions of the machines.
func checkVersion(version string, versions []string) report.Report {
	at := report.Path("spec").Field("version")
	if _, ok := node.ParseVersion(version); !ok {
		return report.Report{report.Errorf(at, "%q is not a Kubernetes version", report.Cut(version, report.MaxLine)).
			To("use a version such as v1.36.3")}
	}
	sorted := slices.Clone(versions)
	slices.Sort(sorted)
	for _, from := range slices.Compact(sorted) {
		if problem := node.CheckUpgrade(from, version); problem != "" {
			return report.Report{report.Errorf(at, "%s", problem).
				To("upgrade by one minor version at a time, and wait until all machines have it")}
		}
	}
	return nil
}

// checkReplicas checks the number of machines against the existing ones.
func checkReplicas(d controlplane.Desired, machines int) report.Report {
	var found report.Report
	at := report.Path("spec").Field("replicas")
	if d.Replicas == 0 && machines > 0 && !d.Deleting {
		found = append(found, report.Errorf(at, "0 machines cannot serve the cluster; no machine is deleted").
			To("set it to 1, 3 or 5; to delete the cluster, delete the Cluster"))
	}
	if d.Replicas > 0 && d.Replicas%2 == 0 && !d.ExternalEtcd {
		found = append(found, report.Warningf(at, "%d machines with etcd tolerate no more failures than %d", d.Replicas,
			d.Replicas-1).To("use an odd number"))
	}
	if d.MaxSurge == 0 && d.Replicas > 0 && d.Replicas < 3 {
		found = append(found, report.Warningf("spec.rollout.maxSurge",
			"with 0, a rollout removes a machine first, and %d machines cannot spare one", d.Replicas).
			To("use 1, or at least 3 replicas"))
	}
	return found
}

// checkInfrastructure checks the reference to the infrastructure template.
func checkInfrastructure(s *controlplanev1.MachineadmControlPlaneSpec) report.Report {
	kind := s.MachineTemplate.Spec.InfrastructureRef.Kind
	if strings.HasSuffix(kind, "Template") && kind != "Template" {
		return nil
	}
	return report.Report{report.Errorf("spec.machineTemplate.spec.infrastructureRef.kind", "%q is not a template", kind).
		To("use the kind of a template, such as HostMachineTemplate")}
}
