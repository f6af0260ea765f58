package talos_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/talos"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/test/golden"
)

func TestGoldens(t *testing.T) {
	everyWorker := append([]document.Value{everyNode(worker())}, everyMachine()...)
	everyControlPlane := append([]document.Value{everyNode(controlPlane()), everyPlane()}, everyMachine()...)
	addressed := controlPlane(func(n *node.NodeConfig) {
		n.AdvertiseAddress, n.BindPort = document.Text("192.0.2.7"), 7443
	})
	cases := map[string]struct {
		reason, release string
		values          []document.Value
	}{
		"worker-1.9":  {reason: "the oldest release", release: "1.9.6", values: []document.Value{worker()}},
		"worker-1.13": {reason: "the newest", values: []document.Value{worker()}},
		"control-plane-1.11": {
			reason: "the last release with one document", release: "1.11.0",
			values: []document.Value{addressed},
		},
		"control-plane-1.12": {reason: "the first with several", release: "1.12.4", values: []document.Value{
			addressed,
			node.ControlPlaneConfig{},
		}},
		"every-worker-1.9": {
			reason: "all that the oldest supports", release: "1.9.0",
			values: slices.Concat(everyWorker, disks()),
		},
		"every-worker-1.10": {
			reason: "the first with volumes", release: "1.10.0",
			values: slices.Concat(everyWorker, disks()),
		},
		"every-worker-1.13": {
			reason: "all that the newest supports", release: "1.13.0",
			values: slices.Concat(everyWorker, newDisks()),
		},
		"every-plane-1.9": {
			reason: "all of a control plane in the oldest", release: "1.9.0",
			values: everyControlPlane,
		},
		"every-plane-1.13": {
			reason: "all of a control plane in the newest", release: "1.13.0",
			values: everyControlPlane,
		},
		"no-time-1.11": {reason: "disabled, in one document", release: "1.11.0", values: []document.Value{
			worker(), machine.TimeSyncConfig{Enabled: new(false)},
		}},
		"no-time-1.13": {reason: "disabled, in its own document", release: "1.13.0", values: []document.Value{
			worker(), machine.TimeSyncConfig{Enabled: new(false)},
		}},
		"virtual-ip-1.11": {
			reason: "in the interface, beside the name of the machine", release: "1.11.0", values: []document.Value{
				controlPlane(func(n *node.NodeConfig) { n.Registration.Name = document.Text("m1") }),
				node.VirtualIP{Address: "192.0.2.9", Interface: "eth0"},
			},
		},
		"virtual-ip-1.12": {reason: "the first with a document", release: "1.12.0", values: []document.Value{
			controlPlane(), node.VirtualIP{Address: "192.0.2.9", Interface: "eth0"},
		}},
		"registry-tls-1.11": {
			reason: "the upstream is an endpoint where it has TLS settings", release: "1.11.0", values: upstreams(),
		},
		"registry-tls-1.12":     {reason: "the same in documents", release: "1.12.0", values: upstreams()},
		"no-name-and-no-addons": {reason: "the platform names the machine", values: []document.Value{unnamed(), bare()}},
	}
	goldens := golden.Open(t, "testdata/rendered")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, target(t, tc.release), tc.values...)
			rendering, findings := render(t, p)
			if findings.HasErrors() {
				t.Fatalf("%s: %s", tc.reason, findings)
			}
			if again, _ := render(t, p); !again.Payload.Data.Equal(rendering.Payload.Data) {
				t.Error("the same plan gives other bytes")
			}
			goldens.Compare(t, name+".yaml", rendering.Payload.Data.Reveal())
		})
	}
}

// unnamed is a node that pods of any kind may run on, and that is called as the platform calls its machine.
func unnamed() node.NodeConfig {
	return controlPlane(func(n *node.NodeConfig) {
		n.Registration = node.Registration{Name: document.FromFact(document.FactHostname), TaintsSet: true}
	})
}

// upstreams are registries with TLS settings of their own: one without mirrors, one with, one whose API has another
// host, and one that a server replaces.
func upstreams() []document.Value {
	skip := &machine.RegistryTLS{InsecureSkipVerify: true}
	mirrors := []machine.RegistryEndpoint{{URL: "https://mirror.example"}}
	return []document.Value{worker(), machine.ContainerdConfig{Registries: []machine.Registry{
		{Host: "plain.example", TLS: skip},
		{Host: "mirrored.example:5000", TLS: skip, Mirrors: mirrors},
		{Host: "paths.example", TLS: skip, Mirrors: []machine.RegistryEndpoint{{
			URL: "https://mirror.example/v2/paths", OverridePath: true,
		}}},
		{Host: "docker.io", TLS: skip},
		{Host: "replaced.example", Server: "https://server.example", TLS: skip},
	}}}
}

