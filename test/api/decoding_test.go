package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	crds "github.com/machineadm/machineadm/config"
)

// leafValues are values that an API server may accept, and that a Go type may refuse, or values that both accept.
func leafValues() []any {
	return []any{
		"", "a", "1", "1e3", "1e1.5", "-1", "+1", ".5", "1.", "1.5", "8Gi", "500m", "999999999999999999E", "1ns", "P1D",
		"2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5+02:00", "2026-01-01t00:00:00z", "2026-01-01T00:00:00Ztrash",
		"2026-01-01T00:00:00", "2026-02-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
		"2026-01-01T23:59:60Z", "2026-01-01T00:00:00+99:99", "2026-01-01T00:00:00 02:00", "2026-01-01T00:00:00Z\n",
		"2026-01-01 00:00:00Z", int64(0), int64(1), int64(-1), int64(3_000_000_000), int64(-3_000_000_000),
		int64(math.MaxInt64), int64(math.MinInt64), 1.000000001, 2_000_000_000.5, 10_000_000_000.5, true,
		[]any{},
		map[string]any{},
	}
}

// foreign are types of Kubernetes and Cluster API that the kinds contain: their limits are not ours.
var foreign = []string{".matchLabels", "status.failureDomains[].attributes"}

// foreignEntries are valid entries of lists of foreign types, whose fields have no rules: the rules are those of the
// list.
func foreignEntries() map[string]map[string]any {
	return map[string]map[string]any{
		"conditions": {
			"type": "Ready", "status": "True", "reason": "Ready", "message": "",
			"lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": int64(1),
		},
		"versions": {"version": "v1.34.0", "replicas": int64(1)},
	}
}

// decoding checks the definition of a kind.
type decoding struct {
	t *testing.T
	// kind is the kind, of the scheme.
	kind   runtimeschema.GroupVersionKind
	scheme *runtime.Scheme
	// times and quantities count the fields in which a time and a quantity are accepted.
	times, quantities *int
}

