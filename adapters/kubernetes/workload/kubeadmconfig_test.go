package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
)

// stored is a configuration as kubeadm init of 1.35 stores it, with a field that this version of machineadm does not
// know.
const stored = `apiServer: {}
apiVersion: kubeadm.k8s.io/v1beta4
caCertificateValidityPeriod: 87600h0m0s
certificateValidityPeriod: 8760h0m0s
certificatesDir: /etc/kubernetes/pki
clusterName: c1
controlPlaneEndpoint: 192.0.2.10:6443
controllerManager:
  extraArgs:
  - name: flex-volume-plugin-dir
    value: /opt/libexec
dns: {}
encryptionAlgorithm: RSA-2048
etcd:
  local:
    dataDir: /var/lib/etcd
imageRepository: registry.k8s.io
kind: ClusterConfiguration
kubernetesVersion: v1.35.1
networking:
  dnsDomain: cluster.local
  podSubnet: 10.244.0.0/16
  serviceSubnet: 10.96.0.0/12
proxy: {}
scheduler: {}
somethingNew:
  kept: true
`

// desired is a configuration as machineadm writes it.
const desired = `{"apiVersion":"kubeadm.k8s.io/v1beta4","kind":"ClusterConfiguration","clusterName":"c1",
"kubernetesVersion":"v1.35.1","networking":{},"apiServer":{},"scheduler":{},"etcd":{},
"controllerManager":{"extraArgs":[{"name":"flex-volume-plugin-dir","value":"/opt/libexec"}]}}`

// settledText settles two texts.
func settledText(t *testing.T, current, wanted string) (object, bool) {
	t.Helper()
	before, err := decodeConfiguration(t.Context(), current)
	if err != nil {
		t.Fatal(err)
	}
	after, err := decodeConfiguration(t.Context(), wanted)
	if err != nil {
		t.Fatal(err)
	}
	s, err := settle(current, before, after)
	if err != nil {
		t.Fatal(err)
	}
	result := object{}
	if err := yaml.Unmarshal([]byte(s.text), &result); err != nil {
		t.Fatal(err)
	}
	return result, s.changed
}

func TestSettle(t *testing.T) {
	with := func(field, value string) string {
		return strings.Replace(desired, `"scheduler":{}`, `"`+field+`":`+value, 1)
	}
	cases := map[string]struct {
		reason  string
		desired string
		// path is the field to compare, and want its value; nil means that it is absent.
		path      []string
		want      any
		unchanged bool
	}{
		"same": {
			reason:  "kubeadm stores defaults that the specification does not have",
			desired: desired, path: []string{"kubernetesVersion"}, want: "v1.35.1", unchanged: true,
		},
		"defaults": {
			reason: "a default that is written out means the same", unchanged: true,
			desired: with("certificateValidityPeriod", `"8760h"`), path: []string{"certificateValidityPeriod"},
			want: "8760h0m0s",
		},
		"version": {
			desired: strings.Replace(desired, "v1.35.1", "v1.36.3", 1), path: []string{"kubernetesVersion"}, want: "v1.36.3",
		},
		"repository": {
			desired: with("imageRepository", `"registry.example/k8s"`), path: []string{"imageRepository"},
			want: "registry.example/k8s",
		},
		"feature gates": {
			desired: with("featureGates", `{"NodeLocalCRISocket":false}`), path: []string{"featureGates"},
			want: object{"NodeLocalCRISocket": false},
		},
		"arguments": {
			desired: with("scheduler", `{"extraArgs":[{"name":"v","value":"4"}]}`), path: []string{"scheduler", "extraArgs"},
			want: []any{object{"name": "v", "value": "4"}},
		},
		"removed arguments": {
			desired: strings.Replace(desired, `"controllerManager":{"extraArgs":[{"name":"flex-volume-plugin-dir",`+
				`"value":"/opt/libexec"}]}`, `"controllerManager":{}`, 1),
			path: []string{"controllerManager", "extraArgs"},
		},
		"data directory": {
			desired: strings.Replace(desired, `"etcd":{}`, `"etcd":{"local":{"dataDir":"/data"}}`, 1),
			path:    []string{"etcd", "local", "dataDir"}, want: "/data",
		},
		"names": {
			desired: strings.Replace(desired, `"apiServer":{}`, `"apiServer":{"certSANs":["api.example"]}`, 1),
			path:    []string{"apiServer", "certSANs"},
			want:    []any{"api.example"},
		},
		"unknown field": {
			reason:  "a newer kubeadm may have stored it",
			desired: strings.Replace(desired, "v1.35.1", "v1.36.3", 1), path: []string{"somethingNew", "kept"}, want: true,
		},
		"network": {
			reason:  "kubeadm cannot change it",
			desired: strings.Replace(desired, "v1.35.1", "v1.36.3", 1), path: []string{"networking", "podSubnet"},
			want: "10.244.0.0/16",
		},
		"CoreDNS": {desired: with("dns", `{"imageTag":"v1.14.0"}`), path: []string{"dns", "imageTag"}, want: "v1.14.0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			after, changed := settledText(t, stored, tc.desired)
			var value any = after
			for _, name := range tc.path {
				value = value.(object)[name]
			}
			if diff := cmp.Diff(tc.want, value); diff != "" || changed == tc.unchanged {
				t.Errorf("changed: %t, %s (-want +got):\n%s", changed, tc.reason, diff)
			}
			text, err := yaml.Marshal(after)
			if err != nil {
				t.Fatal(err)
			}
			if _, again := settledText(t, string(text), tc.desired); again {
				t.Errorf("the result is changed again:\n%s", text)
			}
		})
	}
}

