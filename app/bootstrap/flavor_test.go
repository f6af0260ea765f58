package bootstrap_test

import (
	"context"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
)

func TestJudge(t *testing.T) {
	talos, ubuntu := bootstrap.Evident{Name: "cp0", Distribution: "talos"}, bootstrap.Evident{
		Name:         "cp1",
		Distribution: "ubuntu",
	}
	cases := map[string]struct {
		reason   string
		evidence bootstrap.Evidence
		want     node.Flavor
		because  string
	}{
		"nothing": {
			reason: "a control plane that tells nothing looks like kubeadm's", want: node.FlavorKubeadm,
			because: "nothing says otherwise",
		},
		"kubeadm's": {
			reason: "its kind tells", evidence: bootstrap.Evidence{Provider: "KubeadmControlPlane"},
			want: node.FlavorKubeadm, because: "KubeadmControlPlane",
		},
		"Talos's": {
			reason: "its kind tells", evidence: bootstrap.Evidence{Provider: "TalosControlPlane"},
			want: node.FlavorTalos, because: "TalosControlPlane",
		},
		"somebody's": {
			reason:   "managed control planes are joined by kubeadm",
			evidence: bootstrap.Evidence{Provider: "KamajiControlPlane"}, want: node.FlavorKubeadm,
			because: "KamajiControlPlane",
		},
		"stand-alone": {
			reason:   "the oldest machine tells",
			evidence: bootstrap.Evidence{Machines: []bootstrap.Evident{talos, ubuntu}}, want: node.FlavorTalos,
			because: "its machine cp0 runs Talos Linux",
		},
		"the other way": {
			reason:   "the oldest machine tells",
			evidence: bootstrap.Evidence{Machines: []bootstrap.Evident{ubuntu, talos}}, want: node.FlavorKubeadm,
			because: "its machine cp1 runs Ubuntu",
		},
		"silent machine": {
			reason:   "a machine without a config tells nothing",
			evidence: bootstrap.Evidence{Machines: []bootstrap.Evident{{Name: "a"}, talos}}, want: node.FlavorTalos,
			because: "cp0",
		},
		"unknown system": {
			reason:   "an operating system that nobody knows tells nothing",
			evidence: bootstrap.Evidence{Machines: []bootstrap.Evident{{Name: "a", Distribution: "beos"}, talos}},
			want:     node.FlavorTalos, because: "cp0",
		},
		"others' machine": {
			reason:   "machines of other providers tell by their configs' kind",
			evidence: bootstrap.Evidence{Machines: []bootstrap.Evident{{Name: "a", Config: "TalosConfig"}, ubuntu}},
			want:     node.FlavorTalos, because: "its machine a is described by a TalosConfig",
		},
		"setting": {
			reason: "the setting goes before everything",
			evidence: bootstrap.Evidence{
				Setting: "Talos", Provider: "KubeadmControlPlane",
				Machines: []bootstrap.Evident{ubuntu},
			},
			want: node.FlavorTalos, because: "the annotation bootstrap.machineadm.io/control-plane-flavor says so",
		},
		"provider": {
			reason:   "a control plane object goes before its machines",
			evidence: bootstrap.Evidence{Provider: "KubeadmControlPlane", Machines: []bootstrap.Evident{talos}},
			want:     node.FlavorKubeadm, because: "KubeadmControlPlane",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := bootstrap.Judge(tc.evidence)
			if got.Flavor != tc.want || !strings.Contains(got.Because, tc.because) || got.Problem != "" {
				t.Errorf("%+v, want %s because %q: %s", got, tc.want, tc.because, tc.reason)
			}
		})
	}
}

func TestJudgeRefusesASetting(t *testing.T) {
	for _, setting := range []string{"talos", "K3s", " Talos", "Kubeadm\n"} {
		got := bootstrap.Judge(bootstrap.Evidence{Setting: setting})
		for _, want := range []string{"control-plane-flavor", "Kubeadm or Talos"} {
			if !strings.Contains(got.Problem, want) {
				t.Errorf("%q: problem %q does not name %q", setting, got.Problem, want)
			}
		}
	}
}

// on puts the request's machine onto an operating system.
func on(id string) func(*bootstrap.Request) {
	return func(r *bootstrap.Request) {
		r.Describe = func(context.Context) (bootstrap.Description, error) {
			profile, _ := osprofile.Lookup(id)
			return bootstrap.Description{Target: osprofile.Target{Profile: profile}, Format: delivery.FormatIgnition}, nil
		}
	}
}

func of(f node.Flavor) func(*bootstrap.Request) {
	return func(r *bootstrap.Request) {
		r.Cluster.ControlPlane = bootstrap.ControlPlane{Flavor: f, Because: "this test says so"}
	}
}

// TestEachSystemJoinsOneFlavor goes through all operating systems and flavors, for workers and control plane machines.
func TestEachSystemJoinsOneFlavor(t *testing.T) {
	for _, profile := range osprofile.Builtin() {
		for _, flavor := range node.Flavors() {
			for name, role := range map[string]func(*bootstrap.Request){
				"worker":        func(*bootstrap.Request) {},
				"control plane": controlPlane,
			} {
				w := newWorld()
				w.talos.Assume = true
				outcome := w.produce(t, request(on(profile.ID), of(flavor), role))
				fits := (profile.ID == "talos") == (flavor == node.FlavorTalos)
				if want := map[bool]string{true: "ready", false: "stalled InvalidSpec"}[fits]; summary(outcome) != want {
					t.Errorf("%s on %s in a cluster of %s: %s, want %s", name, profile.ID, flavor, summary(outcome), want)
				}
			}
		}
	}
}

// TestMixSaysWhyAndWhatToDo holds the messages to what a person needs.
func TestMixSaysWhyAndWhatToDo(t *testing.T) {
	for id, tc := range map[string]struct {
		flavor node.Flavor
		want   []string
	}{
		"talos": {node.FlavorKubeadm, []string{
			"spec.os: Talos Linux cannot", "Kubeadm (this test says so)", "trustd",
			"choose an operating system other than talos", "control-plane-flavor",
		}},
		"flatcar": {node.FlavorTalos, []string{
			"spec.os: Flatcar", "Talos (this test says so)",
			"cluster-info and kubeadm-config", "choose the operating system talos", "control-plane-flavor",
		}},
	} {
		stalled, _ := newWorld().produce(t, request(on(id), of(tc.flavor))).(bootstrap.Stalled)
		for _, want := range tc.want {
			if !strings.Contains(stalled.Message, want) {
				t.Errorf("%s: %q does not say %q", id, stalled.Message, want)
			}
		}
		if len(stalled.Findings) != 1 || stalled.Findings[0].Path != "spec.os" {
			t.Errorf("%s: findings %v", id, stalled.Findings)
		}
	}
}

func TestMixReleasesTheLock(t *testing.T) {
	w := newWorld()
	w.produce(t, request(controlPlane, uninitialized, on("talos"), of(node.FlavorKubeadm)))
	if holder := w.lock.Holder(clusterKey); holder != "" {
		t.Errorf("%s holds the lock", holder)
	}
}

func TestWrongSettingIsSaid(t *testing.T) {
	o := newWorld().produce(t, request(func(r *bootstrap.Request) {
		r.Cluster.ControlPlane = bootstrap.Judge(bootstrap.Evidence{Setting: "Tallos"})
	}))
	if summary(o) != "stalled InvalidControlPlaneFlavor" {
		t.Errorf("outcome %s", summary(o))
	}
}
