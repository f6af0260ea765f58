package migrate_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	//nolint:staticcheck // The old version is what is converted.
	bootstrapv1beta1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta1"
	bootstrapv1beta2 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	//nolint:staticcheck // The old version is what is converted.
	controlplanev1beta1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta1"
	controlplanev1beta2 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
)

// filler sets every field of a value to a value that occurs once.
type filler struct{ n int }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch into := v.Addr().Interface().(type) {
	case *metav1.Time:
		*into = metav1.Time{Time: time.Date(2000+f.n, 1, 1, 0, 0, 0, 0, time.UTC)}
		return
	case *metav1.Duration:
		*into = metav1.Duration{Duration: time.Duration(f.n) * time.Second}
		return
	case *intstr.IntOrString:
		*into = intstr.FromInt32(int32(1000 + f.n))
		return
	case *bootstrapv1beta1.BootstrapTokenString:
		*into = bootstrapv1beta1.BootstrapTokenString{ID: "abcdef", Secret: fmt.Sprintf("%016d", f.n)}
		return
	case *bootstrapv1beta2.BootstrapTokenString:
		*into = bootstrapv1beta2.BootstrapTokenString{ID: "abcdef", Secret: fmt.Sprintf("%016d", f.n)}
		return
	case *corev1.EnvVarSource:
		*into = corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: f.text()}}
		return
	}
	f.fillKind(v)
}

func (f *filler) text() string { return fmt.Sprintf("value-%d-", f.n) }

func (f *filler) fillKind(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				f.fill(v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0))
	case reflect.Map:
		element := reflect.New(v.Type().Elem()).Elem()
		f.fill(element)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(f.text()).Convert(v.Type().Key()), element)
	case reflect.String:
		v.SetString(f.text())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(int64(1000 + f.n))
	case reflect.Uint8:
		v.SetUint(uint64(f.n % 256))
	default:
		panic(v.Kind())
	}
}

// leaves returns the paths of all values below a value, with the texts that occur once.
func leaves(path string, v any, into map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			leaves(path+"."+key, child, into)
		}
	case []any:
		for i, child := range v {
			leaves(fmt.Sprintf("%s[%d]", path, i), child, into)
		}
	case string, float64, json.Number:
		into[strings.TrimPrefix(path, ".")] = fmt.Sprint(v)
	default:
		into[strings.TrimPrefix(path, ".")] = ""
	}
}

func TestNoFieldIsForgotten(t *testing.T) {
	cases := map[string]any{
		"bootstrap.cluster.x-k8s.io/v1beta1 KubeadmConfig":          &bootstrapv1beta1.KubeadmConfigSpec{},
		"bootstrap.cluster.x-k8s.io/v1beta2 KubeadmConfig":          &bootstrapv1beta2.KubeadmConfigSpec{},
		"controlplane.cluster.x-k8s.io/v1beta1 KubeadmControlPlane": &controlplanev1beta1.KubeadmControlPlaneSpec{},
		"controlplane.cluster.x-k8s.io/v1beta2 KubeadmControlPlane": &controlplanev1beta2.KubeadmControlPlaneSpec{},
		"bootstrap.cluster.x-k8s.io/v1beta1 KubeadmConfigTemplate":  &bootstrapv1beta1.KubeadmConfigTemplateSpec{},
		"bootstrap.cluster.x-k8s.io/v1beta2 KubeadmConfigTemplate":  &bootstrapv1beta2.KubeadmConfigTemplateSpec{},
		"controlplane.cluster.x-k8s.io/v1beta1 KubeadmControlPlaneTemplate": &controlplanev1beta1.
			KubeadmControlPlaneTemplateSpec{},
		"controlplane.cluster.x-k8s.io/v1beta2 KubeadmControlPlaneTemplate": &controlplanev1beta2.
			KubeadmControlPlaneTemplateSpec{},
	}
	for name, spec := range cases {
		t.Run(name, func(t *testing.T) {
			f := &filler{}
			f.fill(reflect.ValueOf(spec).Elem())
			version, kind, _ := strings.Cut(name, " ")
			object := map[string]any{
				"apiVersion": version, "kind": kind, "metadata": map[string]any{"name": "all"}, "spec": spec,
			}
			in, err := yaml.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			var tree map[string]any
			if err := yaml.Unmarshal(in, &tree); err != nil {
				t.Fatal(err)
			}
			checkLeaves(t, in, tree["spec"])
		})
	}
}

// checkLeaves fails for each value that is neither part of the output nor reported by a rule.
func checkLeaves(t *testing.T, in []byte, spec any) {
	t.Helper()
	result, err := migrate.Convert(t.Context(), in, migrate.Options{OS: migrate.ParseOS("ubuntu:24.04")})
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]string{}
	leaves("spec", spec, expected)
	if len(expected) < 150 {
		t.Errorf("only %d values", len(expected))
	}
	for path, value := range expected {
		switch line, reported := lineFor(result.Report, path); {
		case reported && strings.Contains(line.Message, "this field is not known"):
			t.Errorf("%s: no rule", path)
		case !reported && value != "" && !strings.Contains(string(result.Manifests), value):
			t.Errorf("%s: %q is neither in the output nor in the report", path, value)
		}
	}
}

// lineFor returns the line about the path or about a parent of it.
func lineFor(lines []migrate.Line, path string) (migrate.Line, bool) {
	for _, l := range lines {
		if l.Field == path || strings.HasPrefix(path, l.Field+".") || strings.HasPrefix(path, l.Field+"[") {
			if l.Field != "" {
				return l, true
			}
		}
	}
	return migrate.Line{}, false
}
