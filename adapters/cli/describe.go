package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	kjson "sigs.k8s.io/json"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// describe converts the config of a machine to documents, as the controller does. Paths are those of a config, also for
// a template and a control plane.
func (p *producer) describe(ctx context.Context, m *machine) (composition.Description, error) {
	config, findings := m.decodeConfig()
	if config == nil {
		return composition.Description{Findings: findings}, nil
	}
	objects := resolver{p.manifests, m.config.Namespace, p.empty}
	d, err := convert.Config(ctx, config, p.names(m), objects, p.profiles...)
	if err != nil {
		return d, err
	}
	p.overrideFormat(&d)
	if err := p.compose(ctx, config, objects, &d); err != nil {
		return d, err
	}
	d.Findings = append(findings, d.Findings...)
	isControlPlane := m.config.isControlPlane() || m.config.isControlPlaneTemplate()
	if isControlPlane && d.Target.Profile.ControlPlaneType() == node.ControlPlaneKubeadm {
		d.Findings = append(d.Findings, convert.CheckControlPlanePlugins(&config.Spec, "spec")...)
	}
	if d.Findings.HasErrors() && len(d.Missing) == 0 {
		d.Findings = append(d.Findings, d.Fields.In(check(d.Documents))...)
	}
	return d, nil
}

// names returns the values of the facts that the controller inserts, with placeholders for unknown names. Without
// control plane machines among the manifests, the control plane has the version of the machine.
func (p *producer) names(m *machine) convert.Names {
	names := convert.Names{
		Machine: cmp.Or(m.Name, "machine"), Cluster: cmp.Or(m.cluster, "cluster"),
		ControlPlaneVersion: cmp.Or(p.manifests.oldestVersion(m), p.inputs.version, m.Version),
	}
	if m.Pool {
		names.Machine = ""
	}
	return names
}

// overrideFormat applies --format. The version of another format does not apply to it.
func (p *producer) overrideFormat(d *composition.Description) {
	f := delivery.Format(p.inputs.format)
	if f != "" && f != configurationFormat && f != d.Format {
		d.Format, d.Target.FormatVersion = f, ""
	}
}

// check returns the findings of documents that will not be rendered, so that all findings are printed at once. The
// node's document is not complete yet.
func check(docs []document.Document) report.Report {
	var findings report.Report
	for _, d := range docs {
		if d.Kind() != node.KindNode {
			findings = append(findings, d.Check()...)
		}
	}
	return findings
}

// decodeConfig decodes the config, or the one in the template or the control plane. It is nil if it cannot be decoded.
func (m *machine) decodeConfig() (*v1alpha1.MachineBootstrapConfig, report.Report) {
	config := &v1alpha1.MachineBootstrapConfig{}
	findings, ok := m.decodeInto(&config.Spec)
	for i, f := range findings {
		findings[i].Path = m.pathInConfig(f.Path)
	}
	if !ok {
		return nil, findings
	}
	m.target.replace(&config.Spec.OS)
	config.Namespace, config.Name = m.config.Namespace, m.config.Name
	return config, findings
}

// decodeInto decodes the machine's object, and sets the spec of its config.
func (m *machine) decodeInto(spec *v1alpha1.MachineBootstrapConfigSpec) (report.Report, bool) {
	switch m.config.Kind {
	case v1alpha1.TemplateKind:
		var o v1alpha1.MachineBootstrapConfigTemplate
		findings, ok := decodeStrict(m.config.json, &o)
		*spec = o.Spec.Template.Spec
		return findings, ok
	case controlplanev1.Kind:
		var o controlplanev1.MachineadmControlPlane
		findings, ok := decodeStrict(m.config.json, &o)
		*spec = o.Spec.Bootstrap
		return findings, ok
	case controlplanev1.TemplateKind:
		var o controlplanev1.MachineadmControlPlaneTemplate
		findings, ok := decodeStrict(m.config.json, &o)
		*spec = o.Spec.Template.Spec.Bootstrap
		return findings, ok
	default:
		var o v1alpha1.MachineBootstrapConfig
		findings, ok := decodeStrict(m.config.json, &o)
		*spec = o.Spec
		return findings, ok
	}
}

