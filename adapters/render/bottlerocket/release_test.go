package bottlerocket_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
)

// TestNewSettings renders the settings that older releases of Bottlerocket do not have.
func TestNewSettings(t *testing.T) {
	n := worker(t, func(n *node.NodeConfig) {
		n.Registration.Name = document.FromFact(document.FactInstanceID)
		n.Kubelet.Config = node.Tree{
			"imageMinimumGCAge": "2m", "imageMaximumGCAge": "24h", "maxParallelImagePulls": int64(4),
			"singleProcessOOMKill": true, "containerLogMaxWorkers": int64(2), "containerLogMonitorInterval": "10s",
			"userNamespaces": map[string]any{"idsPerPod": int64(65536)},
		}
	})
	want := map[string]any{
		"image-minimum-gc-age": "2m", "image-maximum-gc-age": "24h", "max-parallel-image-pulls": int64(4),
		"single-process-oom-kill": true, "container-log-max-workers": int64(2), "container-log-monitor-interval": "10s",
		"ids-per-pod": int64(65536), "hostname-override-source": "instance-id",
	}
	for _, release := range []string{"", "v1.57.0", "1.51.0"} {
		p := planOf(n)
		p.Target.Release = release
		got, _ := read(t, p)["kubernetes"].(map[string]any)
		for key, value := range want {
			if d := cmp.Diff(value, got[key]); d != "" {
				t.Errorf("release %q, %s (-want +got):\n%s", release, key, d)
			}
		}
	}
}

func TestSettingsByRelease(t *testing.T) {
	cases := map[string]struct {
		release, kubernetes, snippet string

		config node.Tree
		want   []string
	}{
		"field": {
			release: "1.50.2", config: node.Tree{"imageMaximumGCAge": "24h", "singleProcessOOMKill": true},
			want: []string{"error: NodeConfig.kubelet.config.imageMaximumGCAge: Bottlerocket has " +
				"settings.kubernetes.image-maximum-gc-age since 1.51.0, but the machine has 1.50.2; leave it out, or use a newer " +
				"release"},
		},
		"field of user namespaces": {
			release: "1.57.0", config: node.Tree{"userNamespaces": map[string]any{"other": true}},
			want: []string{`error: NodeConfig.kubelet.config.userNamespaces["other"]: Bottlerocket does not set this field of ` +
				`kubelet; leave it out`},
		},
		"snippet": {
			release: "1.50.2", snippet: "[settings.kubernetes]\nimage-maximum-gc-age = \"24h\"",
			want: []string{"error: snippets[0] (line 2, column 1): Bottlerocket has settings.kubernetes.image-maximum-gc-age " +
				"since 1.51.0, but the machine has 1.50.2; leave it out, or use a newer release"},
		},
		"snippet, newer release": {
			release: "1.51.0", snippet: "[settings.kubernetes]\nimage-maximum-gc-age = \"24h\"",
		},
		"policy options": {
			release: "1.51.0", config: node.Tree{"cpuManagerPolicyOptions": map[string]any{
				"strict-cpu-reservation": "true", "distribute-cpus-across-numa": "true",
				"prefer-align-cpus-by-uncorecache": "true",
			}},
		},
		"policy option, older release": {
			release: "1.50.2",
			config: node.Tree{"cpuManagerPolicyOptions": map[string]any{
				"full-pcpus-only": "true", "strict-cpu-reservation": "true",
			}},
			want: []string{"error: NodeConfig.kubelet.config.cpuManagerPolicyOptions: Bottlerocket takes " +
				"strict-cpu-reservation in settings.kubernetes.cpu-manager-policy-options since 1.51.0, but the machine has " +
				"1.50.2; leave it out, or use a newer release"},
		},
		"policy option in a snippet, older release": {
			release: "1.50.2", snippet: "[settings.kubernetes]\ncpu-manager-policy-options = [\"strict-cpu-reservation\"]",
			want: []string{"error: snippets[0] (line 2, column 1): Bottlerocket takes strict-cpu-reservation in " +
				"settings.kubernetes.cpu-manager-policy-options since 1.51.0, but the machine has 1.50.2; leave it out, or use " +
				"a newer release"},
		},
		"policy option, older Kubernetes": {
			kubernetes: "v1.32.9", config: node.Tree{"cpuManagerPolicyOptions": map[string]any{
				"strict-cpu-reservation": "true", "distribute-cpus-across-numa": "true",
			}},
			want: []string{`error: NodeConfig.kubelet.config.cpuManagerPolicyOptions["distribute-cpus-across-numa"]: ` +
				`Bottlerocket passes this option to kubelet since Kubernetes 1.33, but the machine has v1.32.9; leave it out`},
		},
		"swap allowed": {config: node.Tree{"failSwapOn": false}},
		"swap refused": {
			config: node.Tree{"failSwapOn": true},
			want: []string{"warning: NodeConfig.kubelet.config.failSwapOn: the release of Bottlerocket decides: this is " +
				"false since April 2025, and true in older releases"},
		},
		"swap allowed, older release": {
			release: "1.30.0", config: node.Tree{"failSwapOn": false},
			want: []string{"warning: NodeConfig.kubelet.config.failSwapOn: the release of Bottlerocket decides: this is " +
				"false since April 2025, and true in older releases"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := planOf(worker(t, func(n *node.NodeConfig) { n.Kubelet.Config = tc.config }))
			p.Target.Release = tc.release
			if tc.kubernetes != "" {
				p.Target.KubernetesVersion = tc.kubernetes
			}
			if tc.snippet != "" {
				p = withSnippet(p, tc.snippet, true)
			}
			if d := cmp.Diff(tc.want, errorsOf(t, p)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}
