package kubeadm_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// kubeletPatch returns the patch with kubelet's configuration, or nil.
func kubeletPatch(actions []action.Action) []byte {
	for _, a := range actions {
		file, ok := a.Do.(action.WriteFile)
		if ok && strings.HasSuffix(file.Path, "/kubeletconfiguration0000+merge.yaml") {
			return file.Content.Resolve(sample)
		}
	}
	return nil
}

// TestKubeletSettingsAreThoseOfTheMachine verifies that kubeadm init does not store the settings of the first machine
// as the default of all machines, and that the machine itself gets them as a patch.
func TestKubeletSettingsAreThoseOfTheMachine(t *testing.T) {
	cases := map[string]struct {
		reason string
		config node.Tree
		want   string
	}{
		"none": {reason: "kubeadm's default is enough"},
		"hardened": {
			reason: "kubelet of a machine without the kernel parameters would not start",
			config: node.Tree{"protectKernelDefaults": true, "maxPods": 50},
		},
		"health endpoint": {
			reason: "kubeadm init waits for it, and ignores the patch there",
			config: node.Tree{"healthzBindAddress": "0.0.0.0", "healthzPort": 10300, "maxPods": 50},
			want: `{"apiVersion":"kubelet.config.k8s.io/v1beta1","healthzBindAddress":"0.0.0.0","healthzPort":10300,` +
				`"kind":"KubeletConfiguration"}`,
		},
	}
	for name, tc := range cases {
		for _, version := range []string{"v1.28.0", "v1.36.3"} {
			t.Run(name+" "+version, func(t *testing.T) {
				n := bare(node.RoleInit, version)
				n.Kubelet.Config = tc.config
				actions, r := expand(t, n, nil, osprofile.Target{})
				if r.HasErrors() {
					t.Fatal(r)
				}
				stored := ""
				for document := range strings.SplitSeq(string(configOf(t, actions).Resolve(sample)), "---\n") {
					if strings.Contains(document, "KubeletConfiguration") {
						stored = strings.TrimSpace(document)
					}
				}
				if stored != tc.want {
					t.Errorf("%s: kubeadm init stores %s, want %s", tc.reason, stored, tc.want)
				}
				patched := kubeletPatch(actions)
				for field := range tc.config {
					if !bytes.Contains(patched, []byte(field)) {
						t.Errorf("the patch of the machine does not contain %s: %s", field, patched)
					}
				}
			})
		}
	}
}
