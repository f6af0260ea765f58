// Package admission checks objects by the definitions of their custom resources, as the API server does before it
// stores them: types, limits, enumerations, unique entries of lists, and CEL rules.
//
// The API server's own libraries decide. This package only converts their errors to findings, which name the field, the
// problem and the remedy. Findings do not quote values, which may be secret, except those of enumerations.
package admission

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/config"
	"github.com/machineadm/machineadm/domain/report"
)

// Checker checks objects. It reads and compiles the definition of a kind when it first checks an object of this kind,
// which takes a tenth of a second. It is safe for concurrent use.
type Checker struct {
	mu sync.Mutex
	// paths are the files with the definitions.
	paths map[schema.GroupVersionKind]string
	kinds map[schema.GroupVersionKind]*kind
}

// kind is the compiled definition of a kind.
type kind struct {
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
	// rules compiles the CEL rules; the result is nil if there are none.
	rules func() *cel.Validator
}

// loaded finds the definitions, of which a process needs no second copy.
var loaded = sync.OnceValues(load) //nolint:gochecknoglobals // the definitions are part of the program

// Load returns the Checker for the kinds of all providers of machineadm. All callers get the same one, which keeps the
// definitions that it has compiled.
func Load() (*Checker, error) { return loaded() }

func load() (*Checker, error) {
	c := &Checker{paths: map[schema.GroupVersionKind]string{}, kinds: map[schema.GroupVersionKind]*kind{}}
	err := fs.WalkDir(config.Definitions, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return c.add(path)
	})
	return c, err
}

// add adds the kind of a definition. The schemas, which are nearly all of the text, are not decoded: the names of
// versions are found by their indentation.
func (c *Checker) add(path string) error {
	text, err := fs.ReadFile(config.Definitions, path)
	if err != nil {
		return err
	}
	names, versions, _ := bytes.Cut(text, []byte("\n  versions:\n"))
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(names, &crd); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for line := range bytes.Lines(versions) {
		name, found := bytes.CutPrefix(line, []byte("    name: "))
		if found {
			version := string(bytes.TrimSpace(name))
			c.paths[schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: crd.Spec.Names.Kind}] = path
		}
	}
	return nil
}

// definition returns the schema of a version.
func definition(path, version string) (*apiextensionsv1.CustomResourceValidation, error) {
	text, err := fs.ReadFile(config.Definitions, path)
	if err != nil {
		return nil, err
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, v := range crd.Spec.Versions {
		if v.Name == version {
			return v.Schema, nil
		}
	}
	return nil, fmt.Errorf("%s does not have the version %s", path, version)
}

// Kinds returns the names of the kinds of a group and version.
func (c *Checker) Kinds(v schema.GroupVersion) []string {
	var names []string
	for gvk := range c.paths {
		if gvk.GroupVersion() == v {
			names = append(names, gvk.Kind)
		}
	}
	return names
}

// HasGroup reports whether kinds of the group are known.
func (c *Checker) HasGroup(group string) bool {
	for gvk := range c.paths {
		if gvk.Group == group {
			return true
		}
	}
	return false
}

// GroupOf returns the group of machineadm that has the kind, if an object of another group probably means it: that
// group is unknown, and is spelled similarly or is one of Cluster API. Otherwise it returns an empty string.
func (c *Checker) GroupOf(group, kind string) string {
	if c.HasGroup(group) {
		return ""
	}
	for gvk := range c.paths {
		alike := strings.HasSuffix(group, ".cluster.x-k8s.io") || report.Nearest(group, []string{gvk.Group}) != ""
		if gvk.Kind == kind && alike {
			return gvk.Group
		}
	}
	return ""
}

// Check returns the findings about an object of a known kind. Other objects have none. It changes the object: fields
// get their defaults, and unknown fields are removed.
func (c *Checker) Check(
	ctx context.Context,
	gvk schema.GroupVersionKind,
	object map[string]any,
) (report.Report, error) {
	k, err := c.compiled(gvk)
	if k == nil || err != nil {
		return nil, err
	}
	unknown := pruning.PruneWithOptions(object, k.structural, true,
		structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(object, k.structural)
	defaulting.Default(object, k.structural)
	errs := validation.ValidateCustomResource(nil, object, k.validator)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, k.structural, object)...)
	if len(errs) > 0 {
		return k.report(unknown, errs), nil
	}
	if rules := k.rules(); rules != nil {
		errs, _ = rules.Validate(ctx, nil, k.structural, object, nil, celconfig.RuntimeCELCostBudget)
	}
	return k.report(unknown, errs), nil
}