// TestStoredObjectsAreDecoded checks each field of each definition: no object that the API server accepts may fail to
// decode, since the controller could list no object of the kind. API servers before 1.36 check neither the range of an
// integer nor that it has no small fraction.
func TestStoredObjectsAreDecoded(t *testing.T) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		v1alpha1.AddToScheme, hostsv1.AddToScheme, controlplanev1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	var times, quantities int
	err := fs.WalkDir(crds.Definitions, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(crds.Definitions, path)
		if err != nil {
			return err
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(text, &crd); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, v := range crd.Spec.Versions {
			var root apiextensions.JSONSchemaProps
			err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
				v.Schema.OpenAPIV3Schema, &root, nil,
			)
			if err != nil {
				return err
			}
			c := decoding{
				t: t, scheme: scheme, times: &times, quantities: &quantities,
				kind: runtimeschema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind},
			}
			for _, name := range []string{"spec", "status"} {
				if part, found := root.Properties[name]; found {
					c.visit(&part, []string{name})
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if times == 0 || quantities == 0 {
		t.Errorf("%d times and %d quantities are accepted", times, quantities)
	}
}

// visit checks a field and the fields in it. The steps of the path are names of fields, and [] and {} for the entries
// of lists and maps.
func (c decoding) visit(s *apiextensions.JSONSchemaProps, path []string) {
	c.t.Helper()
	if valid, found := foreignEntries()[path[len(path)-1]]; found && path[0] == "status" {
		c.foreignEntry(s, path, valid)
		return
	}
	if s.AdditionalProperties != nil && s.MaxProperties == nil && !slices.ContainsFunc(foreign, func(end string) bool {
		return strings.HasSuffix(c.field(path), end)
	}) {
		c.t.Errorf("%s: the map has no maxProperties", c.field(path))
	}
	switch {
	case s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields:
	case s.Type == "object" && s.AdditionalProperties != nil:
		c.visit(s.AdditionalProperties.Schema, slices.Concat(path, []string{"{}"}))
	case s.Type == "object":
		for name := range s.Properties {
			p := s.Properties[name]
			c.visit(&p, slices.Concat(path, []string{name}))
		}
	case s.Type == "array":
		c.visit(s.Items.Schema, slices.Concat(path, []string{"[]"}))
	default:
		c.leaf(s, path)
	}
}

// foreignEntry checks the rules for the entries of a list, whose own markers have none.
func (c decoding) foreignEntry(s *apiextensions.JSONSchemaProps, path []string, valid map[string]any) {
	c.t.Helper()
	accepts := acceptor(c.t, s.Items.Schema)
	if !accepts(valid) {
		c.t.Errorf("%s: the schema refuses %v", c.field(path), valid)
	}
	for name := range valid {
		for _, value := range leafValues() {
			entry := maps.Clone(valid)
			entry[name] = value
			if accepts(entry) && !c.decodes([]any{entry}, path) {
				c.t.Errorf("%s[].%s: the schema accepts %#v, which cannot be decoded", c.field(path), name, value)
			}
		}
	}
}

func (c decoding) leaf(s *apiextensions.JSONSchemaProps, path []string) {
	c.t.Helper()
	accepts := acceptor(c.t, s)
	for _, value := range leafValues() {
		if !accepts(value) {
			continue
		}
		switch value {
		case "2026-01-01T00:00:00Z":
			if s.Format == "date-time" {
				*c.times++
			}
		case "8Gi":
			if s.XIntOrString {
				*c.quantities++
			}
		case "1e3":
			if s.XIntOrString {
				c.t.Errorf("%s: the schema accepts quantities with an exponent, whose digits are computed", c.field(path))
			}
		}
		if !c.decodes(value, path) {
			c.t.Errorf("%s: the schema accepts %#v, which cannot be decoded", c.field(path), value)
		}
	}
}

// acceptor returns whether an API server accepts the value of a field.
func acceptor(t *testing.T, s *apiextensions.JSONSchemaProps) func(any) bool {
	t.Helper()
	validator, _, err := validation.NewSchemaValidator(withoutIntegers(s))
	if err != nil {
		t.Fatal(err)
	}
	structural, err := structuralschema.NewStructural(s)
	if err != nil {
		t.Fatal(err)
	}
	rules := cel.NewValidator(structural, false, celconfig.PerCallLimit)
	return func(value any) bool {
		if len(validation.ValidateCustomResource(nil, value, validator)) > 0 || !integersAccept(s, value) {
			return false
		}
		errs, _ := rules.Validate(context.Background(), nil, structural, value, nil, celconfig.RuntimeCELCostBudget)
		return len(errs) == 0
	}
}

// withoutIntegers makes numbers of integers, and drops their format: see integersAccept.
func withoutIntegers(s *apiextensions.JSONSchemaProps) *apiextensions.JSONSchemaProps {
	s = s.DeepCopy()
	if s.Type == "integer" {
		s.Type, s.Format = "number", ""
	}
	for name, p := range s.Properties {
		s.Properties[name] = *withoutIntegers(&p)
	}
	return s
}

// integersAccept is what API servers before 1.36 accept as an integer besides integers: numbers whose fraction is small
// in relation to them.
func integersAccept(s *apiextensions.JSONSchemaProps, value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for name, p := range s.Properties {
			if value, found := v[name]; found && !integersAccept(&p, value) {
				return false
			}
		}
	case float64:
		return s.Type != "integer" || math.Abs(v-math.Floor(v))/(2*math.Abs(v)) < 1e-9
	}
	return true
}

// decodes reports whether an object of the kind with the value is decoded.
func (c decoding) decodes(value any, path []string) bool {
	c.t.Helper()
	for _, step := range slices.Backward(path) {
		switch step {
		case "[]":
			value = []any{value}
		case "{}":
			value = map[string]any{"a": value}
		default:
			value = map[string]any{step: value}
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		c.t.Fatal(err)
	}
	o, err := c.scheme.New(c.kind)
	if err != nil {
		c.t.Fatal(err)
	}
	return json.Unmarshal(text, o) == nil
}

func (c decoding) field(path []string) string {
	return c.kind.Kind + ": " + strings.NewReplacer(".[]", "[]", ".{}", "{}").Replace(strings.Join(path, "."))
}

// Valid objects, in which a test changes a field.
const (
	host = `{apiVersion: infrastructure.machineadm.io/v1alpha1, kind: Host, metadata: {name: h, namespace: default},
		spec: {address: a, hostKeyPolicy: TrustOnFirstUse, sshKeyRef: {name: a},
		capacity: {cpu: "4", memory: 8Gi, nvidia.com/gpu: 1, a: 500m},
		unavailable: {reason: A, since: "2026-01-01T00:00:00.5+02:00"}}}`
	machine = `{apiVersion: infrastructure.machineadm.io/v1alpha1, kind: HostMachine,
		metadata: {name: m, namespace: default}, spec: {timeouts: {bootSeconds: 60},
		claim: {id: 00000000-0000-0000-0000-000000000000, sentAt: "2026-01-01T00:00:00Z"}}}`
	plane = `{apiVersion: controlplane.machineadm.io/v1alpha1, kind: MachineadmControlPlane,
		metadata: {name: p, namespace: default}, spec: {version: v1.34.0,
		machineTemplate: {spec: {infrastructureRef: {apiGroup: a.b, kind: C, name: d}}},
		bootstrap: {os: {distribution: debian}, controlPlane: {certificates: {validityDays: 1}}},
		rollout: {after: "2026-01-01T00:00:00Z"}, remediation: {maxRetry: 0}}}`
)

// object reads an object.
func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestHostileValuesAreRefused creates objects with values that an API server accepted, and that kept the controller
// from listing all objects of the kind or cost it gigabytes. Such a value is refused, and the error names the field.
func TestHostileValuesAreRefused(t *testing.T) {
	c := server(t)
	many := map[string]any{}
	for i := range 65 {
		many[fmt.Sprint("a", i)] = "1"
	}
	cases := map[string]struct {
		reason, object, field string
		value                 any
	}{
		"fraction of an exponent": {"a quantity refuses it", host, "spec.capacity.cpu", "1e1.5"},
		"small":                   {"its digits are computed", host, "spec.capacity.cpu", "1e-1000000000"},
		"large":                   {"its digits are computed", host, "spec.capacity.cpu", "1e1000000000"},
		"negative":                {"nothing is negative", host, "spec.capacity", map[string]any{"cpu": int64(-1)}},
		"resources":               {"the status has them as well", host, "spec.capacity", many},
		"lower case":              {"a time refuses it", host, "spec.unavailable.since", "2026-01-01t00:00:00z"},
		"rest":                    {"a time refuses it", machine, "spec.claim.sentAt", "2026-01-01T00:00:00Ztrash"},
		"offset":                  {"a time refuses it", plane, "spec.rollout.after", "2026-01-01T00:00:00+99:99"},
		"leap second":             {"a time refuses it", plane, "spec.rollout.after", "2026-01-01T23:59:60Z"},
		"month":                   {"a time refuses it", plane, "spec.rollout.after", "2026-13-01T00:00:00Z"},
		"long integer": {
			"it has 32 bits", plane, "spec.bootstrap.controlPlane.certificates.validityDays", int64(3_000_000_000),
		},
		"remediation": {"it has 32 bits", plane, "spec.remediation.maxRetry", int64(3_000_000_000)},
		"fraction":    {"it is an integer", machine, "spec.timeouts.bootSeconds", 60.00000001},
	}
	for name, k := range cases {
		t.Run(name, func(t *testing.T) {
			o := object(t, k.object)
			if err := c.Client.Create(t.Context(), o.DeepCopy(), client.DryRunAll); err != nil {
				t.Fatalf("without the value: %v", err)
			}
			if err := unstructured.SetNestedField(o.Object, k.value, strings.Split(k.field, ".")...); err != nil {
				t.Fatal(err)
			}
			err := c.Client.Create(t.Context(), o, client.DryRunAll)
			if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), k.field+": ") {
				t.Errorf("%s: %v", k.reason, err)
			}
		})
	}
}

// TestHostileStatusesAreRefused is TestHostileValuesAreRefused for users who may write a status.
func TestHostileStatusesAreRefused(t *testing.T) {
	c := server(t)
	o := object(t, host)
	if err := c.Client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	condition := map[string]any{"type": "Ready", "status": "True", "reason": "A", "message": ""}
	for _, time := range []string{"2026-01-01T00:00:00Z", "2026-01-01t00:00:00z", "2026-01-01T00:00:00Ztrash"} {
		condition["lastTransitionTime"] = time
		for field, status := range map[string]map[string]any{
			"status.conditions[0]": {"conditions": []any{condition}}, "status.lastProbeTime": {"lastProbeTime": time},
		} {
			o.Object["status"] = status
			err := c.Client.Status().Update(t.Context(), o.DeepCopy(), client.DryRunAll)
			if strings.HasSuffix(time, "0Z") != (err == nil) || err != nil && !strings.Contains(err.Error(), field+": ") {
				t.Errorf("%s: %s: %v", field, time, err)
			}
		}
	}
}
