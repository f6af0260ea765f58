package agent_test

import (
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// example returns the page's template in the block of the language.
func example(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/bootstrap-templates.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```"+language+"\n")
	text, _, closed := strings.Cut(rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("the page has no block %s", language)
	}
	return text + "\n"
}

// proposed is the proposal's own example, its indentation mended and its stray dot kept.
const proposed = `#cloud-config
write_files:
- encoding: gz+b64
  content: {{ machine_config | gzipBase64 }}.
  owner: root:root
  path: /tmp/machineadm_config.yaml
  permissions: '0644'
runcmd:
- /usr/bin/machineadm --bootstrap --path /tmp/machineadm_config.yaml
`

// templated returns the userdata that a machine boots with the template, and the messages of machineadmctl.
func templated(t *testing.T, terminal, distribution, template string) []byte {
	t.Helper()
	manifests, err := os.ReadFile("testdata/worker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(manifests), "  delivery: {mode: Agent}\n",
		"  delivery: {mode: Agent}\n  templateRef: {kind: ConfigMap, name: bootstrap}\n", 1)
	text += "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: bootstrap, namespace: " +
		"default}\ndata:\n  template: |\n    " +
		strings.ReplaceAll(strings.TrimSuffix(template, "\n"), "\n", "\n    ") + "\n"
	for _, at := range []string{"/tmp/machineadm_config.yaml", "/root/machineadm_config.yaml"} {
		if strings.Contains(template, at) {
			// One of the machine's commands keeps its configuration for the test.
			text = strings.Replace(text, "cp -p /etc/machineadm/machineadm_config.yaml", "cp -p "+at, 1)
		}
	}
	return rendered(t, terminal, distribution, []byte(text))
}

// TestTemplatesBoot holds that a machine that boots an example of the page is the one that boots machineadm's own
// userdata: the same is asked of both.
func TestTemplatesBoot(t *testing.T) {
	t.Parallel()
	ignitionV2 := func(t *testing.T, agent, suite string, data []byte) (*machine, []string) {
		m, _ := byIgnition(t, agent, suite, data)
		return m, []string{"v2", debian.Tool(t, "ignition-flatcar"), m.State + "/config.ign"}
	}
	cases := map[string]struct {
		reason, distribution, template string
		provision                      func(t *testing.T, agent, suite string, data []byte) (*machine, []string)
	}{
		"cloud-init":  {"", "debian", example(t, "cloud-init"), byCloudInit},
		"shell":       {"cloud-init starts a script as well as anything does", "debian", example(t, "shell"), byCloudInit},
		"ignition":    {"", "fedora-coreos", example(t, "ignition"), byIgnition},
		"ignition-v2": {"", "flatcar", example(t, "ignition-v2"), ignitionV2},
		"proposal":    {"a template of 2021", "debian", proposed, byCloudInit},
	}
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	for name, c := range nightly.Cases(t, cases, "ignition-v2") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := templated(t, terminal, c.distribution, c.template)
			m, provisioning := c.provision(t, agent, "trixie", data)
			m.Run(t, "../goldens/nspawn.sh", provisioning...)
			m.holdsAll(t)
			m.accepted(t)
			m.runsOnce(t)
			m.showsNoSecret(t, canary.SecretsIn(string(data))...)
		})
	}
}
