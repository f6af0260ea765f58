package componentconfig_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/componentconfig"
	"github.com/machineadm/machineadm/domain/report"
)

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		config map[string]any
		minor  int
		want   []string
	}{
		"valid fields": {config: map[string]any{
			"maxPods": 110.0, "evictionHard": map[string]any{"memory.available": "100Mi"}, "clusterDNS": []any{"10.96.0.10"},
			"authentication": map[string]any{"webhook": map[string]any{"cacheTTL": "2m"}}, "failSwapOn": nil,
		}, minor: 36},
		"a misspelled field": {
			config: map[string]any{"maxPod": 5.0}, minor: 36,
			want: []string{"warning: config.maxPod: kubelet does not have this field, so that it has no effect; " +
				"did you mean maxPods?"},
		},
		"a text for a number": {
			config: map[string]any{"maxPods": "many"}, minor: 36,
			want: []string{"error: config.maxPods: kubelet accepts only a whole number from -2147483648 to 2147483647 here, " +
				"and this is a string, so that it would not start; write such a number without quotes"},
		},
		"a nested field": {
			config: map[string]any{"authentication": map[string]any{"webhok": true}}, minor: 36,
			want: []string{"warning: config.authentication.webhok: kubelet does not have this field, so that it has no " +
				"effect; did you mean webhook?"},
		},
		"an entry of a map": {
			config: map[string]any{"featureGates": map[string]any{"A.b": "true"}}, minor: 36,
			want: []string{`error: config.featureGates["A.b"]: kubelet accepts only true or false here, and this is a string, ` +
				"so that it would not start; write true or false without quotes"},
		},
		"a list for a text": {
			config: map[string]any{"clusterDomain": []any{"a"}}, minor: 36,
			want: []string{"error: config.clusterDomain: kubelet accepts only a string here, and this is a list, so that it " +
				"would not start; write the value in quotes"},
		},
		"an element of a list": {
			config: map[string]any{"registerWithTaints": []any{map[string]any{"key": 1.0}}}, minor: 36,
			want: []string{"error: config.registerWithTaints[0].key: kubelet accepts only a string here, and this is a " +
				"number, so that it would not start; write the value in quotes"},
		},
		"a field of a newer version": {
			config: map[string]any{"failCgroupV1": false}, minor: 30,
			want: []string{"warning: config.failCgroupV1: kubelet of Kubernetes 1.30 does not have this field, so that it has " +
				"no effect; remove it, or use Kubernetes 1.31 or newer"},
		},
		"an object of a newer version": {
			config: map[string]any{"userNamespaces": map[string]any{"idsPerPod": 65536.0}}, minor: 32,
			want: []string{"warning: config.userNamespaces: kubelet of Kubernetes 1.32 does not have this field, so that it " +
				"has no effect; remove it, or use Kubernetes 1.33 or newer"},
		},
		"a directive of a patch": {
			config: map[string]any{"evictionHard": map[string]any{"$patch": "replace"}, "$retainKeys": []any{"maxPods"}},
		},
		"a field of a newer version, and no version": {config: map[string]any{"failCgroupV1": false}},
		"an unknown field of a version without a table": {
			config: map[string]any{"fieldOfTheFuture": 1.0}, minor: componentconfig.Newest + 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range componentconfig.Kubelet("config", c.config, c.minor) {
				got = append(got, f.String())
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("other findings (-want +got):\n%s", d)
			}
		})
	}
}

// TestFindingsAreBounded shows that a large configuration does not have as many findings, that an error is not lost
// behind warnings, and that no finding contains a value.
func TestFindingsAreBounded(t *testing.T) {
	config := map[string]any{"zone": 1.0, "staticPodURLHeader": map[string]any{"Authorization": "planted"}}
	for i := range 50_000 {
		config["field"+strconv.Itoa(i)] = map[string]any{}
	}
	found := componentconfig.Kubelet("config", config, 36)
	if len(found) > 40 || found.Count(report.Error) != 1 {
		t.Errorf("%d findings, %d errors", len(found), found.Count(report.Error))
	}
	if strings.Contains(found.String(), "planted") {
		t.Error("a finding contains a value")
	}
	elements := make([]any, 100_000)
	if n := len(componentconfig.KubeProxy("config", map[string]any{"nodePortAddresses": elements}, 36)); n != 0 {
		t.Errorf("%d findings for null", n)
	}
	for i := range elements {
		elements[i] = 1.0
	}
	if n := len(componentconfig.KubeProxy("config", map[string]any{"nodePortAddresses": elements}, 36)); n > 20 {
		t.Errorf("%d findings", n)
	}
}
