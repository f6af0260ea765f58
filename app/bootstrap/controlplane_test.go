package bootstrap_test

import (
	"context"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

func TestDetectControlPlane(t *testing.T) {
	talos, ubuntu := ports.MachineEvidence{Name: "cp0", Distribution: "talos"}, ports.MachineEvidence{
		Name:         "cp1",
		Distribution: "ubuntu",
	}
	cases := map[string]struct {
		reason   string
		evidence ports.ControlPlaneEvidence
		want     node.ControlPlaneType
		because  string
	}{
		"nothing": {
			reason: "a control plane without evidence is taken for kubeadm's", want: node.ControlPlaneKubeadm,
			because: "this is the default",
		},
		"kubeadm's": {
			reason: "its kind determines it", evidence: ports.ControlPlaneEvidence{Provider: "KubeadmControlPlane"},
			want: node.ControlPlaneKubeadm, because: "KubeadmControlPlane",
		},
		"Talos's": {
			reason: "its kind determines it", evidence: ports.ControlPlaneEvidence{Provider: "TalosControlPlane"},
			want: node.ControlPlaneTalos, because: "TalosControlPlane",
		},
		"unknown kind": {
			reason:   "managed control planes are joined by kubeadm",
			evidence: ports.ControlPlaneEvidence{Provider: "KamajiControlPlane"}, want: node.ControlPlaneKubeadm,
			because: "KamajiControlPlane",
		},
		"another distribution's": {
			reason:   "its control plane has a join protocol of its own",
			evidence: ports.ControlPlaneEvidence{Provider: "RKE2ControlPlane"}, want: node.ControlPlaneForeign,
			because: "RKE2ControlPlane",
		},
		"another distribution's machine": {
			reason:   "the kind of the config is evidence about machines of other providers",
			evidence: ports.ControlPlaneEvidence{Machines: []ports.MachineEvidence{{Name: "a", Config: "KThreesConfig"}}},
			want:     node.ControlPlaneForeign, because: "its machine a has a KThreesConfig",
		},
		"another distribution's with the setting": {
			reason:   "the setting goes before everything",
			evidence: ports.ControlPlaneEvidence{Setting: "Kubeadm", Provider: "K0smotronControlPlane"},
			want:     node.ControlPlaneKubeadm, because: "the annotation",
		},
		"no provider": {
			reason:   "the oldest machine determines it",
			evidence: ports.ControlPlaneEvidence{Machines: []ports.MachineEvidence{talos, ubuntu}}, want: node.ControlPlaneTalos,
			because: "its machine cp0 runs Talos Linux",
		},
		"the other way": {
			reason:   "the oldest machine determines it",
			evidence: ports.ControlPlaneEvidence{Machines: []ports.MachineEvidence{ubuntu, talos}},
			want:     node.ControlPlaneKubeadm,
			because:  "its machine cp1 runs Ubuntu",
		},
		"silent machine": {
			reason:   "a machine without a config is no evidence",
			evidence: ports.ControlPlaneEvidence{Machines: []ports.MachineEvidence{{Name: "a"}, talos}},
			want:     node.ControlPlaneTalos,
			because:  "cp0",
		},
		"unknown system": {
			reason:   "an unknown operating system is no evidence",
			evidence: ports.ControlPlaneEvidence{Machines: []ports.MachineEvidence{{Name: "a", Distribution: "beos"}, talos}},
			want:     node.ControlPlaneTalos, because: "cp0",
		},
		"others' machine": {
			reason:   "the kind of the config is evidence about machines of other providers",
			evidence: ports.ControlPlaneEvidence{Machines: []ports.MachineEvidence{{Name: "a", Config: "TalosConfig"}, ubuntu}},
			want:     node.ControlPlaneTalos, because: "its machine a has a TalosConfig",
		},
		"setting": {
			reason: "the setting goes before everything",
			evidence: ports.ControlPlaneEvidence{
				Setting: "Talos", Provider: "KubeadmControlPlane",
				Machines: []ports.MachineEvidence{ubuntu},
			},
			want: node.ControlPlaneTalos, because: "the annotation bootstrap.machineadm.io/control-plane-type sets it",
		},
		"provider": {
			reason:   "a control plane object goes before its machines",
			evidence: ports.ControlPlaneEvidence{Provider: "KubeadmControlPlane", Machines: []ports.MachineEvidence{talos}},
			want:     node.ControlPlaneKubeadm, because: "KubeadmControlPlane",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := bootstrap.DetectControlPlane(tc.evidence)
			if got.Type != tc.want || !strings.Contains(got.Because, tc.because) || got.Problem != "" {
				t.Errorf("%+v, want %s because %q: %s", got, tc.want, tc.because, tc.reason)
			}
		})
	}
}

