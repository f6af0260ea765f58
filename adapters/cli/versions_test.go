package cli

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1" //nolint:staticcheck // manifests may use it
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// TestV1beta1Decodes checks that JSON of a v1beta1 type of Cluster API can be decoded into the type that the manifests
// are decoded into. Fields that only one version has are ignored.
func TestV1beta1Decodes(t *testing.T) {
	for _, pair := range []struct{ from, into any }{
		{clusterv1beta1.ClusterSpec{}, clusterv1.ClusterSpec{}},
		{clusterv1beta1.Machine{}, clusterv1.Machine{}},
		{clusterv1beta1.MachineSpec{}, clusterv1.MachineSpec{}},
		{clusterv1beta1.MachineDeploymentSpec{}, clusterv1.MachineDeploymentSpec{}},
		{clusterv1beta1.MachineSetSpec{}, clusterv1.MachineDeploymentSpec{}},
		{clusterv1.MachineSetSpec{}, clusterv1.MachineDeploymentSpec{}},
		{clusterv1beta1.MachinePoolSpec{}, clusterv1.MachineDeploymentSpec{}},
		{clusterv1.MachinePoolSpec{}, clusterv1.MachineDeploymentSpec{}},
	} {
		from, into := reflect.TypeOf(pair.from), reflect.TypeOf(pair.into)
		for _, path := range mismatches(from, into, "") {
			t.Errorf("%s and %s have different types at %s", from, into, path)
		}
	}
	if len(mismatches(reflect.TypeFor[clusterv1beta1.Cluster](), reflect.TypeFor[clusterv1.Cluster](), "")) == 0 {
		t.Error("status.failureDomains is a map in v1beta1 and a list in v1beta2, and was not found")
	}
}

// mismatches returns the paths of the fields that have the same JSON name and different JSON types.
func mismatches(a, b reflect.Type, path string) []string {
	for a.Kind() == reflect.Pointer {
		a = a.Elem()
	}
	for b.Kind() == reflect.Pointer {
		b = b.Elem()
	}
	decoder := reflect.TypeFor[json.Unmarshaler]()
	switch {
	case a == b:
		return nil
	case a.Kind() != b.Kind() || reflect.PointerTo(a).Implements(decoder) || reflect.PointerTo(b).Implements(decoder):
		return []string{path}
	case a.Kind() == reflect.Slice || a.Kind() == reflect.Map:
		return mismatches(a.Elem(), b.Elem(), path+"[]")
	case a.Kind() != reflect.Struct:
		return nil
	}
	var paths []string
	fields := jsonFields(b)
	for name, field := range jsonFields(a) {
		if other, common := fields[name]; common {
			paths = append(paths, mismatches(field, other, path+"."+name)...)
		}
	}
	return paths
}

// jsonFields returns the types of the fields by their JSON names.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	return fields
}
