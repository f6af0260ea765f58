package facts_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// platform is the double of a platform in testdata/platforms.yaml.
type platform struct {
	Name string
	// Parts is the provider ID in the API, and Want its value on the machine, or empty if no metadata contains it.
	Parts []map[string]string
	Want  string
	// CloudInit is the input of metadata.py.
	CloudInit map[string]any `yaml:"cloudInit"`
	// Afterburn are the variables in the file of afterburn, or in another File.
	Afterburn map[string]string
	File      string
	// Unknown means that these variables do not contain the provider ID.
	Unknown bool
}

func platforms(t *testing.T) []platform {
	t.Helper()
	text, err := os.ReadFile("testdata/platforms.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []platform
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestProviderIDs runs the bootstrap program of a node on the double of each platform: with the instance data that the
// platform's data source of the real cloud-init stores, and with the variables of afterburn. Real kubeadm writes the
// arguments of kubelet. The provider ID is the same in both cases and for the agent, or the bootstrap fails. A run that
// is not nightly has some of the platforms.
func TestProviderIDs(t *testing.T) {
	kubeadm := debian.Tool(t, "kubeadm")
	version := debian.Output(t, kubeadm, "version", "-o", "short")
	for _, p := range nightly.Sample(platforms(t), 4) {
		t.Run(p.Name, func(t *testing.T) {
			h := nodeHost(t, kubeadm)
			h.crawl(t, p)
			h.provides(t, p, rendered(t, p, "debian", version), p.Want)
			if len(p.Afterburn) == 0 {
				return
			}
			h = nodeHost(t, kubeadm)
			h.put(t, p.metadataFile(), p.variables())
			want := p.Want
			if p.Unknown {
				want = ""
			}
			h.provides(t, p, rendered(t, p, "flatcar", version), want)
		})
	}
}

// nodeHost returns a host with kubeadm, which writes kubelet's arguments and does nothing else.
func nodeHost(t *testing.T, kubeadm string) host {
	t.Helper()
	h := newHost(t, "trixie")
	content, err := os.ReadFile(kubeadm)
	if err != nil {
		t.Fatal(err)
	}
	h.put(t, "/usr/bin/kubeadm", string(content))
	h.put(t, "/usr/local/sbin/kubeadm", "#!/bin/sh\nexec /usr/bin/kubeadm init phase kubelet-start --config \"$3\"\n")
	h.put(t, "/usr/local/sbin/systemctl", "#!/bin/sh\n")
	if out, failed := h.run("cd /usr&&chmod 755 bin/kubeadm local/sbin/kubeadm local/sbin/systemctl"); failed {
		t.Fatal(out)
	}
	return h
}

// crawl runs the data source of real cloud-init on the double.
func (h host) crawl(t *testing.T, p platform) {
	t.Helper()
	input, err := json.Marshal(p.CloudInit)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("testdata/metadata.py")
	if err != nil {
		t.Fatal(err)
	}
	h.put(t, "/run/platform.json", string(input))
	h.put(t, "/run/metadata.py", string(program))
	if out, failed := h.run("for a in 169.254.169.254 169.254.42.42 100.100.100.200;do " +
		"ip addr add $a/32 dev lo scope link;done&&exec python3 /run/metadata.py /run/platform.json"); failed {
		t.Fatalf("%s\n%s", out, h.cloudInitLog())
	}
}

func (h host) cloudInitLog() string {
	log, _ := os.ReadFile(h.root + "/var/log/cloud-init.log")
	return string(log[max(0, len(log)-4000):])
}

func (p platform) metadataFile() string {
	if p.File != "" {
		return p.File
	}
	profile, _ := osprofile.Lookup("flatcar")
	return profile.Metadata.File
}

func (p platform) variables() string {
	var b strings.Builder
	for name, value := range p.Afterburn {
		b.WriteString("COREOS_" + name + "=" + value + "\n")
	}
	return b.String()
}

// providerID matches the argument in the environment file of kubelet.
var providerID = regexp.MustCompile(`--provider-id=([^ "]*)`)

// provides runs the bootstrap program and compares the provider ID in kubelet's environment file, and that of the
// agent. An empty one must not be known to either.
func (h host) provides(t *testing.T, p platform, program, want string) {
	t.Helper()
	output, failed := h.bootstrap(t, program)
	environment, _ := os.ReadFile(h.root + "/var/lib/kubelet/kubeadm-flags.env")
	var got string
	if found := providerID.FindSubmatch(environment); found != nil {
		got = string(found[1])
	}
	if failed != (want == "") || got != want {
		t.Errorf("kubelet has the provider ID %q, want %q\n%s\n%s", got, want, environment, output)
	}
	if got := h.agentValue(t, p.Parts); got != want {
		t.Errorf("the agent finds %q, want %q", got, want)
	}
}

// agentValue returns what the agent makes of the parts, or an empty text if it does not know a fact.
func (h host) agentValue(t *testing.T, parts []map[string]string) string {
	t.Helper()
	system, err := linux.New(linux.Options{Root: h.root})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = system.Close() }()
	var b strings.Builder
	for _, part := range parts {
		fact := document.Fact(part["fact"])
		if path := part["metadata"]; path != "" {
			fact, _ = document.Metadata(path)
		}
		if fact == "" {
			b.WriteString(part["text"])
			continue
		}
		value, err := (linux.Facts{Host: system}).Lookup(t.Context(), fact)
		if err != nil || !facts.IsValue(value) {
			return ""
		}
		b.WriteString(value)
	}
	return b.String()
}

// rendered returns the bootstrap program of a node with the provider ID, or one that fails if the format refuses the
// ID.
func rendered(t *testing.T, p platform, distribution, version string) string {
	t.Helper()
	parts, err := json.Marshal(p.Parts)
	if err != nil {
		t.Fatal(err)
	}
	program, message := renderedNode(t, distribution, version, string(parts)+"\n    advertiseAddress: 198.51.100.7")
	if program == "" {
		if !p.Unknown || !strings.Contains(message, "is not known in this format") {
			t.Fatal(message)
		}
		return "false"
	}
	return program
}

// renderedParts returns the bootstrap program of a node with the parts.
func renderedParts(t *testing.T, distribution, version, parts string) string {
	t.Helper()
	program, message := renderedNode(t, distribution, version, parts)
	if program == "" {
		t.Fatal(message)
	}
	return program
}

// renderedNode returns the bootstrap program of the node in testdata/node.yaml, or the findings.
func renderedNode(t *testing.T, distribution, version, parts string) (program, message string) {
	t.Helper()
	manifests, err := os.ReadFile("testdata/node.yaml")
	if err != nil {
		t.Fatal(err)
	}
	machineadmctl, err := programs.Build(t.Context(), "machineadmctl")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), machineadmctl, "render", "-f", "-")
	values := strings.NewReplacer("VERSION", version, "DISTRIBUTION", distribution, "PARTS", parts)
	command.Stdin = strings.NewReader(values.Replace(string(manifests)))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	userdata, err := command.Output()
	if err != nil {
		return "", err.Error() + "\n" + stderr.String()
	}
	return extracted(t, userdata), ""
}
