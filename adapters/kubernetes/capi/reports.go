package capi

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// ReportFieldManager is the field manager of machines' reports.
const ReportFieldManager = "machineadm-endpoint"

// maxReportAttempts limits how often a report is compared with one that another replica stored meanwhile.
const maxReportAttempts = 5

// Reports implements ports.Reports in the status of configs.
type Reports struct {
	client         client.Client
	metadata, live client.Reader
}

// NewReports returns the reports. The client reads configs from a cache and writes to the API; metadata serves the
// metadata of Secrets from a cache, and live reads from the API.
func NewReports(c client.Client, metadata, live client.Reader) *Reports {
	return &Reports{client: c, metadata: metadata, live: live}
}

// Find returns the machine that reports under the name of a data Secret.
func (s *Reports) Find(ctx context.Context, data ports.Key) (ports.ReportingMachine, error) {
	meta := kube.Metadata(secretKind)
	err := s.metadata.Get(ctx, client.ObjectKey(data), meta)
	if apierrors.IsNotFound(err) {
		return ports.ReportingMachine{}, ports.ErrNoMachine
	}
	if err != nil {
		return ports.ReportingMachine{}, fmt.Errorf("get Secret %s: %w", data, err)
	}
	owner := kube.ControllerOf(meta, v1alpha1.Group, v1alpha1.ConfigKind)
	grants := credential.ParseGrants(meta.Annotations[CredentialAnnotation])
	if len(grants) == 0 || owner == nil || !meta.DeletionTimestamp.IsZero() {
		return ports.ReportingMachine{}, ports.ErrNoMachine
	}
	return ports.ReportingMachine{
		Owner:       ports.Owner{Key: ports.Key{Namespace: data.Namespace, Name: owner.Name}, UID: string(owner.UID)},
		Credentials: grants, Published: meta.CreationTimestamp.Time,
	}, nil
}

// Last returns the machine's last report from the cache.
func (s *Reports) Last(ctx context.Context, owner ports.Owner) (ports.LastReport, error) {
	c, err := getConfig(ctx, s.client, owner)
	if err != nil {
		return ports.LastReport{}, err
	}
	return lastReport(c), nil
}

// getConfig returns the config with the owner's UID, or ErrNoMachine.
func getConfig(ctx context.Context, reader client.Reader, owner ports.Owner) (*v1alpha1.MachineBootstrapConfig, error) {
	c := &v1alpha1.MachineBootstrapConfig{}
	err := reader.Get(ctx, client.ObjectKey(owner.Key), c)
	if apierrors.IsNotFound(err) || err == nil && c.UID != types.UID(owner.UID) {
		return nil, ports.ErrNoMachine
	}
	if err != nil {
		return nil, fmt.Errorf("get the config: %w", err)
	}
	return c, nil
}

func lastReport(c *v1alpha1.MachineBootstrapConfig) ports.LastReport {
	last := ports.LastReport{Pool: ownedByPool(c)}
	if c.Status.Bootstrap != nil {
		reported := ReportSummary(c.Status.Bootstrap)
		last.Summary = &reported
	}
	return last
}

// ownedByPool reports whether a MachinePool owns the config.
func ownedByPool(c *v1alpha1.MachineBootstrapConfig) bool {
	return slices.ContainsFunc(c.OwnerReferences, func(r metav1.OwnerReference) bool {
		return kube.IsOfGroup(r, clusterv1.GroupVersion.Group) && r.Kind == machinePoolKind
	})
}

// Save replaces the report in the status of the config with the owner's UID. The cache may be outdated, and another
// replica may save a report at the same time. So the patch requires the resource version of the config whose report was
// compared.
func (s *Reports) Save(
	ctx context.Context, owner ports.Owner, reported status.Status, at time.Time, follows func(ports.LastReport) error,
) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(bootstrapStatus(reported, at))
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	reader := client.Reader(s.client)
	for range maxReportAttempts {
		var c *v1alpha1.MachineBootstrapConfig
		if c, err = getConfig(ctx, reader, owner); err != nil {
			return err
		}
		if err := follows(lastReport(c)); err != nil {
			return err
		}
		if err = s.apply(ctx, c, fields); !apierrors.IsConflict(err) {
			break
		}
		reader = s.live
	}
	if apierrors.IsNotFound(err) {
		return ports.ErrNoMachine
	}
	if err != nil {
		return fmt.Errorf("apply the report: %w", err)
	}
	return nil
}

// apply writes the fields into the status, if the config has not changed.
func (s *Reports) apply(ctx context.Context, c *v1alpha1.MachineBootstrapConfig, fields map[string]any) error {
	o := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"bootstrap": fields}}}
	o.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.ConfigKind))
	o.SetNamespace(c.Namespace)
	o.SetName(c.Name)
	o.SetUID(c.UID)
	o.SetResourceVersion(c.ResourceVersion)
	applied := client.ApplyConfigurationFromUnstructured(o)
	return s.client.Status().Apply(ctx, applied, client.FieldOwner(ReportFieldManager), client.ForceOwnership)
}

func bootstrapStatus(s status.Status, at time.Time) *v1alpha1.BootstrapStatus {
	b := &v1alpha1.BootstrapStatus{
		State: string(s.State), Version: s.Version, Started: apiTime(s.Started), Ended: apiTime(s.Ended),
		ReportTime: metav1.NewTime(at.UTC().Truncate(time.Second)), StepsTotal: boundedInt32(s.Progress.Steps),
		StepsDone: boundedInt32(s.Progress.Done),
	}
	if s.Progress.Phase != 0 {
		b.Phase = s.Progress.Phase.String()
	}
	if f := s.Failure; f != nil {
		b.Failure = &v1alpha1.BootstrapFailure{
			Phase: f.PhaseName(), Step: f.Document, Action: f.Action, ExitCode: boundedInt32(f.ExitCode),
			Cause: f.Cause, Log: f.Log,
		}
	}
	return b
}

// ReportSummary converts the status to the domain's type.
func ReportSummary(b *v1alpha1.BootstrapStatus) status.Status {
	s := status.Status{
		State: status.State(b.State), Version: b.Version, Started: domainTime(b.Started), Ended: domainTime(b.Ended),
		Progress: status.Progress{Steps: int(b.StepsTotal), Done: int(b.StepsDone), Phase: phaseNamed(b.Phase)},
	}
	if f := b.Failure; f != nil {
		s.Failure = &status.Failure{
			Phase: phaseNamed(f.Phase), Document: f.Step, Action: f.Action, ExitCode: int(f.ExitCode),
			Cause: f.Cause, Log: f.Log,
		}
	}
	return s
}

// boundedInt32 limits a number that a machine reports.
func boundedInt32(n int) int32 {
	return int32(max(math.MinInt32, min(n, math.MaxInt32))) //nolint:gosec // bounded
}

// apiTime returns the time as the API stores it, with seconds and a year of four digits, or nil for other years.
func apiTime(t time.Time) *metav1.Time {
	if t.IsZero() || t.Year() < 1970 || t.Year() > 9999 {
		return nil
	}
	m := metav1.NewTime(t.UTC().Truncate(time.Second))
	return &m
}

func domainTime(t *metav1.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// phaseNamed returns the phase with the name; 0 for an unknown name.
func phaseNamed(name string) document.Phase {
	p, _ := document.PhaseNamed(name)
	return p
}
