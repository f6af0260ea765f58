package machine_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/machine"
)

// TestFieldsOfAnotherProvision refuses fields that the way in which Kubernetes is installed does not use.
func TestFieldsOfAnotherProvision(t *testing.T) {
	artifact := machine.Artifact{Name: "kubelet", URL: "https://a.example/kubelet", SHA256: strings.Repeat("0f", 32)}
	both := artifact
	both.SHA512 = strings.Repeat("0f", 64)
	cases := map[string]struct {
		config machine.KubernetesConfig
		want   string
	}{
		"packages of a package": {config: machine.KubernetesConfig{
			Provision: machine.ProvisionPackage,
			Packages:  []string{"kubelet"},
		}},
		"artifacts of a download": {config: machine.KubernetesConfig{
			Provision: machine.ProvisionDownload,
			Artifacts: []machine.Artifact{artifact},
		}},
		"artifacts of a sysext": {config: machine.KubernetesConfig{
			Provision: machine.ProvisionSysext,
			Artifacts: []machine.Artifact{artifact},
		}},
		"left to the profile": {config: machine.KubernetesConfig{Packages: []string{"kubelet"}}},
		"packages of an image": {
			config: machine.KubernetesConfig{Provision: machine.ProvisionImage, Packages: []string{"kubelet"}},
			want: "error: spec.packages: packages have no effect with provision Image; set provision to " +
				"Package, or remove packages",
		},
		"artifacts of a package": {
			config: machine.KubernetesConfig{Provision: machine.ProvisionPackage, Artifacts: []machine.Artifact{artifact}},
			want: "error: spec.artifacts: artifacts have no effect with provision Package; set provision to Sysext or " +
				"Download, or remove artifacts",
		},
		"two digests": {
			config: machine.KubernetesConfig{Provision: machine.ProvisionDownload, Artifacts: []machine.Artifact{both}},
			want:   "error: spec.artifacts[0].sha512: sha256 is set as well; remove one of them",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.config.Check("spec").String(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
