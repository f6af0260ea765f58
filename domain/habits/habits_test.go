package habits_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/habits"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/golden"
)

// pre returns commands that run before kubeadm.
func pre(scripts ...string) []document.Document {
	var docs []document.Document
	for i, s := range scripts {
		docs = append(docs, document.Document{
			Value:  machine.Command{Phase: document.PhasePre, Script: s},
			Source: document.Source{Path: report.Path("pre").Index(i)},
		})
	}
	return docs
}

func at(path report.Path, v document.Value) document.Document {
	return document.Document{Value: v, Source: document.Source{Path: path}}
}

// TestCheck has a line of a published KubeadmConfig for each habit, and lines that only look like one.
func TestCheck(t *testing.T) {
	file := func(path, text string) document.Document {
		return at("file", machine.File{Path: path, Content: document.Text(text)})
	}
	cases := map[string]struct {
		reason string
		docs   []document.Document
		kind   string
		want   []string
	}{
		"jinja": {
			"hostnamectl refuses the braces", pre(`hostnamectl set-hostname "{{ ds.meta_data.hostname }}"`), "",
			[]string{"error pre[0].script Jinja"},
		},
		"jinja with a filter": {
			"", pre(`echo "{{ ds.meta_data["local_hostname"].split(".")[0] }}" >/a`), "",
			[]string{"error pre[0].script Jinja"},
		},
		"jinja of v1": {
			"", pre(`echo "{{ v1.local_hostname }} {{ local_hostname }}"`), "", []string{"error pre[0].script Jinja"},
		},
		"jinja in a file": {
			"the file may be a template of another program",
			[]document.Document{file("/etc/network", "address1={{ ds.meta_data.provisioningIP }}/24")},
			"",
			[]string{"warning file Jinja"},
		},
		"a template of cloud-init": {
			"cloud-init renders it itself",
			[]document.Document{file("/etc/cloud/cloud.cfg.d/a.cfg", "## template: jinja\n{{ ds.meta_data.x }}")},
			"", nil,
		},
		"cloud-init query": {
			"it renders the expression", pre(`cloud-init query -f "{{ ds.meta_data.hostname }}"`), "", nil,
		},
		"a statement": {
			"Jinja replaces it by its result", pre(`echo "{% if v1.region %}region{% endif %}" >/a`), "",
			[]string{"error pre[0].script Jinja"},
		},
		"a name of cloud-init": {"", pre(`echo "{{ region }}"`), "", []string{"error pre[0].script Jinja"}},
		"a field of another language": {
			"the name is one of a Go template", pre(`docker inspect -f '{{ .Labels.region }}{{ .my_region }}'`), "", nil,
		},
		"a Go template":  {"", pre(`crictl inspect -o go-template --template '{{ .info.pid }}'`), "", nil},
		"a go template2": {"", pre(`docker inspect -f '{{ .Args.ds }}'`), "", nil},
		"CloudStack": {
			"the provider replaces it", pre(`hostnamectl set-hostname "{{ ds.meta_data.hostname }}"`),
			"CloudStackMachineTemplate", nil,
		},
		"envsubst": {
			"the file does not exist", pre("envsubst < /etc/kubeadm.yml > /etc/kubeadm.yml.tmp"), "",
			[]string{"error pre[0].script writes this file with Ignition"},
		},
		"a file of the user": {
			"it exists", append(pre("cp /etc/kubeadm.yml /root"), file("/etc/kubeadm.yml", "")), "", nil,
		},
		"kube-vip": {
			"the test is always false", []document.Document{file("/etc/kube-vip-prepare.sh",
				"if [[ -f /run/kubeadm/kubeadm.yaml ]]; then")}, "", []string{"warning file another path here"},
		},
		"sed": {
			"the file does not exist", pre("sed -i s/a/b/ /run/kubeadm/*.yaml"), "",
			[]string{"error pre[0].script another path here"},
		},
		"another file in the directory": {
			"", append(pre("cat /run/kubeadm/mine.yaml >/a"), file("/run/kubeadm/mine.yaml", "")), "", nil,
		},
		"old paths": {
			"", pre("if [ -f /tmp/kubeadm.yaml ]; then true; fi"), "", []string{"error pre[0].script another path here"},
		},
		"drop-in": {
			"nothing starts the unit", []document.Document{at("unit", machine.Unit{
				Name: "kubeadm.service", DropIns: []machine.DropIn{
					{Name: "10-flatcar.conf", Content: document.Text("[Unit]\nAfter=a.service\n")},
				},
			})}, "", []string{"warning unit no unit kubeadm.service"},
		},
		"own unit": {
			"the user starts it", []document.Document{
				at("unit", machine.Unit{Name: "kubeadm.service", Content: document.Text("[Service]")}),
			}, "", nil,
		},
		"order": {
			"the unit is never there", []document.Document{at("unit", machine.Unit{
				Name: "a.service", Content: document.Text("[Unit]\nBefore=kubeadm.service\n"),
			})}, "", []string{"warning unit no unit kubeadm.service"},
		},
		"export": {
			"the version would be empty",
			pre("export KUBERNETES_VERSION=1.36.0", `apt-get install kubelet="$KUBERNETES_VERSION-*"`), "",
			[]string{"warning pre[0].script each command", "error pre[1].script the variable KUBERNETES_VERSION"},
		},
		"assignment": {
			"", pre(`ARCH="$(dpkg --print-architecture)"`, "true", "curl https://a/${ARCH}"), "",
			[]string{"error pre[2].script the variable ARCH"},
		},
		"set again":        {"", pre("export A=1", "A=2; echo $A"), "", []string{"warning pre[0].script each command"}},
		"loop":             {"", pre("A=1", "for A in x; do echo $A; done"), "", nil},
		"single quotes":    {"awk has variables of its own", pre("A=1", "awk '{ print $A }' /a"), "", nil},
		"for one command":  {"the shell has no such variable", pre("A=1 ./run", "echo $A"), "", nil},
		"used in the same": {"", pre("export A=1\necho $A"), "", nil},
		"cd":               {"", pre("cd /opt", "./run"), "", []string{"warning pre[0].script each command"}},
		"cd and run":       {"", pre("cd /opt && ./run", "true"), "", nil},
		"set":              {"", pre("set -eux", "./run"), "", []string{"warning pre[0].script each command"}},
		"last":             {"there is no next", pre("cd /opt"), "", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			job := plan.Job{Documents: tc.docs, Target: osprofile.Target{Infrastructure: tc.kind}}
			compare(t, tc.reason, habits.Check(job), tc.want)
		})
	}
}

