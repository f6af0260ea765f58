package migrate_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
)

// TestCertSANs converts placeholders in the names of the API server's certificate. Other control plane machines read
// the names from a ConfigMap of the first one, so a fact would have the first machine's value on all.
func TestCertSANs(t *testing.T) {
	for name, tc := range map[string]struct {
		names, remains string
		outcome        migrate.Outcome
		message        string
	}{
		"host name": {
			`["{{ ds.meta_data.local_hostname }}", a.example]`, "certSANs: [a.example]", migrate.Changed, "adds the hostname",
		},
		"own address": {`["{{ ds.meta_data.local_ipv4 }}"]`, "", migrate.Changed, "adds the privateIPv4"},
		"public": {
			`[a.example, "{{ ds.meta_data.public_ipv4 }}"]`, `certSANs: [a.example, "{{ ds.meta_data.public_ipv4 }}"]`,
			migrate.NoCounterpart, "facts cannot be in certSANs",
		},
		"unknown": {`["{{ other }}"]`, `certSANs: ["{{ other }}"]`, migrate.NoCounterpart, "facts cannot be in certSANs"},
	} {
		in := "{apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, metadata: {name: a}, spec: " +
			"{replicas: 3, version: v1.36.3, kubeadmConfigSpec: {clusterConfiguration: {apiServer: {certSANs: " + tc.names +
			"}}}}}\n"
		result, err := migrate.Convert(t.Context(), []byte(in), migrate.Options{OS: migrate.ParseOS("debian:12")})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, l := range result.Report {
			found = found || l.Outcome == tc.outcome && strings.Contains(l.Message, tc.message) &&
				strings.Contains(l.Field, "certSANs[")
		}
		text := string(result.Manifests)
		if !found || !strings.Contains(text, tc.remains) || tc.remains == "" && strings.Contains(text, "certSANs") {
			t.Errorf("%s: %+v\n%s", name, result.Report, text)
		}
	}
}
