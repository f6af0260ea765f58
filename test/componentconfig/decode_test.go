package componentconfig_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	kubeproxyv1alpha1 "k8s.io/kube-proxy/config/v1alpha1"
	kubeletv1beta1 "k8s.io/kubelet/config/v1beta1"
	kjson "sigs.k8s.io/json"

	"github.com/machineadm/machineadm/domain/componentconfig"
	"github.com/machineadm/machineadm/domain/report"
)

// samples are values of all types. Decoders of 1.36 accept or refuse each for a field.
func samples() []any {
	return []any{
		true, "", "text", "30s", "1Gi", "1.5e3", "0.5", "Ki", "2024-01-02T03:04:05Z", 0.0, 5.0, 5.5, -1.0, 3e9, 5e9,
		[]any{},
		[]any{"text"},
		[]any{5.0},
		[]any{true},
		[]any{[]any{"text"}},
		[]any{map[string]any{}},
		map[string]any{},
		map[string]any{"name": "text"},
		map[string]any{"name": 5.0},
		map[string]any{"name": true},
		map[string]any{"name": "1Gi"},
		map[string]any{"name": []any{"text"}},
		map[string]any{"name": []any{5.0}},
	}
}

// TestDecodersAgree compares the check with the strict decoding of each field of the real types.
func TestDecodersAgree(t *testing.T) {
	type check func(report.Path, map[string]any, int) report.Report
	for name, c := range map[string]struct {
		check check
		typ   reflect.Type
		least int
	}{
		"kubelet":    {componentconfig.Kubelet, reflect.TypeFor[kubeletv1beta1.KubeletConfiguration](), 140},
		"kube-proxy": {componentconfig.KubeProxy, reflect.TypeFor[kubeproxyv1alpha1.KubeProxyConfiguration](), 60},
	} {
		t.Run(name, func(t *testing.T) {
			fields := places(c.typ, func(v any) any { return v })
			if len(fields) < c.least {
				t.Fatalf("%d fields", len(fields))
			}
			for _, inside := range fields {
				for _, sample := range samples() {
					agree(t, c.typ, c.check, inside(sample).(map[string]any))
				}
			}
		})
	}
}

// agree compares the answers for a configuration.
func agree(t *testing.T, typ reflect.Type, check func(report.Path, map[string]any, int) report.Report,
	config map[string]any,
) {
	t.Helper()
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	unknown, err := kjson.UnmarshalStrict(text, reflect.New(typ).Interface())
	found := check("config", config, 36)
	if found.HasErrors() != (err != nil) {
		t.Errorf("%s: decoding: %v, check: %v", text, err, found)
	}
	if err == nil && (found.Count(report.Warning) > 0) != (len(unknown) > 0) {
		t.Errorf("%s: strict decoding: %v, check: %v", text, unknown, found)
	}
}

// places returns functions that put a value into each field of a type, and into elements of its lists and maps. outer
// puts a value of the type into the configuration.
func places(t reflect.Type, outer func(any) any) []func(any) any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, decodes := reflect.New(t).Interface().(json.Unmarshaler); decodes {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice:
		return places(t.Elem(), func(v any) any { return outer([]any{v}) })
	case reflect.Map:
		return places(t.Elem(), func(v any) any { return outer(map[string]any{"key": v}) })
	case reflect.Struct:
	default:
		return nil
	}
	var all []func(any) any
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inside := outer
		if name != "" {
			inside = func(v any) any { return outer(map[string]any{name: v}) }
			all = append(all, inside)
		}
		if f.Name != "TypeMeta" {
			all = append(all, places(f.Type, inside)...)
		}
	}
	return all
}
