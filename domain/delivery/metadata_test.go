package delivery_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
)

// TestMetadataOfDataSecrets refuses keys that controllers trust, in all spellings that the API server accepts, and keys
// and values that the API server refuses.
func TestMetadataOfDataSecrets(t *testing.T) {
	trusted := func(domain string) string {
		return "controllers trust keys of the domain " + domain + "; use a domain of your own"
	}
	const invalid = "is not a key of metadata; write NAME or PREFIX/NAME with letters, digits, dots, dashes and " +
		"underscores"
	for name, tc := range map[string]struct{ key, value, want string }{
		"plain":               {key: "team", value: "a"},
		"a domain":            {key: "backup.example.com/include", value: ""},
		"similar domains":     {key: "notkubernetes.io/a", value: "b"},
		"the name is a key":   {key: "kubernetes.io", value: "b"},
		"cluster's name":      {key: "cluster.x-k8s.io/cluster-name", value: "other", want: trusted("cluster.x-k8s.io")},
		"clusterctl":          {key: "clusterctl.cluster.x-k8s.io/move", value: "", want: trusted("cluster.x-k8s.io")},
		"service account":     {key: "kubernetes.io/service-account.name", value: "default", want: trusted("kubernetes.io")},
		"deep":                {key: "a.b.k8s.io/c", value: "", want: trusted("k8s.io")},
		"the data's own":      {key: "bootstrap.machineadm.io/machine", value: "m", want: trusted("machineadm.io")},
		"capital letters":     {key: "Cluster.X-K8S.io/cluster-name", value: "other", want: trusted("cluster.x-k8s.io")},
		"two slashes":         {key: "kubernetes.io/a/b", value: "", want: trusted("kubernetes.io")},
		"slashes":             {key: "a.example/b/c", value: "", want: `"a.example/b/c" ` + invalid},
		"blank":               {key: " kubernetes.io/a", value: "", want: `" kubernetes.io/a" ` + invalid},
		"line feed":           {key: "a\nkubernetes.io/b", value: "", want: `"a\nkubernetes.io/b" ` + invalid},
		"NUL":                 {key: "a\x00", value: "", want: `"a\x00" ` + invalid},
		"not text":            {key: "\xff", value: "", want: `"\xff" ` + invalid},
		"empty":               {key: "", value: "", want: `"" ` + invalid},
		"trailing dot":        {key: "kubernetes.io./a", value: "", want: `"kubernetes.io./a" ` + invalid},
		"a capital in a name": {key: "example.com/Team", value: ""},
		"long name":           {key: strings.Repeat("a", 64), want: `"` + strings.Repeat("a", 64) + `" ` + invalid},
		"long prefix": {
			key: strings.Repeat("a.", 127) + "a/b", want: `"` + strings.Repeat("a.", 30) + `a…" ` + invalid,
		},
	} {
		t.Run(name, func(t *testing.T) {
			entries := map[string]string{tc.key: tc.value}
			for field, m := range map[string]delivery.Metadata{
				"labels": {Labels: entries}, "annotations": {Annotations: entries},
			} {
				var want string
				if tc.want != "" {
					want = fmt.Sprintf("error: at.%s[%q]: %s", field, tc.key, tc.want)
				}
				if got := m.Check("at").String(); len(tc.key) < 60 && got != want || !strings.HasSuffix(got, tc.want) {
					t.Errorf("found %s\nwant  %s", got, want)
				}
			}
		})
	}
}

// TestValuesOfMetadata refuses values that the API server refuses, and never repeats one.
func TestValuesOfMetadata(t *testing.T) {
	for name, tc := range map[string]struct {
		value             string
		label, annotation bool
	}{
		"word":       {"a-b.c_D", true, true},
		"empty":      {"", true, true},
		"blank":      {"a b", false, true},
		"lines":      {"a\nb", false, true},
		"long":       {strings.Repeat("a", 64), false, true},
		"very long":  {strings.Repeat("a", 4097), false, false},
		"dash first": {"-a", false, true},
	} {
		entries := map[string]string{"a": tc.value}
		labels, annotations := delivery.Metadata{Labels: entries}, delivery.Metadata{Annotations: entries}
		for field, c := range map[string]struct {
			metadata delivery.Metadata
			valid    bool
		}{"labels": {labels, tc.label}, "annotations": {annotations, tc.annotation}} {
			found := c.metadata.Check("at")
			if found.HasErrors() == c.valid || tc.value != "" && strings.Contains(found.String(), `"`+tc.value) {
				t.Errorf("%s, %s: found %q", name, field, found)
			}
		}
	}
	many := map[string]string{}
	for i := range 33 {
		many[fmt.Sprintf("a%d", i)] = ""
	}
	const want = "error: at.labels: 33 keys are too many; use at most 32"
	if got := (delivery.Metadata{Labels: many}).Check("at").String(); got != want {
		t.Errorf("found %q", got)
	}
}
