package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/preflight"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// kinds expands each document of its kinds to a fixed operation.
type kinds map[document.Kind]action.Operation

func (k kinds) Describe() ports.Capability {
	c := ports.Capability{Name: "kinds"}
	for kind := range k {
		c.Kinds = append(c.Kinds, kind)
	}
	return c
}

func (k kinds) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	return action.During(document.PhaseFile, k[e.Document.Kind()]), nil, nil
}

func joins(role node.Role) node.NodeConfig {
	return node.NodeConfig{Role: role, KubernetesVersion: "v1.33.1", Discovery: &node.Discovery{
		APIServerEndpoint: "10.0.0.1:6443", Token: secret.FromString("abcdef.0123456789abcdef"),
		CACertHashes: []string{"sha256:" + strings.Repeat("0", 64)},
	}}
}

func on(socket string) node.NodeConfig {
	n := joins(node.RoleWorker)
	n.Registration.CRISocket = socket
	return n
}

func enables(unit, content string) action.EnsureUnit {
	yes := true
	return action.EnsureUnit{Unit: machine.Unit{Name: unit, Content: document.Text(content), Enabled: &yes}}
}

func TestPreflightRequirements(t *testing.T) {
	fetched := action.FetchFile{Path: "/usr/local/bin/kubeadm", SHA256: strings.Repeat("0", 64)}
	room := map[string]int{"/var": 2048}
	cases := map[string]struct {
		reason string
		docs   []document.Value
		with   kinds
		want   preflight.Requirements
	}{
		"no node": {
			reason: "the programs of the operations alone", docs: []document.Value{machine.User{Name: "ada"}},
			with: kinds{machine.KindUser: action.EnsureUser{}}, want: preflight.Requirements{Programs: []string{
				"chpasswd", "useradd",
				"usermod",
			}, FreeMiB: map[string]int{}},
		},
		"worker": {
			reason: "the image has everything; kubeadm detects its runtime", docs: []document.Value{joins(node.RoleWorker)},
			with: kinds{node.KindNode: action.RunCommand{}},
			want: preflight.Requirements{
				Programs: []string{"kubeadm", "kubelet", "sh"}, Ports: []int{10250}, NoSwap: true,
				FreeMiB: room,
			},
		},
		"control plane, with swap": {
			reason: "more ports, and swap that the configuration makes", docs: []document.Value{
				joins(node.RoleControlPlane),
				machine.Swap{Device: "/dev/b"},
			},
			with: kinds{node.KindNode: action.WriteFile{}, machine.KindSwap: action.EnableSwap{}},
			want: preflight.Requirements{
				Programs: []string{"dd", "kubeadm", "kubelet", "mkswap", "swapon"},
				Ports:    []int{10250, 6443, 10257, 10259, 2379, 2380}, FreeMiB: room,
			},
		},
		"brought": {
			reason: "what steps bring needs not be there", docs: []document.Value{
				joins(node.RoleWorker),
				machine.PackagesConfig{Install: []string{"x"}},
				machine.SysctlConfig{},
			},
			with: kinds{
				node.KindNode:      action.WriteFile{},
				machine.KindSysctl: fetched,
				machine.KindPackages: action.InstallPackages{PackagesConfig: machine.PackagesConfig{
					Install: []string{"containerd.io", "kubelet=1.33.1-*"},
				}},
			},
			want: preflight.Requirements{Programs: []string{}, Ports: []int{10250}, NoSwap: true, FreeMiB: room},
		},
		"unit": {
			reason: "systemctl does not enable a unit that does not exist", docs: []document.Value{machine.SysctlConfig{}},
			with: kinds{machine.KindSysctl: enables("app.service", "")},
			want: preflight.Requirements{
				Programs: []string{"systemctl"}, Units: []string{"app.service"}, FreeMiB: map[string]int{},
			},
		},
		"masked unit": {
			reason: "systemctl masks any name", docs: []document.Value{machine.SysctlConfig{}},
			with: kinds{machine.KindSysctl: action.EnsureUnit{Unit: machine.Unit{Name: "app.service", Masked: true}}},
			want: preflight.Requirements{Programs: []string{"systemctl"}, FreeMiB: map[string]int{}},
		},
		"unit with its content": {
			reason: "the step writes its file", docs: []document.Value{machine.SysctlConfig{}},
			with: kinds{machine.KindSysctl: enables("app.service", "[Service]")},
			want: preflight.Requirements{Programs: []string{"systemctl"}, FreeMiB: map[string]int{}},
		},
		"instance of a unit": {
			reason: "another step writes the template", docs: []document.Value{
				machine.SysctlConfig{},
				machine.Swap{Device: "/dev/b"},
			},
			with: kinds{
				machine.KindSysctl: enables("app@one.service", ""),
				machine.KindSwap:   action.WriteFile{File: machine.File{Path: "/usr/lib/systemd/system/app@.service"}},
			},
			want: preflight.Requirements{Programs: []string{"systemctl"}, FreeMiB: map[string]int{}},
		},
		"unit of a package": {
			reason: "units of packages are not known before they are installed",
			docs:   []document.Value{machine.SysctlConfig{}, machine.PackagesConfig{Install: []string{"x"}}},
			with: kinds{
				machine.KindSysctl:   enables("app.service", ""),
				machine.KindPackages: action.InstallPackages{PackagesConfig: machine.PackagesConfig{Install: []string{"x"}}},
			},
			want: preflight.Requirements{Programs: []string{"systemctl"}, FreeMiB: map[string]int{}},
		},
		"another runtime": {
			reason: "the one that is configured", docs: []document.Value{joins(node.RoleWorker), machine.CRIOConfig{}},
			with: kinds{node.KindNode: action.WriteFile{}, machine.KindCRIO: action.WriteFile{}},
			want: preflight.Requirements{
				Programs: []string{"crio", "kubeadm", "kubelet"}, Ports: []int{10250}, NoSwap: true,
				FreeMiB: room,
			},
		},
		"its socket": {
			reason: "a socket that is named wins", docs: []document.Value{
				on("unix:///run/containerd/containerd.sock"),
				machine.CRIOConfig{},
			},
			with: kinds{node.KindNode: action.WriteFile{}, machine.KindCRIO: action.WriteFile{}},
			want: preflight.Requirements{
				Programs: []string{"containerd", "kubeadm", "kubelet"}, Ports: []int{10250}, NoSwap: true,
				FreeMiB: room,
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(codec{"c": c.docs})
			looked := &memory.Preflight{}
			s, err := agent.New(agent.Dependencies{
				Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
				Expanders: []ports.Expander{c.with}, Preflight: looked,
			})
			if err != nil {
				t.Fatal(err)
			}
			p, _, err := s.Check(t.Context(), agent.Request{Data: []byte("c")})
			if err != nil || p.Findings.HasErrors() {
				t.Fatal(err, p.Findings)
			}
			if diff := cmp.Diff([]preflight.Requirements{c.want}, looked.Requests); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

// TestCompleteMachineUsesItsPorts verifies that the ports of the node itself are not reported as occupied.
func TestCompleteMachineUsesItsPorts(t *testing.T) {
	w := newWorld(codec{"c": {joins(node.RoleWorker)}})
	looked := &memory.Preflight{
		Programs: []string{"containerd", "kubeadm", "kubelet", "sh"},
		Used:     []int{10250}, FreeMiB: 4096,
	}
	s, err := agent.New(agent.Dependencies{
		Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
		Expanders: []ports.Expander{kinds{node.KindNode: action.WriteFile{File: machine.File{Path: "/a"}}}},
		Preflight: looked,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := agent.Request{Data: []byte("c")}
	if _, problems, err := s.Check(t.Context(), r); err != nil || len(problems) != 1 || problems[0].Name != "Port-10250" {
		t.Errorf("before: %v, %v", problems, err)
	}
	if _, _, err := s.Apply(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if _, problems, err := s.Check(t.Context(), r); err != nil || len(problems) > 0 {
		t.Errorf("after: %v, %v", problems, err)
	}
}

// early is a world whose clock was never set.
type early struct{ *world }

func (early) Now() time.Time { return time.Unix(0, 0) }

func TestClockThatWasNeverSet(t *testing.T) {
	w := newWorld(codec{"c": {joins(node.RoleWorker)}})
	s, err := agent.New(agent.Dependencies{
		Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: early{w}, Publisher: w,
		Expanders: []ports.Expander{kinds{node.KindNode: action.WriteFile{}}},
		Preflight: &memory.Preflight{Programs: []string{"containerd", "kubeadm", "kubelet"}, FreeMiB: 4096},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, problems, err := s.Check(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil || len(problems) != 1 || problems[0].Name != preflight.Clock ||
		!strings.Contains(problems[0].Message, "1970") {
		t.Errorf("got %v, error %v", problems, err)
	}
}
