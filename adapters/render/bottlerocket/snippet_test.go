package bottlerocket_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const containers = `[settings]
motd = "hello {{x}}"
[settings.host-containers.admin]
enabled = true
user-data = "e30="
[settings.bootstrap-containers.prepare]
source = "registry.example/prepare:1"
mode = "once"
essential = true
[settings.bootstrap-commands.mark]
commands = [["apiclient", "set", "motd=x"]]
mode = "always"
[settings.boot.kernel-parameters]
"nf_conntrack.hashsize" = ["32768"]
[[settings.container-registry.mirrors]]
registry = "quay.io"
endpoint = ["https://m.example"]
[settings.kubernetes.node-labels]
"a.b/c" = "d"
`

func TestSnippetIsMerged(t *testing.T) {
	got := read(t, withSnippet(planOf(worker(t)), containers, true))
	kubernetes, _ := got["kubernetes"].(map[string]any)
	if kubernetes["bootstrap-token"] != token {
		t.Error("machineadm's settings are gone")
	}
	got["kubernetes"] = map[string]any{"node-labels": kubernetes["node-labels"]}
	want := map[string]any{
		"motd":            "hello {{x}}",
		"host-containers": map[string]any{"admin": map[string]any{"enabled": true, "user-data": "e30="}},
		"bootstrap-containers": map[string]any{"prepare": map[string]any{
			"source": "registry.example/prepare:1", "mode": "once", "essential": true,
		}},
		"bootstrap-commands": map[string]any{"mark": map[string]any{
			"commands": []any{[]any{"apiclient", "set", "motd=x"}}, "mode": "always",
		}},
		"boot": map[string]any{"kernel-parameters": map[string]any{"nf_conntrack.hashsize": []any{"32768"}}},
		"container-registry": map[string]any{"mirrors": []any{map[string]any{
			"registry": "quay.io",
			"endpoint": []any{"https://m.example"},
		}}},
		"kubernetes": map[string]any{"node-labels": map[string]any{"a.b/c": "d"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSnippetMistakes(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		strict       bool
		want         []string
	}{
		"no TOML": {
			reason: "the text may be secret and is not repeated", text: "[settings]\nmotd = s3cr3t",
			want: []string{"error: snippets[0] (line 2, column 8): this is not TOML; check it with a TOML " +
				"validator; strings are quoted"},
		},
		"not below settings": {
			text: "[kubernetes]\nmax-pods = 1",
			want: []string{"error: snippets[0]: kubernetes is not below settings; write tables such as [settings.motd]"},
		},
		"unknown": {
			reason: "a newer Bottlerocket may have it", text: "[settings.kubernetes]\nmax-pod = 1",
			want: []string{"warning: snippets[0] (line 2, column 1): machineadm does not know settings.kubernetes.max-pod; " +
				"Bottlerocket rejects the whole user data if it does not know it either"},
		},
		"unknown, strict": {
			text: "[settings.kubernetes]\nmax-pod = 1", strict: true,
			want: []string{"error: snippets[0] (line 2, column 1): machineadm does not know " +
				"settings.kubernetes.max-pod; check its " +
				"spelling, or leave strict out"},
		},
		"wrong type": {
			text: "[settings.kubernetes]\nmax-pods = \"1\"",
			want: []string{"error: snippets[0] (line 2, column 1): settings.kubernetes.max-pods does not take this " +
				"value; write a whole number from 0 to 4294967295"},
		},
		"no table": {
			text: "[settings]\nkernel = 1", want: []string{"error: snippets[0] (line 2, column 1): settings.kernel " +
				"is not a table; write it as [settings.kernel]"},
		},
		"no list of tables": {
			text: "[settings.container-registry]\nmirrors = [1]",
			want: []string{"error: snippets[0] (line 2, column 1): settings.container-registry.mirrors " +
				"is not a list of tables; write each as [[settings.container-registry.mirrors]]"},
		},
		"field of a row": {
			text: "[[settings.container-registry.mirrors]]\nregistry = \"a\"\nendpoints = []", strict: true,
			want: []string{"error: snippets[0] (line 3, column 1): machineadm does not know " +
				"settings.container-registry.mirrors.[].endpoints; check its spelling, or leave strict out"},
		},
		"name": {
			text: "[settings.host-containers.a_b]\nenabled = true",
			want: []string{`error: snippets[0] (line 2, column 1): "a_b" ` +
				`is not a valid name in settings.host-containers.*.enabled; write at most 76 letters, digits and hyphens`},
		},
		"policy without memory": {
			text: "[settings.kubernetes]\nmemory-manager-policy = \"Static\"\n" +
				"[settings.kubernetes.memory-manager-reserved-memory.0]\nenabled = false\nmemory = \"1Gi\"",
			want: []string{"error: snippets[0]: Bottlerocket ignores the policy Static of the memory manager without reserved " +
				"memory; set reservedMemory, whose sum is that of kubeReserved, systemReserved and evictionHard, or leave the " +
				"policy out"},
		},
		"policy with memory": {
			text: "[settings.kubernetes]\nmemory-manager-policy = \"Static\"\n" +
				"[settings.kubernetes.memory-manager-reserved-memory.0]\nenabled = true\nmemory = \"1Gi\"", strict: true,
		},
		"clash": {
			reason: "machineadm's own settings are not overridden",
			text:   "[settings.kubernetes]\ncluster-domain = \"x.example\"",
			want: []string{"error: snippets[0] (line 2, column 1): settings.kubernetes.cluster-domain is set at NodeConfig " +
				"already; remove one of them"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, errorsOf(t, withSnippet(planOf(worker(t)), tc.text, tc.strict))); diff != "" {
				t.Errorf("%s\n-want +got\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSnippetsOfOneAnother(t *testing.T) {
	p := withSnippet(withSnippet(planOf(worker(t)), "[settings]\nmotd = \"a\"", true), "[settings]\nmotd = \"b\"", true)
	want := []string{"error: snippets[1] (line 2, column 1): settings.motd is set at snippets[0] " +
		"already; remove one of them"}
	if diff := cmp.Diff(want, errorsOf(t, p)); diff != "" {
		t.Error(diff)
	}
}