// compare checks severity, path and a part of the message of each finding.
func compare(t *testing.T, reason string, r report.Report, want []string) {
	t.Helper()
	if len(r) != len(want) {
		t.Fatalf("%s: got %s, want %q", reason, r, want)
	}
	for i, f := range r {
		parts := strings.SplitN(want[i], " ", 3)
		if f.Severity.String() != parts[0] || string(f.Path) != parts[1] || !strings.Contains(f.Message, parts[2]) ||
			f.Remedy == "" {
			t.Errorf("%s: got %s, want %s", reason, f, want[i])
		}
	}
}

// TestCheckValues has texts of published KubeadmConfigs in the fields of a node.
func TestCheckValues(t *testing.T) {
	arg := func(value string) node.NodeConfig {
		return node.NodeConfig{Kubelet: node.Kubelet{Args: []node.Arg{{Name: "a", Value: document.Text(value)}}}}
	}
	name := func(text string) node.NodeConfig {
		return node.NodeConfig{Registration: node.Registration{Name: document.Text(text)}}
	}
	const id = "error node.kubelet.extraArgs[0] placeholder"
	cases := map[string]struct {
		reason string
		value  document.Value
		format delivery.Format
		kind   string
		want   []string
	}{
		"name":  {"cloud-init's", name("{{ local_hostname }}"), "", "", []string{"error node.registration.name placeholder"}},
		"mark":  {"sed replaces it", name("@@HOSTNAME@@"), "", "", []string{"error node.registration.name placeholder"}},
		"fixed": {"most names have none", name("worker-1"), "", "", nil},
		"label": {
			"cloud-init's", node.NodeConfig{Registration: node.Registration{
				Labels: []node.Label{{Key: "a"}, {Key: "b", Value: document.Text("{{ ds.meta_data.uuid }}")}},
			}}, "", "", []string{"error node.registration.labels[1] placeholder"},
		},
		"address": {
			"",
			node.NodeConfig{AdvertiseAddress: document.Text("{{ ds.meta_data.local_ipv4 }}")},
			"", "",
			[]string{"error node.advertiseAddress placeholder"},
		},
		"afterburn":       {"envsubst replaces it", arg("aws:///${COREOS_EC2_INSTANCE_ID}"), "", "", []string{id}},
		"without braces":  {"envsubst replaces it, too", arg("$COREOS_GCE_HOSTNAME"), "", "", []string{id}},
		"without blanks":  {"the environment file supports it", arg("{{ds.meta_data.id}}"), "", "", []string{id}},
		"with blanks":     {"the plugin reports it", arg("{{ ds.meta_data.id }}"), delivery.FormatCloudInit, "", nil},
		"without a file":  {"Talos has no environment file", arg("{{ a }}"), delivery.FormatTalos, "", []string{id}},
		"of the provider": {"the provider replaces it", arg("[[[.NodeIP]]]"), "", "ScalewayMachine", nil},
		"by the provider": {"it replaces the expression", name("{{ds.meta_data.hostname}}"), "", "CloudStackMachine", nil},
		"other expressions": {
			"but no others", name("{{ds.meta_data.id}}"), "", "CloudStackMachine",
			[]string{"error node.registration.name placeholder"},
		},
		"command": {"no shell reads it", arg("$(hostname)"), "", "", []string{"error node.kubelet.extraArgs[0] no shell"}},
		"dollar":  {"kubelet may have a meaning for it", arg("^a$"), "", "", nil},
		"config": {
			"kubelet reads it unchanged",
			node.NodeConfig{Kubelet: node.Kubelet{Config: node.Tree{
				"providerID": "aws:///{{ ds.meta_data.x }}", "a": []any{"b", map[string]any{"c": "{{ v1.region }}"}}, "maxPods": 5,
			}}},
			"", "",
			[]string{"error node.kubelet.config.a[1].c placeholder", "error node.kubelet.config.providerID placeholder"},
		},
		"control plane": {
			"", node.ControlPlaneConfig{
				APIServer: node.APIServer{
					Component: node.Component{Args: []node.Arg{{Name: "a", Value: document.Text("{{ a }}")}}},
					CertSANs:  []string{"a.example", "{{ ds.meta_data.local_ipv4 }}"},
				},
				LocalEtcd: &node.LocalEtcd{Args: []node.Arg{{Name: "a", Value: document.Text("${COREOS_A}")}}},
				Scheduler: node.Component{Args: []node.Arg{{Name: "a", Value: document.Text("$(POD_IP)")}}},
			}, "", "", []string{
				"error node.apiServer.extraArgs[0] placeholder", "error node.localEtcd.extraArgs[0] placeholder",
				"error node.apiServer.certSANs[1] placeholder",
			},
		},
		"static Pod": {
			"kube-vip's manifest",
			node.StaticPod{Manifest: []byte("path: /run/kubeadm/kubeadm.yaml")},
			"", "",
			[]string{"warning node another path"},
		},
		"drop-in as a file": {
			"no such unit reads it",
			machine.File{Path: "/etc/systemd/system/kubeadm.service.d/10-flatcar.conf"},
			"", "",
			[]string{"warning node.path no unit kubeadm.service"},
		},
		"unit as a file": {
			"the user's own unit", machine.File{Path: "/etc/systemd/system/kubeadm.service"}, "", "", nil,
		},
		"unit without its suffix": {
			"systemctl adds it",
			machine.Command{Phase: document.PhasePre, Script: "systemctl restart kubeadm; true"},
			"", "",
			[]string{"warning node.script no unit kubeadm.service"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			job := plan.Job{Documents: []document.Document{at("node", tc.value)}, Format: tc.format}
			job.Target.Infrastructure = tc.kind
			compare(t, tc.reason, habits.Check(job), tc.want)
		})
	}
}

