package v1alpha1_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/test/definitions"
)

var _ conditions.Setter = &v1alpha1.MachineadmControlPlane{}

// group is the group that the definitions are checked for.
func group() definitions.Group {
	return definitions.Group{
		Dir:   "../../../../../config/control-plane/crd",
		Kinds: []string{v1alpha1.Kind, v1alpha1.TemplateKind},
		Labels: map[string]string{
			"clusterctl.cluster.x-k8s.io": "",
			"cluster.x-k8s.io/provider":   "control-plane-machineadm",
			"cluster.x-k8s.io/v1beta2":    v1alpha1.Version,
		},
	}
}

func TestDefinitions(t *testing.T) { definitions.Check(t, group()) }

// TestOneContractLabel checks that no version has two contracts. For a control plane, Cluster API takes the first label
// that lists the version while it walks a Go map, so that two labels give a random contract.
func TestOneContractLabel(t *testing.T) {
	contracts := 0
	for label, versions := range group().Labels {
		if strings.HasPrefix(label, "cluster.x-k8s.io/v1") {
			contracts += len(strings.Split(versions, "_"))
		}
	}
	if contracts != 1 {
		t.Errorf("the version %s has %d contracts, want 1", v1alpha1.Version, contracts)
	}
}

// definition returns the definition of a kind, with its only version.
func definition(t *testing.T, kind string) apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	for _, crd := range group().Read(t) {
		if crd.Spec.Names.Kind == kind && len(crd.Spec.Versions) == 1 {
			return crd
		}
	}
	t.Fatalf("there is no definition of %s with one version", kind)
	return apiextensionsv1.CustomResourceDefinition{}
}

// TestScaleSubresource checks the paths that the contract requires.
func TestScaleSubresource(t *testing.T) {
	selector := ".status.selector"
	want := &apiextensionsv1.CustomResourceSubresourceScale{
		SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas", LabelSelectorPath: &selector,
	}
	got := definition(t, v1alpha1.Kind).Spec.Versions[0].Subresources
	if got == nil || got.Status == nil {
		t.Fatal("there is no status subresource")
	}
	if diff := cmp.Diff(want, got.Scale); diff != "" {
		t.Error(diff)
	}
}

// TestTemplate checks that the template leaves out what belongs to one cluster, and has every other field.
func TestTemplate(t *testing.T) {
	fields := func(kind string, path ...string) map[string]apiextensionsv1.JSONSchemaProps {
		s := *definition(t, kind).Spec.Versions[0].Schema.OpenAPIV3Schema
		for _, name := range path {
			s = s.Properties[name]
		}
		return s.Properties
	}
	cases := map[string]struct {
		path    []string
		without []string
	}{
		"spec":                 {[]string{"spec"}, []string{"replicas", "version"}},
		"spec.machineTemplate": {[]string{"spec", "machineTemplate"}, nil},
		"spec.machineTemplate.spec": {
			[]string{"spec", "machineTemplate", "spec"}, []string{"infrastructureRef", "readinessGates"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := fields(v1alpha1.Kind, c.path...)
			for _, field := range c.without {
				delete(want, field)
			}
			got := fields(v1alpha1.TemplateKind, append([]string{"spec", "template"}, c.path...)...)
			for field := range want {
				if _, found := got[field]; !found {
					t.Errorf("%s is missing", field)
				}
			}
			if len(got) != len(want) {
				t.Errorf("got %d fields, want %d", len(got), len(want))
			}
		})
	}
}

// TestScheme checks that each kind and its list are registered.
func TestScheme(t *testing.T) {
	s := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	for _, kind := range group().Kinds {
		for _, name := range []string{kind, kind + "List"} {
			if !s.Recognizes(v1alpha1.GroupVersion().WithKind(name)) {
				t.Errorf("%s is not registered", name)
			}
		}
	}
}

func TestInitialized(t *testing.T) {
	s := v1alpha1.MachineadmControlPlaneStatus{}
	if s.Initialized() {
		t.Error("a new control plane is initialized")
	}
	done := true
	s.Initialization.ControlPlaneInitialized = &done
	if !s.Initialized() {
		t.Error("the latch is not read")
	}
}
