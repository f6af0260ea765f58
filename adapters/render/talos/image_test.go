package talos_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/node"
)

// A repository that replaces the usual one replaces it for every image that kubeadm would fetch from there.
func TestImagesComeFromTheRepository(t *testing.T) {
	cases := map[string]struct {
		reason string
		plane  node.ControlPlaneConfig
		dns    string
	}{
		"all": {
			reason: "a cluster without a way out",
			plane:  node.ControlPlaneConfig{ImageRepository: "mirror.example/k8s"}, dns: "mirror.example/k8s/coredns:",
		},
		"own": {
			reason: "an image's own repository goes before",
			plane: node.ControlPlaneConfig{
				ImageRepository: "mirror.example/k8s",
				CoreDNS:         node.Addon{ImageRepository: "dns.example"},
			},
			dns: "dns.example/coredns:",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			rendering, findings := render(t, planOf(t, target(t, ""), controlPlane(), tc.plane))
			if findings.HasErrors() {
				t.Fatal(findings)
			}
			c := read(t, rendering.Payload.Data.Reveal()).Cluster()
			for _, image := range []string{
				c.APIServer().Image(), c.ControllerManager().Image(), c.Scheduler().Image(), c.Proxy().Image(), c.Etcd().Image(),
			} {
				if !strings.HasPrefix(image, "mirror.example/k8s/") {
					t.Errorf("%s: %s", tc.reason, image)
				}
			}
			if image := c.CoreDNS().Image(); !strings.HasPrefix(image, tc.dns) {
				t.Errorf("%s: %s", tc.reason, image)
			}
		})
	}
}
