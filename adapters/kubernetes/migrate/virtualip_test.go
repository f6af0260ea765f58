package migrate_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
)

var peerPattern = regexp.MustCompile(`- address: "?([0-9a-f.:]+)"?\s+asn: "?([0-9]+)`)

// TestRouters converts the routers of kube-vip's BGP: an IPv6 address is in brackets, because fields end with colons.
func TestRouters(t *testing.T) {
	for name, c := range map[string]struct{ variable, value, peers, message string }{
		"IPv4":     {"bgp_peers", "192.0.2.1:65001", "192.0.2.1 65001", ""},
		"IPv6":     {"bgp_peers", "[2001:db8::1]:65001", "2001:db8::1 65001", ""},
		"password": {"bgp_peers", "[2001:db8::1]:65001:hunter2", "2001:db8::1 65001", "has no password"},
		"multihop": {"bgp_peers", "[2001:db8::1]:65001::true", "2001:db8::1 65001", "without multihop"},
		"options": {
			"bgp_peers", "[2001:db8::1]:65001::false/mpbgp_nexthop=auto_sourceip",
			"2001:db8::1 65001", "no options of MP-BGP",
		},
		"several": {
			"bgp_peers", "[2001:db8::1]:65001, 192.0.2.1:65002,",
			"2001:db8::1 65001, 192.0.2.1 65002", "",
		},
		"no number":   {"bgp_peers", "[2001:db8::1]", "", "router 0 of bgp_peers has no address or no number"},
		"no bracket":  {"bgp_peers", "[2001:db8::1:65001:hunter2", "", "router 0 of bgp_peers has no address or no number"},
		"one address": {"bgp_peeraddress", "2001:db8::1", "2001:db8::1 65003", ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := plane("files:\n- path: /etc/kubernetes/manifests/kube-vip.yaml\n  content: |\n    spec:\n      containers:\n" +
				"      - env:\n        - {name: address, value: 192.0.2.9}\n        - {name: bgp_enable, value: 'true'}\n" +
				"        - {name: bgp_as, value: '65000'}\n        - {name: bgp_peeras, value: '65003'}\n" +
				fmt.Sprintf("        - {name: %s, value: %q}\n", c.variable, c.value))
			result, err := migrate.Convert(t.Context(), []byte(in), migrate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var peers []string
			for _, m := range peerPattern.FindAllStringSubmatch(string(result.Manifests), -1) {
				peers = append(peers, m[1]+" "+m[2])
			}
			if got := strings.Join(peers, ", "); got != c.peers {
				t.Errorf("the routers are %s, want %s", got, c.peers)
			}
			lines := ""
			for _, l := range result.Report {
				lines += l.Message + "\n"
			}
			if strings.Contains(lines, "hunter2") || !strings.Contains(lines, c.message) ||
				c.message == "" && strings.Contains(lines, "router") {
				t.Error(lines)
			}
		})
	}
}
