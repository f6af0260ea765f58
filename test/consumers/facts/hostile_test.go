package facts_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// hostileValues are values of metadata that would break out of their place in a shell, an environment file, a unit,
// YAML, JSON, a list of labels or a command line.
func hostileValues() map[string]string {
	return map[string]string{
		"newline": "a\nKUBELET_KUBEADM_ARGS=--anonymous-auth=true", "return": "a\rb", "command": "$(touch /pwned)",
		"backticks": "`touch /pwned`", "single quote": "a';touch /pwned;'", "double quote": `a" --anonymous-auth=true "`,
		"JSON": `a"},{"name":"anonymous-auth","value":"true"`, "label": "a,node-role.kubernetes.io/control-plane=",
		"option": "--anonymous-auth=true", "dash": "-", "blank": "a b", "tab": "a\tb", "backslash": `a\nb`, "specifier": "%h",
		"variable": "${HOME}", "Jinja": "{{ 7*7 }}", "comment": "a #b", "unicode": "é", "bidi": "a\u202eb",
		"semicolon": "a;b",
		"pattern":   "*", "NUL": "a\x00b", "long": strings.Repeat("a", 1<<20), "too long": strings.Repeat("a", 1025),
	}
}

// everywhere are parts in every field that has them.
const everywhere = `[{fact: instanceID}]
      - name: node-ip
        parts: [{metadata: uuid}]
    nameParts: [{text: n-}, {fact: instanceID}]
    labelParts: [{key: example.org/id, parts: [{metadata: uuid}]}]
    advertiseAddressParts: [{fact: instanceID}]`

// written are the files that contain facts, or what kubeadm makes of them.
func written() []string {
	return []string{"/etc/fact", "/etc/machineadm/kubeadm.yaml", "/var/lib/kubelet/kubeadm-flags.env", "/pwned"}
}

// TestHostileFacts gives a machine hostile values in cloud-init's instance data and in the variables of afterburn. The
// bootstrap fails before kubeadm starts, and the agent refuses the value. A run that is not nightly has some of the
// values with cloud-init.
func TestHostileFacts(t *testing.T) {
	kubeadm := debian.Tool(t, "kubeadm")
	version := debian.Output(t, kubeadm, "version", "-o", "short")
	sources := map[string]struct {
		distribution string
		put          func(t *testing.T, h host, value string)
		names        []string
	}{
		"cloud-init": {"debian", putInstanceData, nightly.Or(nil, []string{"newline", "command", "option", "JSON", "long"})},
		"afterburn":  {"flatcar", putVariables, nil},
	}
	for source, s := range sources {
		t.Run(source, func(t *testing.T) {
			h := nodeHost(t, kubeadm)
			program := renderedParts(t, s.distribution, version, everywhere)
			values := hostileValues()
			if s.names != nil {
				values = nightly.Cases(t, values, s.names...)
			}
			if source == "afterburn" {
				delete(values, "newline") // There, it begins another variable.
			}
			for name, value := range values {
				s.put(t, h, value)
				if got := h.agentValue(t, []map[string]string{{"fact": "instanceID"}}); got != "" {
					t.Errorf("%s: the agent finds %.60q", name, got)
				}
				if output, failed := h.bootstrap(t, program); !failed {
					t.Errorf("%s: the bootstrap continues\n%s", name, output)
				}
				for _, path := range written() {
					if content, err := os.ReadFile(h.root + path); err == nil {
						t.Errorf("%s: %s contains %.200q", name, path, content)
					}
				}
			}
			s.put(t, h, "10.0.0.1")
			output, failed := h.bootstrap(t, program)
			environment, _ := os.ReadFile(h.root + "/var/lib/kubelet/kubeadm-flags.env")
			for _, want := range []string{
				"--provider-id=10.0.0.1", "--node-ip=10.0.0.1", "--node-labels=example.org/id=10.0.0.1",
				"--hostname-override=n-10.0.0.1",
			} {
				if failed || !strings.Contains(string(environment), want) {
					t.Errorf("the environment file %s does not contain %s\n%s", environment, want, output)
				}
			}
		})
	}
}

// bootstrap runs the program on a machine without traces of an earlier run.
func (h host) bootstrap(t *testing.T, program string) (output string, failed bool) {
	t.Helper()
	h.put(t, "/etc/machineadm/bootstrap", program)
	return h.run("rm -rf /etc/machineadm/started /var/lib/machineadm /var/log/machineadm.log " +
		strings.Join(written(), " ") + ";exec sh /etc/machineadm/bootstrap")
}

func putInstanceData(t *testing.T, h host, value string) {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"v1": map[string]any{"instance_id": value}, "ds": map[string]any{"meta_data": map[string]any{"uuid": value}},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.putInstanceData(t, string(data))
}

func putVariables(t *testing.T, h host, value string) {
	t.Helper()
	h.put(t, platform{}.metadataFile(), "COREOS_OPENSTACK_INSTANCE_UUID="+value+"\n")
}