func TestCheckSnippets(t *testing.T) {
	snippet := func(f delivery.Format, text string) plan.Snippet {
		return plan.Snippet{Snippet: delivery.Snippet{Format: f, Text: text}, Source: document.Source{Path: "snippet"}}
	}
	cases := map[string]struct {
		reason   string
		format   delivery.Format
		snippets []plan.Snippet
		want     []string
	}{
		"a Container Linux Config": {
			"Flatcar reads Ignition 3 by default", delivery.FormatIgnition,
			[]plan.Snippet{snippet(delivery.FormatIgnitionV2, "systemd: {}")},
			[]string{"warning snippet it is left out"},
		},
		"another format": {
			"", delivery.FormatCloudInit,
			[]plan.Snippet{snippet(delivery.FormatTalos, "")},
			[]string{"warning snippet it is left out"},
		},
		"one of several": {
			"the config is for several systems", delivery.FormatCloudInit,
			[]plan.Snippet{snippet(delivery.FormatTalos, ""), snippet(delivery.FormatCloudInit, "")},
			nil,
		},
		"Butane": {"Ignition's language", delivery.FormatIgnition, []plan.Snippet{snippet(delivery.FormatButane, "")}, nil},
		"kubeadm.service": {
			"all templates for Flatcar have it", delivery.FormatIgnitionV2,
			[]plan.Snippet{snippet(delivery.FormatIgnitionV2, "systemd:\n  units:\n  - name: kubeadm.service\n")},
			[]string{"warning snippet no unit kubeadm.service"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			compare(t, tc.reason, habits.Check(plan.Job{Snippets: tc.snippets, Format: tc.format}), tc.want)
		})
	}
}