// TestSettleConvertsVersions verifies that an upgrade from a version of Kubernetes that uses v1beta3 leaves no field
// that v1beta4 does not have.
func TestSettleConvertsVersions(t *testing.T) {
	const old = `{"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"ClusterConfiguration","kubernetesVersion":"v1.30.1",
"apiServer":{"timeoutForControlPlane":"4m0s","extraArgs":{"v":"2"}},"etcd":{"local":{"dataDir":"/var/lib/etcd"}}}`
	same := strings.Replace(old, "v1.30.1", "v1.30.2", 1)
	after, _ := settledText(t, old, same)
	if server := child(after, "apiServer"); server["timeoutForControlPlane"] != "4m0s" {
		t.Errorf("the same version lost a field: %v", server)
	}
	after, _ = settledText(t, old, strings.Replace(desired, `"apiServer":{}`,
		`"apiServer":{"extraArgs":[{"name":"v","value":"2"}]}`, 1))
	want := object{"extraArgs": []any{object{"name": "v", "value": "2"}}}
	if diff := cmp.Diff(want, child(after, "apiServer")); diff != "" {
		t.Errorf("the API server (-want +got):\n%s", diff)
	}
}

// TestEtcdStaysInPlace verifies that machines do not join with another etcd than the one that has the cluster's data.
func TestEtcdStaysInPlace(t *testing.T) {
	before, err := decodeConfiguration(t.Context(), stored)
	if err != nil {
		t.Fatal(err)
	}
	external := object{"etcd": object{"external": object{"endpoints": []any{"https://192.0.2.20:2379"}}}}
	if _, err := settle(stored, before, external); err == nil || !strings.Contains(err.Error(), "cannot be exchanged") {
		t.Errorf("error %v", err)
	}
}

func TestEnableLocalMode(t *testing.T) {
	cases := map[string]struct {
		reason, version string
		given, want     object
	}{
		"too old":  {reason: "kubeadm does not have the gate", version: "v1.30.4"},
		"disabled": {reason: "by default", version: "v1.32.0", want: object{"ControlPlaneKubeletLocalMode": true}},
		"given": {
			reason: "the user decides", version: "v1.31.0", given: object{"ControlPlaneKubeletLocalMode": false},
			want: object{"ControlPlaneKubeletLocalMode": false},
		},
		"enabled": {reason: "by default", version: "v1.33.0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			config := object{}
			if tc.given != nil {
				config["featureGates"] = tc.given
			}
			enableLocalMode(config, tc.version)
			if diff := cmp.Diff(tc.want, child(config, "featureGates")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestArgumentsWithFactsStay verifies that an argument whose value only the first machine knew is not removed.
func TestArgumentsWithFactsStay(t *testing.T) {
	config := node.ControlPlaneConfig{}
	config.APIServer.Args = []node.Arg{
		{Name: "v", Value: document.Text("4")},
		{Name: "advertise", Value: document.FromFact(document.FactPrivateIPv4)},
	}
	static, kept := withoutFacts(config)
	if len(static.APIServer.Args) != 1 || len(config.APIServer.Args) != 2 {
		t.Fatalf("kept %v of %v", static.APIServer.Args, config.APIServer.Args)
	}
	written := object{"name": "v", "value": "4"}
	first := object{"name": "advertise", "value": "192.0.2.1"}
	current := object{"apiServer": object{"extraArgs": []any{first, object{"name": "old", "value": "1"}}}}
	wanted := object{"apiServer": object{"extraArgs": []any{written}}}
	keepArgs(current, wanted, kept)
	if diff := cmp.Diff([]any{written, first}, child(wanted, "apiServer")["extraArgs"]); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

func TestHostileConfiguration(t *testing.T) {
	for name, text := range map[string]string{
		"not YAML": "{",
		"list":     "[1]",
		"aliases": "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n" +
			"d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e]\n",
		"secrecy":   "password: hunter2: x",
		"many keys": strings.Repeat("? a\n", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeConfiguration(t.Context(), text)
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("error %v", err)
			}
		})
	}
}