// report returns the findings about unknown fields and errors.
func (k *kind) report(unknown []string, errs field.ErrorList) (findings report.Report) {
	for _, path := range unknown {
		findings = append(findings, k.unknown(path))
	}
	for _, e := range errs {
		findings = append(findings, converted(e))
	}
	return findings
}

// compiled returns the definition of a kind, or nil if the kind is not known.
func (c *Checker) compiled(gvk schema.GroupVersionKind) (*kind, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	path := c.paths[gvk]
	if k := c.kinds[gvk]; k != nil || path == "" {
		return k, nil
	}
	crd, err := definition(path, gvk.Version)
	if err != nil {
		return nil, err
	}
	var internal apiextensions.CustomResourceValidation
	err = apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(
		crd,
		&internal,
		nil,
	)
	if err != nil {
		return nil, fmt.Errorf("read the definition of %s: %w", gvk.Kind, err)
	}
	k := &kind{}
	if k.structural, err = structuralschema.NewStructural(internal.OpenAPIV3Schema); err != nil {
		return nil, fmt.Errorf("read the definition of %s: %w", gvk.Kind, err)
	}
	if k.validator, _, err = validation.NewSchemaValidator(internal.OpenAPIV3Schema); err != nil {
		return nil, fmt.Errorf("read the definition of %s: %w", gvk.Kind, err)
	}
	k.rules = sync.OnceValue(func() *cel.Validator {
		return cel.NewValidator(k.structural, true, celconfig.PerCallLimit)
	})
	c.kinds[gvk] = k
	return k, nil
}

// unknown returns the finding about a field that the definition does not contain.
func (k *kind) unknown(path string) report.Finding {
	names := k.siblings(path)
	name := path[strings.LastIndex(path, ".")+1:]
	remedy := "check its spelling and indentation"
	if other := k.elsewhere(name); isOfKubeadmConfig(name) {
		remedy = "it is a field of KubeadmConfig; machineadmctl convert translates a KubeadmConfig"
	} else if other != "" && !strings.Contains(path, "[") {
		remedy = "did you mean " + other + "?"
	} else if name == "mode" && slices.Contains(names, "permissions") {
		remedy = "the mode of a file is its field permissions"
	}
	return report.Errorf(report.Path(path), "unknown field").To("%s", report.DidYouMean(name, names, remedy))
}

// isOfKubeadmConfig reports whether a KubeadmConfig or a KubeadmControlPlane has the field, and ours do not.
func isOfKubeadmConfig(name string) bool {
	switch name {
	case "clusterConfiguration", "initConfiguration", "joinConfiguration", "kubeadmConfigSpec", "preKubeadmCommands",
		"postKubeadmCommands", "ntp", "diskSetup":
		return true
	}
	return false
}

// elsewhere returns the path of the field with the name that is nearest to the root of the definition. The path is
// empty if no field matches, or if several have the same distance. Fields of list elements are not found.
func (k *kind) elsewhere(name string) string {
	level := map[string]structuralschema.Structural{"spec": k.structural.Properties["spec"]}
	for len(level) > 0 {
		var found []string
		next := map[string]structuralschema.Structural{}
		for path, s := range level {
			for property, of := range s.Properties {
				next[path+"."+property] = of
			}
			if _, ok := s.Properties[name]; ok {
				found = append(found, path+"."+name)
			}
		}
		switch len(found) {
		case 0:
			level = next
		case 1:
			return found[0]
		default:
			return ""
		}
	}
	return ""
}

