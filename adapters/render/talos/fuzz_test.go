package talos_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/siderolabs/talos/pkg/machinery/config"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// valid returns the values that their own checks take, with a worker before them.
func valid(values ...document.Value) []document.Value {
	out := []document.Value{worker()}
	for _, v := range values {
		if !v.Check("fuzz").HasErrors() {
			out = append(out, v)
		}
	}
	return out
}

// FuzzRender puts arbitrary bytes into every place that takes text. What is not refused is read back, by the library
// that reads it on the machine, as it was given.
func FuzzRender(f *testing.F) {
	f.Add([]byte("text\n"), "/var/lib/a", uint16(0o644), "a.b/c", "1", "net.ipv4.ip_forward",
		"http://u:p@proxy:3128", `p"\'`, "v")
	f.Add([]byte("\x00\xff\r\n"), "/var/a\nb: c", uint16(0), "yes", "no", "a/b.c", "http://a/?b=c#d", "${x}{{y}}", "~")
	f.Add([]byte(" \t\n\n"), "/var/ #", uint16(0o777), "x", "null", "a..b", "\xff", "\u2028\ufeff\u0085", "0x1")
	f.Add([]byte("---\n...\n"), "/etc/a", uint16(0o4755), "a", "012", "-a.b", "", "!!binary", "1e3")
	f.Add([]byte("\n a\n  b\n"), "/var/~", uint16(1), "", "", "", "http://p", "- a: [", "&a *a")
	f.Add([]byte(" \xf4\n"), "/var/ #", uint16(0o702), "x", "n\x19ll", "a..b", "$", "\u2028\ufeff\u0085", "\x00@1")
	f.Fuzz(func(t *testing.T, content []byte, path string, mode uint16, key, value, name, proxy, password,
		argument string,
	) {
		file := machine.File{Path: path, Content: document.Literal(content), Mode: machine.Mode(mode)}
		sysctl := machine.SysctlConfig{Settings: []machine.Sysctl{{Name: name, Value: value}}}
		out := machine.ProxyConfig{HTTPSProxy: secret.FromString(proxy), NoProxy: []string{value}}
		auth := &machine.RegistryAuth{Username: key, Password: secret.FromString(password)}
		containerd := machine.ContainerdConfig{Registries: []machine.Registry{{Host: "a.example", Auth: auth}}}
		labelled := worker(func(n *node.NodeConfig) {
			n.Registration.Labels = []node.Label{{Key: key, Value: document.Text(value)}}
			n.Kubelet = node.Kubelet{
				Config: node.Tree{key: value},
				Args:   []node.Arg{{Name: "v", Value: document.Text(argument)}},
			}
		})
		// The one with one document, or the one with several.
		release := []string{"1.11.0", "1.13.0"}[int(mode)%2]
		checkFile(t, release, valid(file), file)
		checkOthers(t, release, valid(sysctl, out, containerd), sysctl, out, auth)
		if !labelled.Check("fuzz").HasErrors() {
			checkNode(t, release, labelled)
		}
	})
}

func checkFile(t *testing.T, release string, values []document.Value, file machine.File) {
	t.Helper()
	rendering, findings := render(t, planOf(t, target(t, release), values...))
	if findings.HasErrors() || len(values) == 1 {
		return
	}
	files, err := read(t, rendering.Payload.Data.Reveal()).Machine().Files()
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	content, _ := file.Content.Static()
	got := files[0]
	if got.Content() != string(content) || got.Path() != file.Path || got.Permissions() != osMode(file) ||
		got.Op() != "create" {
		t.Errorf("%q %v %q:\n%s", got.Path(), got.Permissions(), got.Op(), cmp.Diff(string(content), got.Content()))
	}
}

func checkOthers(t *testing.T, release string, values []document.Value, s machine.SysctlConfig, p machine.ProxyConfig,
	auth *machine.RegistryAuth,
) {
	t.Helper()
	rendering, findings := render(t, planOf(t, target(t, release), values...))
	if findings.HasErrors() {
		return
	}
	c := read(t, rendering.Payload.Data.Reveal())
	for _, v := range values {
		switch v.(type) {
		case machine.SysctlConfig:
			if got := c.Machine().Sysctls()[s.Settings[0].Name]; got != s.Settings[0].Value {
				t.Errorf("sysctl %q", got)
			}
		case machine.ProxyConfig:
			env := variables(c)
			if env["https_proxy"] != string(p.HTTPSProxy.Reveal()) || env["no_proxy"] != p.NoProxy[0] {
				t.Errorf("environment %q", env)
			}
		case machine.ContainerdConfig:
			got := c.RegistryAuthConfigs()["a.example"]
			if got.Username() != auth.Username || got.Password() != string(auth.Password.Reveal()) {
				t.Errorf("credentials %q %q", got.Username(), got.Password())
			}
		}
	}
}

// variables are those of the release's own field or document.
func variables(c config.Provider) map[string]string {
	if env := c.Environment().Variables(); len(env) > 0 {
		return env
	}
	//nolint:staticcheck // the field is what releases before EnvironmentConfig read
	return c.RawV1Alpha1().MachineConfig.MachineEnv
}

func checkNode(t *testing.T, release string, n node.NodeConfig) {
	t.Helper()
	rendering, findings := render(t, planOf(t, target(t, release), n))
	if findings.HasErrors() {
		return
	}
	m := read(t, rendering.Payload.Data.Reveal()).Machine()
	label, argument := n.Registration.Labels[0], string(first(n.Kubelet.Args[0].Value.Static()))
	labelled := string(first(label.Value.Static()))
	if got, there := m.NodeLabels()[label.Key]; !there || got != labelled {
		t.Errorf("labels %q", m.NodeLabels())
	}
	if got := m.Kubelet().ExtraConfig()[label.Key]; got != labelled {
		t.Errorf("kubelet's configuration %q", got)
	}
	if got := m.Kubelet().ExtraArgs()["v"]; argument != "" && (len(got) != 1 || got[0] != argument) {
		t.Errorf("kubelet's arguments %q", got)
	}
}

func first[A, B any](a A, _ B) A { return a }

// FuzzSnippet never panics, and writes only what the library reads back and takes.
func FuzzSnippet(f *testing.F) {
	for _, text := range []string{
		"machine:\n  sysctls:\n    a: b\n", `[{"op":"add","path":"/machine/env","value":{"a":"b"}}]`, "[", "- op: test\n",
		"machine: null",
		"cluster:\n  $patch: delete\n", "apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: x\n", "\xff", "---\n---\n",
		"machine:\n  files:\n  - {path: /etc/x, op: bogus, content: x}\n", "machine:\n  network: {hostname: x}\n",
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	hostile.Seed(func(text string) { f.Add(text, false) })
	f.Fuzz(func(t *testing.T, text string, strict bool) {
		for _, values := range [][]document.Value{{worker()}, {controlPlane()}} {
			var rendering ports.Rendering
			var findings report.Report
			memory.Below(t, memory.Render, func() {
				rendering, findings = render(t, withSnippets(planOf(t, target(t, ""), values...), snippet(text, strict)))
			})
			if findings.HasErrors() != rendering.Payload.Data.IsZero() {
				t.Fatalf("%s", findings)
			}
			if !findings.HasErrors() {
				read(t, rendering.Payload.Data.Reveal())
			}
		}
	})
}
