package bottlerocket_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/test/scenarios"
)

// parse goes the way of Bottlerocket: from TOML to JSON, and into the models (core-kit: early-boot-config-provider,
// settings.rs).
func parse(data []byte) (userData, error) {
	var u userData
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		return u, err
	}
	asJSON, err := json.Marshal(tree)
	if err != nil {
		return u, err
	}
	decoder := json.NewDecoder(bytes.NewReader(asJSON))
	decoder.DisallowUnknownFields()
	return u, decoder.Decode(&u)
}

// TestGoldensAreSettings reads each golden, and holds what a machine needs to join a cluster of kubeadm's
// (bottlerocket: QUICKSTART-VMWARE.md).
func TestGoldensAreSettings(t *testing.T) {
	for _, golden := range scenarios.Of(t, "bottlerocket") {
		t.Run(golden.Name(), func(t *testing.T) {
			u, err := parse(golden.Data)
			if err != nil {
				t.Fatal(err)
			}
			k := u.Settings.Kubernetes
			if k == nil || k.APIServer == nil || k.BootstrapToken == nil || k.ClusterCertificate == nil ||
				k.ClusterDomain == nil || len(k.ClusterDNSIP) == 0 {
				t.Fatalf("it joins no cluster: %+v", k)
			}
			if k.AuthenticationMode == nil || *k.AuthenticationMode != "tls" ||
				!strings.HasPrefix(string(*k.APIServer), "https://") {
				t.Error("the token is of no use")
			}
			ca, _ := base64.StdEncoding.DecodeString(string(*k.ClusterCertificate))
			if block, rest := pem.Decode(ca); block == nil || block.Type != "CERTIFICATE" || len(rest) > 0 {
				t.Error("there is no certificate of the cluster's")
			}
		})
	}
}

// A reader that takes everything would be none.
func TestReaderRefuses(t *testing.T) {
	cases := map[string]struct{ reason, text string }{
		"unknown key":  {"a misspelt key", "[settings.kubernetes]\nmax-pod = 1"},
		"wrong type":   {"a number as a string", "[settings.kubernetes]\nmax-pods = \"1\""},
		"out of range": {"a negative number", "[settings.kubernetes]\nmax-pods = -1"},
		"word":         {"no mode", "[settings.kubernetes]\nauthentication-mode = \"token\""},
		"label":        {"a blank", "[settings.kubernetes.node-labels]\n\"a b\" = \"c\""},
		"eviction":     {"no signal", "[settings.kubernetes.eviction-hard]\ndisk = \"1Gi\""},
		"sysctl":       {"climbs out", "[settings.kernel.sysctl]\n\"a..b\" = \"1\""},
		"sysctl quote": {"ends the template's string", "[settings.kernel.sysctl]\n\"a.b\" = 'x\"y'"},
		"certificate":  {"none", "[settings.pki.a]\ndata = \"aGk=\"\ntrusted = true"},
		"proxy":        {"the template escapes it", "[settings.network]\nhttps-proxy = \"http://a?b=c\""},
		"outside":      {"not below settings", "[kubernetes]\nmax-pods = 1"},
		"identifier":   {"an underscore", "[settings.host-containers.a_b]\nenabled = true"},
		"capabilities": {
			"a field of newer releases alone",
			"[[settings.container-registry.mirrors]]\ncapabilities = [\"pull\"]",
		},
		"base64":        {"none", "[settings.kubernetes.static-pods.a]\nmanifest = \"%\""},
		"service range": {"a subnet is no address", "[settings.kubernetes]\ncluster-dns-ip = [\"10.0.0.0/8\"]"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := parse([]byte(tc.text)); err == nil {
				t.Errorf("it is taken: %s", tc.reason)
			}
		})
	}
}