func TestInvalidControlPlaneSetting(t *testing.T) {
	for _, setting := range []string{"talos", "K3s", " Talos", "Kubeadm\n"} {
		got := bootstrap.DetectControlPlane(ports.ControlPlaneEvidence{Setting: setting})
		for _, want := range []string{"control-plane-type", "Kubeadm or Talos"} {
			if !strings.Contains(got.Problem, want) {
				t.Errorf("%q: problem %q does not name %q", setting, got.Problem, want)
			}
		}
	}
}

// on puts the request's machine onto an operating system.
func on(id string) func(*bootstrap.Request) {
	return func(r *bootstrap.Request) {
		r.Describe = func(context.Context) (composition.Description, error) {
			profile, _ := osprofile.Lookup(id)
			job := plan.Job{Target: osprofile.Target{Profile: profile}, Format: delivery.FormatIgnition}
			return composition.Description{Job: job}, nil
		}
	}
}

func of(f node.ControlPlaneType) func(*bootstrap.Request) {
	return func(r *bootstrap.Request) {
		r.Cluster.ControlPlane = ports.ControlPlaneEvidence{Setting: string(f)}
	}
}

// TestEachSystemJoinsOneType goes through all operating systems and control plane types, for workers and control plane
// machines.
func TestEachSystemJoinsOneType(t *testing.T) {
	for _, profile := range osprofile.Builtin() {
		for _, flavor := range node.ControlPlaneTypes() {
			for name, role := range map[string]func(*bootstrap.Request){
				"worker":        func(*bootstrap.Request) {},
				"control plane": controlPlane,
			} {
				w := newWorld()
				w.talos.Assume = true
				outcome := w.produce(t, request(on(profile.ID), of(flavor), role))
				fits := (profile.ID == "talos") == (flavor == node.ControlPlaneTalos)
				if want := map[bool]string{true: "ready", false: "stalled InvalidSpec"}[fits]; summary(outcome) != want {
					t.Errorf("%s on %s in a cluster of %s: %s, want %s", name, profile.ID, flavor, summary(outcome), want)
				}
			}
		}
	}
}

// TestMixedControlPlaneTypesNameTheRemedy holds the messages to what a person needs.
func TestMixedControlPlaneTypesNameTheRemedy(t *testing.T) {
	for id, tc := range map[string]struct {
		flavor node.ControlPlaneType
		want   []string
	}{
		"talos": {node.ControlPlaneKubeadm, []string{
			"spec.os: Talos Linux cannot", "Kubeadm (the annotation ", "trustd",
			"choose an operating system other than talos", "control-plane-type",
		}},
		"flatcar": {node.ControlPlaneTalos, []string{
			"spec.os: Flatcar", "Talos (the annotation ",
			"cluster-info and kubeadm-config", "choose the operating system talos", "control-plane-type",
		}},
	} {
		stalled, _ := as[bootstrap.StalledError](newWorld().produce(t, request(on(id), of(tc.flavor))))
		for _, want := range tc.want {
			if !strings.Contains(stalled.Message, want) {
				t.Errorf("%s: %q does not contain %q", id, stalled.Message, want)
			}
		}
		if len(stalled.Findings) != 1 || stalled.Findings[0].Path != "spec.os" {
			t.Errorf("%s: findings %v", id, stalled.Findings)
		}
	}
}

// TestForeignControlPlanesAreRefused goes through all kinds of control planes that kubeadm cannot join.
func TestForeignControlPlanesAreRefused(t *testing.T) {
	for _, c := range node.ForeignControlPlanes() {
		for _, kind := range c.Kinds {
			r := request(on("ubuntu"), func(r *bootstrap.Request) {
				r.Cluster.ControlPlane = ports.ControlPlaneEvidence{Provider: kind}
			})
			stalled, _ := as[bootstrap.StalledError](newWorld().produce(t, r))
			for _, want := range []string{"spec: ", c.Name, kind, c.Remedy, "control-plane-type: Kubeadm"} {
				if !strings.Contains(stalled.Message, want) {
					t.Errorf("%s: %q does not contain %q", kind, stalled.Message, want)
				}
			}
		}
	}
}

func TestMixedControlPlaneTypesReleaseTheLock(t *testing.T) {
	w := newWorld()
	w.produce(t, request(controlPlane, uninitialized, on("talos"), of(node.ControlPlaneKubeadm)))
	if holder := w.lock.Holder(clusterKey); holder != "" {
		t.Errorf("%s holds the lock", holder)
	}
}

func TestInvalidControlPlaneTypeIsReported(t *testing.T) {
	o := newWorld().produce(t, request(func(r *bootstrap.Request) {
		r.Cluster.ControlPlane = ports.ControlPlaneEvidence{Setting: "Tallos"}
	}))
	if summary(o) != "stalled InvalidControlPlaneType" {
		t.Errorf("outcome %s", summary(o))
	}
}
