package kubeadm_test

import (
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	plugin "github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/adapters/plugin/staticpod"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// TestValidate has kubeadm read each golden. It refuses fields that it does not know.
func TestValidate(t *testing.T) {
	entries, err := os.ReadDir(goldens)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for _, program := range programs(e.Name()) {
			t.Run(e.Name()+"/"+program, func(t *testing.T) {
				m := newMachine(t, program, e.Name())
				out := m.mustRun(t, "config", "validate", "--config", plugin.ConfigPath)
				if program == native && strings.Contains(out, "deprecated") {
					t.Errorf("the version is not the program's own: %s", out)
				}
			})
		}
	}
}

// TestOlderKubeadmReadsItsVersionAlone shows that the older program reads v1beta3 alone, so that what it read was its
// own version.
func TestOlderKubeadmReadsItsVersionAlone(t *testing.T) {
	m := newMachine(t, native, "worker-v1beta4")
	if out, err := m.run(t, "config", "validate", "--config", plugin.ConfigPath); err == nil ||
		!strings.Contains(out, "v1beta4") {
		t.Errorf("v1beta4 passed: %s", out)
	}
}

// TestValidateRefuses shows that validation minds what it reads.
func TestValidateRefuses(t *testing.T) {
	m := newMachine(t, newest, "worker-v1beta4")
	m.edit(t, plugin.ConfigPath, strings.NewReplacer(`"nodeRegistration":{`, `"nodeRegistration":{"socket":"x",`))
	if out, err := m.run(t, "config", "validate", "--config", plugin.ConfigPath); err == nil ||
		!strings.Contains(out, `unknown field "nodeRegistration.socket"`) {
		t.Errorf("an unknown field passed: %s", out)
	}
}

// TestDryRun goes through kubeadm init and looks at what it would write.
func TestDryRun(t *testing.T) {
	cases := map[string]struct {
		reason string
		want   []string
		lack   []string
	}{
		"init-v1beta3-rich": {
			reason: "the old version has the same effect, addons left out by phases",
			want: []string{
				"- --service-account-issuer=https://$$(X).example.com/$$$$", "- --event-ttl=2h",
				"- --audit-policy-file=/etc/kubernetes/machineadm/kube-apiserver/audit-policy.yaml",
				"- --config=/etc/kubernetes/machineadm/kube-scheduler/config.yaml", "- --quota-backend-bytes=1e9",
				"mountPath: /etc/kubernetes/machineadm/kube-apiserver", "mountPath: /var/log/kubernetes/audit", "a: b",
				`x: "y"`, "maxPods: 43", "--node-labels=example.com/pool=yes,topology.kubernetes.io/zone=,zone=1e3",
				"--provider-id=aws:///i-0123456789", "--token <value withheld>",
			},
			lack: []string{"kind: DaemonSet", "kind: Deployment"},
		},
		"init-v1beta4-rich": {
			reason: "addons come with their configuration",
			want: []string{
				"registry.example.com/coredns/coredns:v1", "mode: nftables", "- --event-ttl=2h", "maxPods: 43",
				"--token <value withheld>",
			},
		},
		"init-v1beta3-bare": {
			reason: "defaults are kubeadm's, but for a directory that kubelet cannot make where /usr is read-only",
			want:   []string{"kind: DaemonSet", "kind: Deployment", "- --flex-volume-plugin-dir=/var/lib/kubelet/volumeplugins"},
			lack:   []string{"/usr/libexec"},
		},
		"init-v1beta4-tokens": {
			reason: "kubeadm creates the user's tokens, and no other one",
			want:   []string{"bootstrap-token-abcdef", "bootstrap-token-bcdefg", "bootstrap-token-cdefgh"},
		},
		"init-v1beta4-bare": {reason: "defaults are kubeadm's", want: []string{"kind: DaemonSet", "kind: Deployment"}},
	}
	for name, tc := range cases {
		for _, program := range programs(name) {
			t.Run(name+"/"+program, func(t *testing.T) {
				out := dryRun(t, program, name)
				for _, s := range tc.want {
					if !strings.Contains(out, s) {
						t.Errorf("%s: %q is not in the output", tc.reason, s)
					}
				}
				for _, s := range tc.lack {
					if strings.Contains(out, s) {
						t.Errorf("%s: %q is in the output", tc.reason, s)
					}
				}
				if t.Failed() {
					t.Log(out)
				}
			})
		}
	}
}

// dryRun returns what kubeadm init would do, without the escapes of quotation marks.
func dryRun(t *testing.T, program, golden string) string {
	t.Helper()
	m := newMachine(t, program, golden)
	args := []string{"init", "--config", plugin.ConfigPath, "--skip-token-print", "--dry-run"}
	if !strings.HasSuffix(golden, "rich") {
		args = append(args, "--ignore-preflight-errors=all")
	}
	out := m.mustRun(t, args...)
	if program == native {
		// It does not show this manifest in a dry run.
		m.mustRun(t, "init", "phase", "etcd", "local", "--config", plugin.ConfigPath)
		out += string(m.read(t, staticpod.Dir+"/etcd.yaml"))
	}
	return strings.ReplaceAll(out, `\"`, `"`)
}

