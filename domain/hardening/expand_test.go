package hardening_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
)

func documents(values ...document.Value) []document.Document {
	var docs []document.Document
	for _, v := range values {
		docs = append(docs, document.Document{Value: v, Source: document.Source{Object: "o", Path: "spec"}})
		docs[len(docs)-1].Source.Path = docs[len(docs)-1].Source.Path.Field(string(v.Kind())).Index(len(docs) - 1)
	}
	return docs
}

func posix() osprofile.Target {
	return osprofile.Target{Profile: osprofile.Profile{Family: osprofile.FamilyDebian, Shell: osprofile.ShellPOSIX}}
}

// settings returns every setting that is set, one a line.
func settings(docs []document.Document) map[string]string {
	out := map[string]string{}
	for _, d := range docs {
		switch v := d.Value.(type) {
		case machine.SysctlConfig:
			for _, s := range v.Settings {
				out["sysctl "+s.Name] = s.Value
			}
		case machine.Command:
			out[v.Phase.String()] = v.Script
		case node.NodeConfig:
			tree("kubelet ", v.Kubelet.Config, out)
		case node.ControlPlaneConfig:
			args("apiserver ", v.APIServer.Args, out)
			args("manager ", v.ControllerManager.Args, out)
			args("scheduler ", v.Scheduler.Args, out)
			if v.LocalEtcd != nil {
				args("etcd ", v.LocalEtcd.Args, out)
			}
			if v.APIServer.Audit != nil {
				out["audit"] = string(v.APIServer.Audit.Policy)
			}
		}
	}
	return out
}

func tree(prefix string, t map[string]any, out map[string]string) {
	for k, v := range t {
		if inner, is := v.(map[string]any); is {
			tree(prefix+k+".", inner, out)
			continue
		}
		out[prefix+k] = fmt.Sprint(v)
	}
}

func args(prefix string, list []node.Arg, out map[string]string) {
	for _, a := range list {
		text, _ := a.Value.Static()
		out[prefix+a.Name] = string(text)
	}
}

// TestEverySettingIsApplied holds that a control plane machine has each setting of its profile, and a worker those of
// every node.
func TestEverySettingIsApplied(t *testing.T) {
	prefix := map[hardening.Part]string{
		hardening.PartSysctl: "sysctl ", hardening.PartKubelet: "kubelet ", hardening.PartAPIServer: "apiserver ",
		hardening.PartControllerManager: "manager ", hardening.PartScheduler: "scheduler ", hardening.PartEtcd: "etcd ",
	}
	for _, profile := range []hardening.Profile{hardening.CIS, hardening.STIG} {
		for _, role := range []node.Role{node.RoleInit, node.RoleControlPlane, node.RoleWorker} {
			docs, found := hardening.Expand(documents(hardening.Config{Profile: profile}, node.NodeConfig{Role: role}), posix())
			if len(found) > 0 {
				t.Fatal(found)
			}
			got := settings(docs)
			for _, a := range hardening.Settings() {
				_, given := got[prefix[a.Part]+a.Name]
				if a.Part == hardening.PartMode {
					given = strings.Contains(got["post"], "for f in "+a.Name+"; do [ ! -e \"$f\" ] || chmod "+a.Value.(string))
				}
				if a.Part == hardening.PartAudit {
					given = got["audit"] == a.Value
				}
				node := a.Part == hardening.PartSysctl || a.Part == hardening.PartKubelet || a.Part == hardening.PartMode
				if want := len(a.Checks(profile)) > 0 && (node || role.IsControlPlane()); given != want {
					t.Errorf("%s on a %s: %s %s is given: %v", profile, role, a.Part, a.Name, given)
				}
			}
		}
	}
}

