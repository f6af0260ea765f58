package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
)

// TestOperatingSystems derives the operating system from the names of images, and from the infrastructure.
func TestOperatingSystems(t *testing.T) {
	cases := map[string]struct{ kind, field, value, want string }{
		"image-builder":    {"VSphereMachine", "template", "ubuntu-2204-kube-v1.34.1", "ubuntu 22.04"},
		"gallery":          {"AzureMachine", "image", "capi-ubun2-2404", "ubuntu 24.04"},
		"look-up":          {"AWSMachine", "imageLookupBaseOS", "flatcar-stable", "flatcar"},
		"codename":         {"OpenStackMachine", "image", "jammy-server-cloudimg-amd64", "ubuntu 22.04"},
		"variable":         {"OpenStackMachine", "image", "${OPENSTACK_FLATCAR_IMAGE_NAME}", "flatcar"},
		"release":          {"ProxmoxMachine", "template", "flatcar_production_4230.2.0", "flatcar 4230.2.0"},
		"rocky":            {"NutanixMachine", "imageName", "rocky-9-kube", "rocky 9"},
		"azure linux":      {"AzureMachine", "image", "capi-azl3", "azurelinux 3"},
		"windows":          {"AzureMachine", "image", "capi-win-2022-containerd", "windows-server-2022"},
		"kind":             {"DockerMachine", "customImage", "kindest/node:v1.34.0", "debian 12"},
		"default of CAPA":  {"AWSMachine", "instanceType", "t3.large", "ubuntu 24.04"},
		"default of CAPD":  {"DockerMachine", "x", "y", "debian 12"},
		"part of a word":   {"KubevirtMachine", "kind", "virtualmachineinstancetype", ""},
		"no name of image": {"VSphereMachine", "template", "golden", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in := fmt.Sprintf(`apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: %[1]sTemplate
metadata: {name: a}
spec: {template: {spec: {%[2]s: "%[3]s"}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: a}
spec:
  template:
    spec:
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: a}}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: %[1]sTemplate, name: a}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: a}
`, c.kind, c.field, c.value)
			result, err := migrate.Convert(t.Context(), []byte(in), migrate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range result.Report {
				if strings.Contains(l.Message, "the operating system is "+c.want) && c.want != "" ||
					l.Outcome == migrate.Decision && c.want == "" {
					return
				}
			}
			t.Errorf("no %q in %v", c.want, result.Report)
		})
	}
}
