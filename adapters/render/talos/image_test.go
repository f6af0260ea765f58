package talos_test

import (
	"strings"
	"testing"

	"github.com/siderolabs/talos/pkg/machinery/constants"

	"github.com/machineadm/machineadm/domain/node"
)

// TestDefaultTagsAreThoseOfTheRelease expects the images that a release of Talos uses itself.
func TestDefaultTagsAreThoseOfTheRelease(t *testing.T) {
	for release, want := range map[string][2]string{
		"1.9.6": {"v3.5.21", "v1.12.0"}, "1.10.0": {"v3.5.21", "v1.12.1"}, "1.11.0": {"v3.6.4", "v1.12.2"},
		"1.12.0": {"v3.6.7", "v1.13.2"}, "1.13.5": {constants.DefaultEtcdVersion, constants.DefaultCoreDNSVersion},
	} {
		rendering, findings := render(t, planOf(t, target(t, release), controlPlane(),
			node.ControlPlaneConfig{ImageRepository: "mirror.example"}))
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		c := read(t, rendering.Payload.Data.Reveal()).Cluster()
		got := [2]string{c.Etcd().Image(), c.CoreDNS().Image()}
		if got != [2]string{"mirror.example/etcd:" + want[0], "mirror.example/coredns:" + want[1]} {
			t.Errorf("%s: %q", release, got)
		}
	}
}

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
		"official": {
			reason: "the official registry has the image below coredns, as kubeadm's GetDNSImage knows",
			plane: node.ControlPlaneConfig{
				ImageRepository: "mirror.example/k8s",
				CoreDNS:         node.Addon{ImageRepository: "registry.k8s.io"},
			},
			dns: "registry.k8s.io/coredns/coredns:",
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
