package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// describe turns a manifest into the domain's words, as the controller does with an object.
func describe(ctx context.Context, m cli.Manifest, lookup cli.Lookup) (bootstrap.Description, error) {
	config, findings := decode(m)
	if findings.HasErrors() && config == nil {
		return bootstrap.Description{Findings: findings}, nil
	}
	result, err := convert.Config(ctx, config, resolver(lookup), m.Profiles...)
	if err != nil {
		return bootstrap.Description{}, err
	}
	if m.Format != "" {
		override(&result, m.Format)
	}
	plugins, err := composed(ctx, m, lookup, &result)
	if err != nil {
		return bootstrap.Description{}, err
	}
	return bootstrap.Description{
		Documents: result.Documents, Target: result.Target, Format: result.Format,
		Findings: append(findings, result.Findings...), Fields: result.Fields, Missing: result.Missing, Plugins: plugins,
	}, nil
}

// override replaces the format. A version of the old one means nothing to the new one.
func override(result *convert.Result, f delivery.Format) {
	if f != result.Format {
		result.Format, result.Target.FormatVersion = f, ""
	}
}

// decode reads the object strictly: what its kind does not have is an error.
func decode(m cli.Manifest) (*v1alpha1.MachineBootstrapConfig, report.Report) {
	var config v1alpha1.MachineBootstrapConfig
	var template v1alpha1.MachineBootstrapConfigTemplate
	var into any = &config
	if m.Template {
		into = &template
	}
	unknown, err := kjson.UnmarshalStrict(m.JSON, into, kjson.DisallowUnknownFields)
	if err != nil {
		return nil, report.Report{misfit(m, err)}
	}
	if m.Template {
		config.Spec = template.Spec.Template.Spec
	}
	config.Namespace, config.Name = m.Namespace, m.Name
	var findings report.Report
	for _, u := range unknown {
		findings = append(findings, strange(u, m.Template))
	}
	return &config, findings
}

// strange says that a field is not known; its path stands in quotes at the end of the decoder's complaint.
func strange(err error, template bool) report.Finding {
	_, quoted, _ := strings.Cut(err.Error(), `"`)
	return report.Errorf(inConfig(strings.TrimSuffix(quoted, `"`), template), "unknown field").To(
		"check its spelling and indentation")
}

// inConfig returns the path as a config has it.
func inConfig(path string, template bool) report.Path {
	if template {
		path = strings.TrimPrefix(path, "spec.template.")
	}
	return report.Path(path)
}

// misfit says that a value is of another type than its field.
func misfit(m cli.Manifest, err error) report.Finding {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		path := inConfig(string(pathAt(m.JSON, wrong.Offset, wrong.Field)), m.Template)
		return report.Errorf(path, "a %s stands where a %s belongs", kindOf(wrong), wrong.Type.Kind()).To(
			"perhaps quotes are missing, or too many")
	}
	return report.Malformed("", "this is not readable", err)
}

// kindOf returns what kind of value stands in the wrong place. Of a number the decoder tells the digits, too.
func kindOf(wrong *json.UnmarshalTypeError) string {
	kind, _, _ := strings.Cut(wrong.Value, " ")
	return kind
}

// resolver finds what configs refer to among the manifests.
type resolver cli.Lookup

// Resolve returns the bytes.
func (r resolver) Resolve(_ context.Context, ref convert.Reference) ([]byte, error) {
	if b, found := r(ref.Kind, ref.Name, ref.Key); found {
		return b, nil
	}
	return nil, fmt.Errorf("%s: %w", ref, convert.ErrNotFound)
}

// writeProfile writes a profile in the form in which users bring one.
func writeProfile(p osprofile.Profile, format string) ([]byte, error) {
	if format == "json" {
		return convert.OSProfileJSON(p)
	}
	return convert.OSProfileYAML(p)
}