func TestUserSettingsTakePrecedence(t *testing.T) {
	given := documents(
		machine.SysctlConfig{Settings: []machine.Sysctl{
			{Name: "kernel/panic", Value: "5"},
			{Name: "kernel.panic_on_oops", Value: "1"},
		}},
		node.NodeConfig{Role: node.RoleInit, Kubelet: node.Kubelet{Config: node.Tree{
			"readOnlyPort":   10255,
			"authentication": map[string]any{"webhook": map[string]any{"enabled": true}},
		}}},
		node.ControlPlaneConfig{
			APIServer: node.APIServer{Component: node.Component{Args: []node.Arg{{
				Name:  "request-timeout",
				Value: document.Text("1m"),
			}}}, Audit: &node.Audit{Policy: []byte("mine")}},
		},
		hardening.Config{Profile: hardening.STIG},
	)
	before := settings(given)
	docs, found := hardening.Expand(given, posix())
	got := settings(docs)
	want := map[string]string{
		"sysctl kernel/panic": "5", "kubelet readOnlyPort": "10255", "kubelet authentication.webhook.enabled": "true",
		"kubelet authentication.anonymous.enabled": "false", "apiserver request-timeout": "1m", "audit": "mine",
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
	warnings := strings.Split(strings.TrimSpace(found.String()), "\n")
	if len(warnings) != 4 || found.HasErrors() || !strings.Contains(found.String(),
		"kernel.panic is 5, which differs from the setting for the STIG checks CNTR-K8-001620") {
		t.Errorf("found %s", found)
	}
	if diff := cmp.Diff(before, settings(given)); diff != "" {
		t.Errorf("the given documents were changed: %s", diff)
	}
}

func TestEdges(t *testing.T) {
	cases := map[string]struct {
		reason string
		docs   []document.Document
		target osprofile.Target
		want   string
		absent string
	}{
		"unknown profile": {
			reason: "there are two", docs: documents(hardening.Config{Profile: "PCI"}), target: posix(),
			want: `"PCI" is not a profile`,
		},
		"two": {
			reason: "a machine has one profile", docs: documents(hardening.Config{Profile: hardening.CIS},
				hardening.Config{Profile: hardening.STIG}), target: posix(),
			want: "another HardeningConfig is at o: spec.HardeningConfig[0], and a machine has at most one",
		},
		"exception": {
			reason: "a check that nothing answers is a mistake",
			docs:   documents(hardening.Config{Profile: hardening.CIS, Except: []string{"9.9.9"}}), target: posix(),
			want: `the profile CIS has no check "9.9.9"; correct the ID, or remove it`,
		},
		"excepted": {
			reason: "what is excepted is not set",
			docs: documents(hardening.Config{Profile: hardening.CIS, Except: []string{"4.2.13"}},
				node.NodeConfig{Role: node.RoleWorker}), target: posix(), absent: "kubelet podPidsLimit",
		},
		"no shell": {
			reason: "what runs no command keeps its modes",
			docs:   documents(hardening.Config{Profile: hardening.CIS}, node.NodeConfig{Role: node.RoleWorker}),
			target: osprofile.Target{Profile: osprofile.Profile{Shell: osprofile.ShellNone}}, absent: "post",
		},
		"Windows": {
			reason: "Windows has no kernel parameters",
			docs:   documents(hardening.Config{Profile: hardening.STIG}, node.NodeConfig{Role: node.RoleWorker}),
			target: osprofile.Target{Profile: osprofile.Profile{Family: osprofile.FamilyWindows}}, absent: "sysctl kernel.panic",
		},
		"no node": {
			reason: "a machine that joins nothing has no kubelet",
			docs:   documents(hardening.Config{Profile: hardening.STIG}), target: posix(), absent: "kubelet readOnlyPort",
		},
		"external etcd": {
			reason: "an etcd elsewhere is not ours",
			docs: documents(hardening.Config{Profile: hardening.STIG}, node.NodeConfig{Role: node.RoleInit},
				node.ControlPlaneConfig{ExternalEtcd: &node.ExternalEtcd{}}), target: posix(), absent: "etcd auto-tls",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			docs, found := hardening.Expand(tc.docs, tc.target)
			if !strings.Contains(found.String(), tc.want) || (tc.want == "" && len(found) > 0) {
				t.Errorf("found %q, want %q: %s", found, tc.want, tc.reason)
			}
			if _, set := settings(docs)[tc.absent]; set {
				t.Errorf("%s is set: %s", tc.absent, tc.reason)
			}
		})
	}
}