// TestFindingsQuoteNoText checks that text, which may be secret, is not in findings.
func TestFindingsQuoteNoText(t *testing.T) {
	secret := "hunter2"
	docs := append(pre("echo '"+secret+"' {{ ds.meta_data.x }}"), at("file", machine.File{
		Path: "/a", Content: document.Text(secret + " /run/kubeadm/" + secret), Secret: true,
	}))
	if got := habits.Check(plan.Job{Documents: docs}).String(); strings.Contains(got, secret) {
		t.Error(cmp.Diff("", got))
	}
}

// TestPage generates the table for users.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Habits from KubeadmConfig

These lines work in a KubeadmConfig of Cluster API, and fail or have no effect here. ` +
		"`machineadmctl validate`" + ` and the
condition of a config report each of them. In a command, most are errors, because the command would fail. A test
generates this page from the table in ` + "`domain/habits`" + `.

| text | what happens | what to write | source of its meaning |
|---|---|---|---|
`)
	for _, h := range habits.Habits() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", h.Name, h.Message, h.Remedy, h.Source)
	}
	b.WriteString(`
Each command has its own shell
([ADR 0084](adr/0084-each-command-has-its-own-shell.md)). A command that uses a variable of an earlier command is an
error. A warning reports a command that only changes its shell with ` + "`export`, `cd`, `set` or `umask`" + `.

No program replaces placeholders in the names, labels, addresses, arguments and kubelet configuration of a node. An
expression of Jinja there, a variable such as ` + "`${COREOS_EC2_INSTANCE_ID}`" + `, a mark such as ` +
		"`@@HOSTNAME@@`" + `, and a command in
an argument of kubelet, such as ` + "`$(hostname)`" + `, are errors that name the field for [facts](facts.md).

A warning reports a snippet in another format than the machine's if no snippet has the machine's format.
`)
	golden.File(t, "../../docs/habits.md", []byte(b.String()))
}