// siblings returns the names of the fields beside the one at the path.
func (k *kind) siblings(path string) []string {
	s := k.structural
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		name, _, indexed := strings.Cut(step, "[")
		next, found := s.Properties[name]
		if !found {
			return nil
		}
		s = &next
		if indexed && s.Items != nil {
			s = s.Items
		}
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	return names
}

// converted returns the finding for an error of the API server's libraries.
func converted(e *field.Error) report.Finding {
	at := report.Path(e.Field)
	switch e.Type {
	case field.ErrorTypeRequired:
		return report.Errorf(at, "a value is required").To("set this field")
	case field.ErrorTypeDuplicate:
		return report.Errorf(at, "another entry of the list has the same key").To("remove one of the two, or rename it")
	case field.ErrorTypeNotSupported:
		allowed := quoted(e.Detail)
		return report.Errorf(at, "%q is not a known value", fmt.Sprint(e.BadValue)).
			To("%s", report.DidYouMean(fmt.Sprint(e.BadValue), allowed, "use one of "+strings.Join(allowed, ", ")))
	case field.ErrorTypeTypeInvalid:
		return typeFinding(at, e.Detail)
	case field.ErrorTypeTooLong, field.ErrorTypeTooMany:
		return report.Errorf(at, "the value is too large: %s", report.Unquoted(e.Detail)).To("shorten it")
	case field.ErrorTypeNotFound, field.ErrorTypeInvalid, field.ErrorTypeForbidden, field.ErrorTypeTooFew,
		field.ErrorTypeTooShort, field.ErrorTypeInternal:
	}
	problem := strings.TrimPrefix(e.Detail, e.Field+" in body ")
	if f, known := patternFinding(at, strings.Trim(strings.TrimPrefix(problem, "should match "), "'")); known {
		return f
	}
	return report.Errorf(at, "%s", problem)
}

// patternFinding returns the finding about a value that does not match a pattern of many definitions.
func patternFinding(at report.Path, pattern string) (report.Finding, bool) {
	f := report.Errorf(at, "the value contains characters that are not allowed")
	switch pattern {
	case "^[0-9a-f]{64}$":
		return report.Errorf(at, "the value is not a SHA-256").To("use the 64 digits that sha256sum prints"), true
	case "^/":
		return report.Errorf(at, "the path is not absolute").To("begin it with a slash"), true
	case `^(/|[A-Za-z]:\\)`:
		return report.Errorf(at, "the path is not absolute").To(`begin it with a slash, or on Windows with C:\`), true
	case "^https?://":
		return report.Errorf(at, "the value is not an http or https URL").To("begin it with https://"), true
	case "^0?[0-7]{3,4}$":
		return report.Errorf(at, "the value is not a mode").To(`use three or four octal digits, such as "0644"`), true
	case "^[-._a-zA-Z0-9]+$":
		return f.To("use letters, digits, dashes, dots and underscores"), true
	case `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`:
		return f.To("use lower-case letters, digits, dashes and dots, and a letter or digit at both ends"), true
	}
	return report.Finding{}, false
}

// typeFinding returns the finding for a value of another type. The detail is: spec.a in body must be of type string:
// "integer".
func typeFinding(at report.Path, detail string) report.Finding {
	_, types, _ := strings.Cut(detail, "must be of type ")
	want, got, _ := strings.Cut(types, ": ")
	f := report.Errorf(at, "expected %s, got %s", typeName(want), typeName(strings.Trim(got, `"`)))
	if want == "string" {
		return f.To("put the value in quotes")
	}
	return f.To("check the value, its quotes and its indentation")
}

// typeName returns the name of a type of JSON with its article.
func typeName(name string) string {
	switch name {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "integer", "number":
		return "a number"
	case "null", "":
		return "no value"
	default:
		return "a " + name
	}
}

// quoted returns the texts in double quotes.
func quoted(text string) []string {
	parts := strings.Split(text, `"`)
	var all []string
	for i := 1; i < len(parts); i += 2 {
		all = append(all, parts[i])
	}
	return all
}