// decodeStrict reads an object into an API type and reports unknown fields. It returns false if the object cannot be
// decoded.
func decodeStrict(data []byte, into any) (report.Report, bool) {
	unknown, err := kjson.UnmarshalStrict(data, into, kjson.DisallowUnknownFields)
	if err != nil {
		return report.Report{typeFinding(data, err)}, false
	}
	var findings report.Report
	for _, u := range unknown {
		// The error ends with the path in quotes.
		_, path, _ := strings.Cut(u.Error(), `"`)
		path = strings.TrimSuffix(path, `"`)
		name := path[strings.LastIndexByte(path, '.')+1:]
		names, remedy := siblings(reflect.TypeOf(into), path), "check its spelling and indentation"
		if name == "apiVersion" && slices.Contains(names, "apiGroup") {
			remedy = "set apiGroup to the group without the version"
		}
		findings = append(findings, report.Errorf(report.Path(path), unknownField).
			To("%s", report.DidYouMean(name, names, remedy)))
	}
	return findings, true
}

// siblings returns the names of the fields beside the one at the path, in a type and those of its fields.
func siblings(t reflect.Type, path string) []string {
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		name, _, _ := strings.Cut(step, "[")
		t = fieldTypes(t)[name]
		if t == nil {
			return nil
		}
	}
	return slices.Sorted(maps.Keys(fieldTypes(t)))
}

// fieldTypes returns the types of the fields of a struct by their names in JSON, including those of embedded structs.
func fieldTypes(t reflect.Type) map[string]reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	types := map[string]reflect.Type{}
	if t.Kind() != reflect.Struct {
		return types
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			types[name] = f.Type
		}
	}
	return types
}

// typeFinding reports that a value has another type than its field. It does not quote the value.
func typeFinding(data []byte, err error) report.Finding {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return structured.Malformed("", "this object cannot be decoded", err)
	}
	// The decoder appends the digits to "number".
	got, _, _ := strings.Cut(mismatch.Value, " ")
	return report.Errorf(pathAt(data, mismatch.Offset, mismatch.Field), "expected %s, got %s",
		typeName(mismatch.Type.Kind()), jsonTypeName(got)).To("%s", typeRemedy(mismatch.Type, got))
}

// typeRemedy returns what to write for a field of the type in place of a value of the JSON type.
func typeRemedy(want reflect.Type, got string) string {
	switch kind := want.Kind(); {
	case kind == reflect.Slice && want.Elem().Kind() == reflect.Struct:
		return "write a list of objects, such as " + objectForm(want.Elem(), "[{", "}]")
	case kind == reflect.Slice:
		return "write a list, such as [first, second]"
	case kind == reflect.Struct:
		return "write an object, such as " + objectForm(want, "{", "}")
	case kind == reflect.Map:
		return "write keys with their values, such as {key: value}"
	case kind == reflect.String && got != "object" && got != "array":
		return "put the value in quotes"
	case kind == reflect.String:
		return "write one text"
	case kind == reflect.Bool:
		return "write true or false, without quotes"
	default:
		return "write one number, without quotes"
	}
}

// objectForm returns the first field of a type between brackets.
func objectForm(t reflect.Type, open, closing string) string {
	for t.NumField() > 0 && t.Field(0).Anonymous && t.Field(0).Type.Kind() == reflect.Struct {
		t = t.Field(0).Type
	}
	if t.NumField() == 0 {
		return open + closing
	}
	name, _, _ := strings.Cut(t.Field(0).Tag.Get("json"), ",")
	return open + name + ": …" + closing
}

func jsonTypeName(name string) string {
	switch name {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "a boolean"
	default:
		return "a " + name
	}
}

func typeName(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer, reflect.Interface:
		return "an object"
	default: // all other kinds are numbers
		return "a number"
	}
}

// resolver finds the objects of a namespace among the manifests.
type resolver struct {
	manifests *manifests
	namespace string
	// empty replaces missing values by empty ones.
	empty bool
}

// Resolve returns the value of a key of a Secret or ConfigMap.
func (r resolver) Resolve(_ context.Context, ref convert.Reference) ([]byte, error) {
	if value, found := r.manifests.lookup(r.namespace, ref.Kind, ref.Name, ref.Key); found {
		return value, nil
	}
	if r.empty {
		return []byte{}, nil
	}
	return nil, fmt.Errorf("%s: %w", ref, convert.ErrNotFound)
}

// use returns an object that a plugin reference names, and marks it as used, or nil if there is none.
func (r resolver) use(group, kind, name string) *object {
	o := r.manifests.find(group, kind, r.namespace, name)
	if o != nil {
		o.used = true
	}
	return o
}
