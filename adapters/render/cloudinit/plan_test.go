package cloudinit_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// debian returns the part of a profile that the renderer uses.
func debian() osprofile.Target {
	return osprofile.Target{Profile: osprofile.Profile{
		ID: "debian", Name: "Debian", Family: osprofile.FamilyDebian, PackageManager: osprofile.PackageManagerAPT,
	}}
}

// planOf returns the plan of the actions. Each comes from a separate document at steps[i].
func planOf(actions ...action.Action) plan.Plan {
	docs := make([]document.Document, len(actions))
	expansions := make([]plan.Expansion, len(actions))
	for i, a := range actions {
		docs[i] = document.Document{Source: document.Source{Path: report.Path(fmt.Sprintf("steps[%d]", i))}}
		expansions[i].Actions = []action.Action{a}
	}
	return plan.New(debian(), docs, expansions)
}

// userdata contains the fields that the renderer may write. Any other field is an error.
type userdata struct {
	Bootcmd    []any       `yaml:"bootcmd"`
	WriteFiles []writeFile `yaml:"write_files"`
	Groups     []string    `yaml:"groups"`
	Users      []yamlUser  `yaml:"users"`
	Runcmd     []any       `yaml:"runcmd"`
}

// privateDir is where private files are written until runcmd installs them.
const privateDir = "/root/.machineadm"

type writeFile struct {
	Path        string `yaml:"path"`
	Permissions string `yaml:"permissions"`
	Owner       string `yaml:"owner"`
	Append      bool   `yaml:"append"`
	Defer       bool   `yaml:"defer"`
	Encoding    string `yaml:"encoding"`
	Content     string `yaml:"content"`
}

type yamlUser struct {
	Name              string   `yaml:"name"`
	Gecos             string   `yaml:"gecos"`
	PrimaryGroup      string   `yaml:"primary_group"`
	Homedir           string   `yaml:"homedir"`
	Shell             string   `yaml:"shell"`
	Sudo              string   `yaml:"sudo"`
	HashedPasswd      string   `yaml:"hashed_passwd"`
	UID               *int     `yaml:"uid"`
	Groups            []string `yaml:"groups"`
	NoCreateHome      bool     `yaml:"no_create_home"`
	System            bool     `yaml:"system"`
	LockPasswd        *bool    `yaml:"lock_passwd"`
	Expiredate        string   `yaml:"expiredate"`
	SSHAuthorizedKeys []string `yaml:"ssh_authorized_keys"`
}

// render renders the plan and fails the test on any finding.
func render(t testing.TB, p plan.Plan) ports.Rendering {
	t.Helper()
	rendering, findings, err := cloudinit.Renderer{}.Render(t.Context(), p)
	if err != nil || len(findings) > 0 {
		t.Fatalf("error %v, findings:\n%s", err, findings)
	}
	return rendering
}

// renderWarned renders the plan and ignores findings.
func renderWarned(t *testing.T, p plan.Plan) []byte {
	t.Helper()
	rendering, _, err := cloudinit.Renderer{}.Render(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return rendering.Payload.Data.Reveal()
}

// findingsOf renders the plan and returns the findings.
func findingsOf(t *testing.T, p plan.Plan) report.Report {
	t.Helper()
	rendering, findings, err := cloudinit.Renderer{}.Render(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if findings.HasErrors() != rendering.Payload.Data.IsZero() {
		t.Fatalf("error findings %t, but payload of %d bytes", findings.HasErrors(), rendering.Payload.Data.Len())
	}
	return findings
}

func file(path, content string) action.Action {
	return fileOf(machine.File{Path: path, Content: document.Text(content)})
}

func fileOf(f machine.File) action.Action { return action.Action{Do: action.WriteFile{File: f}} }

func run(phase document.Phase, script string) action.Action {
	return action.Action{Do: action.RunCommand{Name: "command", Script: script, When: phase}}
}

// worker returns the plan of a typical worker.
func worker() plan.Plan {
	enabled := true
	return planOf(
		action.Action{Do: action.EnsureUser{User: machine.User{
			Name: "admin", Groups: []string{"sudo"}, Sudo: "ALL=(ALL) NOPASSWD:ALL",
			SSHAuthorizedKeys: []string{"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw " +
				"admin@example.org"},
		}}},
		file("/etc/modules-load.d/90-kubernetes.conf", "overlay\nbr_netfilter\n"),
		file("/etc/sysctl.d/90-kubernetes.conf", "net.ipv4.ip_forward = 1\nnet.bridge.bridge-nf-call-iptables = 1\n"),
		file("/etc/containerd/config.toml", "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\"]\n  sandbox_image = "+
			"\"registry.example.org/pause:3.10\"\n"),
		action.Action{Do: action.EnsureUnit{
			Unit:      machine.Unit{Name: "containerd.service", Enabled: &enabled},
			RestartOn: []document.Kind{machine.KindContainerd},
		}},
		run(document.PhasePre, "swapoff -a"),
		action.Action{Phase: document.PhaseJoin, Do: action.WriteFile{File: machine.File{
			Path: "/etc/machineadm/kubeadm.yaml", Secret: true,
			Content: document.Text("apiVersion: kubeadm.k8s.io/v1beta4\nkind: " +
				"JoinConfiguration\ndiscovery:\n  bootstrapToken:\n" +
				"    apiServerEndpoint: 10.0.0.1:6443\n    token: abcdef.canary7q9zk2xw5v\n    caCertHashes:\n    - sha256:" +
				"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nnodeRegistration:\n  kubeletExtraArgs:\n" +
				"  - name: cloud-provider\n    value: external\n"),
		}}},
		run(document.PhaseJoin, "kubeadm join --config /etc/machineadm/kubeadm.yaml&&rm -rf /etc/machineadm/kubeadm.yaml"),
	)
}

func indexOf(files []writeFile, path string) int {
	return slices.IndexFunc(files, func(f writeFile) bool { return f.Path == path })
}

func BenchmarkWorker(b *testing.B) {
	p := worker()
	b.ReportAllocs()
	for b.Loop() {
		rendering, _, err := cloudinit.Renderer{}.Render(b.Context(), p)
		if err != nil || rendering.Payload.Data.IsZero() {
			b.Fatal("no payload")
		}
	}
}