func bare() node.ControlPlaneConfig {
	return node.ControlPlaneConfig{KubeProxy: node.Addon{Disabled: true}, CoreDNS: node.Addon{Disabled: true}}
}

// TestInstallDisk renders the disk in every contract, for both types of machines.
func TestInstallDisk(t *testing.T) {
	for _, version := range []string{"1.9", "1.10", "1.11", "1.12", "1.13"} {
		for name, n := range map[string]node.NodeConfig{"worker": worker(), "control plane": controlPlane()} {
			for disk, want := range map[string]string{"": "/dev/sda", "/dev/disk/by-id/nvme-1": "/dev/disk/by-id/nvme-1"} {
				to := target(t, "")
				to.FormatVersion, to.InstallDisk = version, disk
				rendering, findings := render(t, planOf(t, to, n))
				if findings.HasErrors() {
					t.Fatal(findings)
				}
				if got := read(t, rendering.Payload.Data.Reveal()).Machine().Install().Disk(); got != want {
					t.Errorf("the disk of a %s of %s is %q, want %q", name, version, got, want)
				}
			}
		}
	}
}

func TestPayloadHasNoNameForProviders(t *testing.T) {
	rendering, _ := render(t, planOf(t, target(t, ""), worker()))
	p := rendering.Payload
	if p.Format != delivery.FormatTalos || p.SecretFormat != delivery.SecretFormatNone || p.FileExtension != ".yaml" {
		t.Errorf("%q %q %q", p.Format, p.SecretFormat, p.FileExtension)
	}
}

// A worker must not get what lets it be a control plane machine.
func TestWorkerGetsNoKeys(t *testing.T) {
	rendering, _ := render(t, planOf(t, target(t, ""),
		worker(func(n *node.NodeConfig) { n.Certificates = controlPlane().Certificates })))
	shared := secrets()
	for name, held := range map[string][]byte{
		"secretbox":       shared.SecretboxKey.Reveal(),
		"bootstrap token": shared.BootstrapToken.Reveal(),
	} {
		if bytes.Contains(rendering.Payload.Data.Reveal(), held) {
			t.Errorf("a worker gets the %s", name)
		}
	}
}

// Texts that the library's encoder would break, and some that look as if it might.
func TestTextsArrive(t *testing.T) {
	for _, text := range []string{
		"\n a\n  b\n", " a\nb\n", "\n\n  x", "\ta\nb", "\n\ta", "  \n a\n", "\u2029 +{?-\n", "\n\u2029\t\na", "\u0085 a",
		"machineadm-held-text-0",
		"\n", " ", "", "a\r\n b", "\ufeffa", "a\n\n\n", "---\n...\n", "\x00", "\xff\n a", "!!binary |\n a",
	} {
		pod := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "annotations": {"text": ` +
			strconv.Quote(text) + `}}}`
		values := []document.Value{worker(), machine.File{Path: "/var/x", Content: document.Text(text)}}
		if json.Valid([]byte(pod)) {
			values = append(values, node.StaticPod{Name: "a", Manifest: []byte(pod)})
		}
		rendering, findings := render(t, planOf(t, target(t, ""), values...))
		if findings.HasErrors() {
			t.Fatalf("%q: %s", text, findings)
		}
		m := read(t, rendering.Payload.Data.Reveal()).Machine()
		if files, _ := m.Files(); files[0].Content() != text {
			t.Errorf("%q became %q", text, files[0].Content())
		}
		for _, pod := range m.Pods() {
			metadata, _ := pod["metadata"].(map[string]any)
			annotations, _ := metadata["annotations"].(map[string]any)
			if annotations["text"] != text {
				t.Errorf("%q became %q in a pod", text, annotations["text"])
			}
		}
	}
}

// Kinds that Talos does not know are left to their plugins; the files that these make arrive like others.
func TestStepsOfPlugins(t *testing.T) {
	opaque := document.Opaque{Type: "Other"}
	if talos.New().Native(document.Document{Value: opaque}, target(t, "")) {
		t.Fatal("an unknown kind is native")
	}
	p := planOf(t, target(t, ""), worker(), opaque)
	index := slices.IndexFunc(p.Documents, func(d document.Document) bool { return d.Kind() == "Other" })
	for _, a := range action.Of(action.WriteFile{File: machine.File{
		Path:    "/var/lib/other",
		Content: document.Text("from a plugin"),
	}}) {
		p.Steps = append(p.Steps, planStep(index, a))
	}
	rendering, findings := render(t, p)
	if findings.HasErrors() || !bytes.Contains(rendering.Payload.Data.Reveal(), []byte("from a plugin")) {
		t.Errorf("%s", findings)
	}
	if !slices.Equal(rendering.Places, []string{"machine.files[0]"}) {
		t.Errorf("Places: %q", rendering.Places)
	}
}