// TestKubeletConfiguration looks at the kubelet configuration that a joining machine gets. The join itself needs a
// cluster to fetch the base from; it and kubeadm init then call the same function with that base and the patches
// (cmd/kubeadm/app/phases/kubelet.WriteConfigToDisk). So kubeadm init's phase runs here, with the patches of the
// joining machine and no KubeletConfiguration of its own.
func TestKubeletConfiguration(t *testing.T) {
	m := newMachine(t, newest, "worker-kubelet")
	m.write(t, plugin.ConfigPath, []byte(`apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: {name: machine-1, criSocket: "unix:///run/containerd/containerd.sock"}
localAPIEndpoint: {advertiseAddress: 10.0.0.7}
patches: {directory: `+plugin.PatchDir+`}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: `+version(t, newest)+"\n"), 0o600)
	m.mustRun(t, "init", "phase", "kubelet-start", "--config", plugin.ConfigPath)
	var got struct {
		Kind         string
		MaxPods      int               `yaml:"maxPods"`
		FailSwapOn   *bool             `yaml:"failSwapOn"`
		EvictionHard map[string]string `yaml:"evictionHard"`
		ClusterDNS   []string          `yaml:"clusterDNS"`
	}
	if err := yaml.Unmarshal(m.read(t, "/var/lib/kubelet/config.yaml"), &got); err != nil {
		t.Fatal(err)
	}
	if got.Kind != "KubeletConfiguration" || len(got.ClusterDNS) == 0 {
		t.Errorf("the base is lost: %+v", got)
	}
	if got.FailSwapOn == nil || *got.FailSwapOn || got.EvictionHard["memory.available"] != "5%" {
		t.Errorf("our patch has no effect: %+v", got)
	}
	if got.MaxPods != 43 {
		t.Errorf("maxPods is %d: the user's patch does not come after ours", got.MaxPods)
	}
}

// TestHostileArguments reads arguments back from the manifest that kubeadm makes of them.
func TestHostileArguments(t *testing.T) {
	values := []string{
		"yes", "1e3", "null", "~", "", "it's \"so\"", "a: b # c", "one\ntwo\n", " lead", "trail ", "{{ x }}", "{% y %}",
		"100%s", "Grüße 日本 🙂",
		"$(HOME)", "$$", "$", "$$(A)$", `back\slash`, "*a", "&b", "- c", "bell\a", "tab\t", "cr\r\n", "\u200b\U0010fffd",
		"@fact0.hostname@", "<&>",
	}
	var args []node.Arg
	for i, v := range values {
		args = append(args, node.Arg{Name: "x-" + string(rune('a'+i)), Value: document.Text(v)})
	}
	docs := []document.Document{
		{Value: node.NodeConfig{
			Role: node.RoleInit, KubernetesVersion: version(t, newest),
			AdvertiseAddress: document.Text("10.0.0.7"),
		}},
		{Value: node.ControlPlaneConfig{APIServer: node.APIServer{Component: node.Component{Args: args}}}},
	}
	actions, r, err := plugin.Expander{}.Expand(t.Context(), ports.Expansion{Document: docs[0], Others: docs})
	if err != nil || len(r) > 0 {
		t.Fatal(r, err)
	}
	m := newMachine(t, newest, "")
	config := actions[0].Do.(action.WriteFile)
	m.write(t, config.Path, config.Content.Resolve(nil), 0o600)
	m.mustRun(t, "init", "phase", "control-plane", "apiserver", "--config", config.Path)
	var pod struct {
		Spec struct{ Containers []struct{ Command []string } }
	}
	if err := yaml.Unmarshal(m.read(t, staticpod.Dir+"/kube-apiserver.yaml"), &pod); err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		want := "--" + args[i].Name + "=" + v
		if !contains(pod.Spec.Containers[0].Command, want) {
			t.Errorf("%q did not arrive", want)
		}
	}
}

// contains reports whether one of the words, with its dollar signs as kubelet reads them, is the wanted one. None of
// the words names a variable of the container, so a reference is not replaced.
func contains(words []string, want string) bool {
	for _, w := range words {
		if strings.ReplaceAll(w, "$$", "$") == want || w == want && !strings.Contains(w, "$$") && !strings.Contains(w, "$(") {
			return true
		}
	}
	return false
}

// TestStaticPodsPassPreflight shows that manifests of others are no hindrance to kubeadm, and that its own would be.
func TestStaticPodsPassPreflight(t *testing.T) {
	pod := node.StaticPod{Name: "vip", Manifest: []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: vip}\n")}
	actions, r, err := staticpod.Expander{}.Expand(t.Context(), ports.Expansion{Document: document.Document{Value: pod}})
	if err != nil || len(r) > 0 {
		t.Fatal(r, err)
	}
	file := actions[0].Do.(action.WriteFile)
	// kubeadm sets kubelet's staticPodPath to this directory (cmd/kubeadm/app/constants).
	if file.Path != "/etc/kubernetes/manifests/vip.yaml" || string(file.Content.Resolve(nil)) != string(pod.Manifest) {
		t.Errorf("got the file %s with %q", file.Path, file.Content.Resolve(nil))
	}
	for golden, verb := range map[string]string{
		"init-v1beta4-bare": "init", "worker-v1beta4": "join",
		"join-taints": "join",
	} {
		t.Run(golden, func(t *testing.T) {
			m := newMachine(t, newest, golden)
			m.write(t, file.Path, file.Content.Resolve(nil), 0o600)
			out, err := m.run(t, verb, "phase", "preflight", "--config", plugin.ConfigPath)
			if err == nil || !strings.Contains(out, "[ERROR ") {
				t.Fatalf("the checks did not run: %s", out)
			}
			if strings.Contains(out, "manifests") || strings.Contains(out, "DirAvailable") {
				t.Errorf("kubeadm minds the manifest: %s", out)
			}
		})
	}
	t.Run("own", func(t *testing.T) {
		m := newMachine(t, newest, "init-v1beta4-bare")
		m.write(t, staticpod.Dir+"/etcd.yaml", []byte("x"), 0o600)
		if out, _ := m.run(t, "init", "phase", "preflight", "--config", plugin.ConfigPath); !strings.Contains(out,
			"FileAvailable--etc-kubernetes-manifests-etcd.yaml") {
			t.Errorf("kubeadm does not mind its own manifest: %s", out)
		}
	})
}
