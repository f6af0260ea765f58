package reserved_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/reserved"
)

func TestCheck(t *testing.T) {
	hex := "0123456789abcdef"
	cases := map[string]struct{ reason, name, want string }{
		"kubeconfig": {
			"Cluster API connects with it", "c1-kubeconfig",
			`"c1-kubeconfig" is reserved for the kubeconfig of a cluster (<name>-kubeconfig)`,
		},
		"subdomain":     {"dots are part of a name", "a.b-kubeconfig", "kubeconfig of a cluster"},
		"external etcd": {"a purpose of several words", "c1-apiserver-etcd-client", "client certificate"},
		"k3s":           {"the provider for K3s takes the key value for the token", "c1-token", "join token"},
		"microk8s":      {"a machine that knows the token joins as a control plane", "c1-jointoken", "MicroK8s"},
		"talos's data":  {"Talos's provider uses what it finds", "cp-x7k2p-bootstrap-data", "bootstrap data of a machine"},
		"metal3":        {"the key value is the host's network configuration", "m1-networkdata", "network configuration"},
		"metal3's host": {"the key value is the host's metadata", "m1-metadata", "metadata of a Metal3Machine"},
		"clients":       {"K3s and RKE2 sign clients with it", "c1-cca", "cluster's clients"},
		"talos":         {"the provider for Talos reads it", "c1-talosconfig", "client configuration"},
		"stored":        {"a storage takes it for a configuration", "m1-stored", "stored configuration"},
		"beside":        {"so is that for another storage", "m1-stored-0123abcd", "stored configuration"},
		"served":        {"the endpoint serves it", "stored-" + hex + "-12", "object that the endpoint serves"},
		"key":           {"the endpoint signs with it", "machineadm-endpoint-key", "signing key"},
		"documents":     {"a plugin writes it", "site-timesyncconfig", "documents of a TimeSyncConfig"},
		"tokens":        {"a word that ends like a token", "m1-tokens", ""},
		"free":          {"a machine's own name", "workers-x7k2p", ""},
		"within":        {"a purpose in the middle is none", "c1-kubeconfig-x", ""},
		"no dash":       {"nothing is called so", "kubeconfig", ""},
		"no hash":       {"a word after stored is none", "m1-stored-workers", ""},
		"stores":        {"a word that begins like a served object", "stored-procedures-1", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := reserved.Check(tc.name)
			if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
				t.Errorf("%q, want %q: %s", got, tc.want, tc.reason)
			}
		})
	}
}

func TestCheckDocuments(t *testing.T) {
	cases := map[string]struct {
		reason, name, kind string
		free               bool
	}{
		"own":        {"the kind's own Secret", "site-timesyncconfig", "TimeSyncConfig", true},
		"another's":  {"the Secret of another kind", "site-timesyncconfig", "SysctlConfig", false},
		"foreign":    {"any other name", "site", "Motd", true},
		"kubeconfig": {"a kind's name is its author's to choose", "c1-kubeconfig", "Kubeconfig", false},
		"no kind":    {"what has no kind has no Secret", "c1-ca", "", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := reserved.CheckDocuments(tc.name, tc.kind); (got == "") != tc.free {
				t.Errorf("%q: %s", got, tc.reason)
			}
		})
	}
}

// TestGeneratedNamesAreFree holds that no name which the API server or Cluster API completes with random letters is
// reserved: those letters are bcdfghjklmnpqrstvwxz2456789 (k8s.io/apimachinery/pkg/util/rand), five of them.
func TestGeneratedNamesAreFree(t *testing.T) {
	for _, n := range reserved.Names() {
		word := n.Suffix[strings.LastIndex(n.Suffix, "-")+1:]
		if n.Suffix != "" && len(word) == 5 && strings.Trim(word, "bcdfghjklmnpqrstvwxz2456789") == "" {
			t.Errorf("a generated name may end in %s", n.Suffix)
		}
	}
}

// TestFindCompilesNothing holds that a search, which each reconciliation repeats, allocates no memory.
func TestFindCompilesNothing(t *testing.T) {
	for _, name := range []string{"workers-x7k2p", "m1-stored-0123abcd"} {
		if n := testing.AllocsPerRun(100, func() { reserved.Find(name) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
