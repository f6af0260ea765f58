package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/admission"
	"github.com/machineadm/machineadm/domain/report"
)

// unknownField is the message about a field that the definition of an object does not contain.
const unknownField = "unknown field"

// admit returns the findings of the API server about the objects, by machineadm's definitions and the rules of Cluster
// API. Findings that earlier findings contain already are left out; an earlier one about an unknown field gets the
// remedy of the definition, which knows the fields of other places.
func (m *manifests) admit(ctx context.Context, earlier []finding) ([]finding, error) {
	checker, err := admission.Load()
	if err != nil {
		return nil, fmt.Errorf("read the definitions: %w", err)
	}
	known := map[string]*finding{}
	for i, f := range earlier {
		if f.Severity == report.Error.String() {
			known[f.Object+f.Path] = &earlier[i]
		}
	}
	var found []finding
	for _, o := range m.objects {
		findings, err := o.admit(ctx, checker)
		if err != nil {
			return nil, err
		}
		isKnown := func(p report.Path) bool { return known[o.String()+string(p)] != nil }
		for _, f := range findings.Sorted() {
			switch same := known[o.String()+string(f.Path)]; {
			case slices.ContainsFunc(exclusiveFields(f), isKnown):
			case same == nil:
				found = append(found, o.finding(f))
			case f.Message == unknownField:
				same.Remedy = f.Remedy
			}
		}
	}
	return found, nil
}

// exclusiveFields returns the paths of the fields of which an object needs exactly one, if the finding is about them.
func exclusiveFields(f report.Finding) []report.Path {
	_, list, _ := strings.Cut(f.Message, "exactly one of the fields in [")
	names, _, _ := strings.Cut(list, "]")
	var paths []report.Path
	for _, name := range strings.Fields(names) {
		paths = append(paths, f.Path.Field(name))
	}
	return paths
}

func (o *object) admit(ctx context.Context, checker *admission.Checker) (report.Report, error) {
	var body map[string]any
	if err := kjson.Unmarshal(o.json, &body); err != nil {
		return nil, o.typeError(err)
	}
	gvk := o.GroupVersionKind()
	switch {
	case gvk.Group == clusterv1.GroupVersion.Group:
		return admitCluster(o, body, checker), nil
	case !checker.HasGroup(gvk.Group):
		if meant := checker.GroupOf(gvk.Group, gvk.Kind); meant != "" {
			return report.Report{unknownGroup(gvk, meant)}, nil
		}
		return nil, nil
	}
	if kinds := checker.Kinds(gvk.GroupVersion()); !slices.Contains(kinds, gvk.Kind) {
		return report.Report{unknownKind(gvk, kinds)}, nil
	}
	findings, err := checker.Check(ctx, gvk, body)
	if o.isControlPlane() {
		c := clusterCheck{fields: fields{body}, checker: checker, findings: findings}
		c.reference("spec.machineTemplate.spec.infrastructureRef", true)
		findings = c.findings
	}
	return findings, err
}

// unknownGroup reports a kind of machineadm in another group.
func unknownGroup(gvk schema.GroupVersionKind, meant string) report.Finding {
	return report.Errorf("apiVersion", "%q has no kind %s", gvk.Group, gvk.Kind).To("did you mean %s/v1alpha1?", meant)
}

// unknownKind reports a kind or a version that its group does not have.
func unknownKind(gvk schema.GroupVersionKind, kinds []string) report.Finding {
	if len(kinds) == 0 {
		return report.Errorf("apiVersion", "%s has no version %q", gvk.Group, gvk.Version).To("use v1alpha1")
	}
	slices.Sort(kinds)
	return report.Errorf("kind", "%s has no kind %q", gvk.Group, gvk.Kind).
		To("%s", report.DidYouMean(gvk.Kind, kinds, fmt.Sprintf("use one of %v", kinds)))
}

// finding adds the place in the object to a finding about it.
func (o *object) finding(f report.Finding) finding {
	at := o.locate(f.Path)
	return finding{
		Severity: f.Severity.String(), Object: o.String(), File: at.file.name, Line: at.line, Column: at.column,
		Path: string(f.Path), Message: f.Message, Remedy: f.Remedy, source: at.file.line(at.line),
	}
}
