package node_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/node"
)

// TestStructured checks the versions of Kubernetes that read v1: with another version, the API server does not start.
func TestStructured(t *testing.T) {
	const authentication, authorization = "AuthenticationConfiguration", "AuthorizationConfiguration"
	cases := map[string]struct {
		apiVersion, kind, version string
		want                      bool
	}{
		"authentication of 1.33":       {"v1", authentication, "v1.33.4", false},
		"authentication of 1.34":       {"v1", authentication, "v1.34.3", true},
		"authorization of 1.31":        {"v1", authorization, "v1.31.0", false},
		"authorization of 1.32":        {"v1", authorization, "v1.32.3", true},
		"v1beta1 of authentication":    {"v1beta1", authentication, "v1.30.5", true},
		"v1beta1 of authorization":     {"v1beta1", authorization, "v1.30.5", true},
		"a manifest of another kind":   {"v1", "EncryptionConfiguration", "v1.30.5", true},
		"a version that is not one":    {"v1", authentication, "", true},
		"authentication of a beta":     {"v1", authentication, "v1.34.0-beta.0", true},
		"authentication of 1.33, beta": {"v1", authentication, "v1.33.0-beta.0", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := node.CheckStructured("doc", "apiserver.config.k8s.io/"+tc.apiVersion, tc.kind, tc.version)
			if r.HasErrors() == tc.want {
				t.Errorf("got %q", r)
			}
		})
	}
}
