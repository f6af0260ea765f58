package osprofile_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
)

func TestRuntime(t *testing.T) {
	containerd, crio, other := machine.ContainerdConfig{}, machine.CRIOConfig{}, machine.SysctlConfig{}
	cases := map[string]struct {
		reason, id string
		docs       []document.Value
		want       osprofile.ContainerRuntime
	}{
		"the profile's": {
			reason: "nothing is configured", id: "fedora-coreos", docs: []document.Value{other},
			want: osprofile.RuntimeCRIO,
		},
		"the configured one": {
			reason: "who configures it wants it used", id: "fedora-coreos",
			docs: []document.Value{other, containerd}, want: osprofile.RuntimeContainerd,
		},
		"the node's endpoint": {
			reason: "kubelet uses it, whatever is configured", id: "flatcar",
			docs: []document.Value{containerd, node.NodeConfig{
				Registration: node.Registration{CRISocket: "unix:///var/run/crio/crio.sock"},
			}},
			want: osprofile.RuntimeCRIO,
		},
		"the endpoint of another runtime": {
			reason: "its name does not show the runtime", id: "ubuntu",
			docs: []document.Value{node.NodeConfig{Registration: node.Registration{CRISocket: "unix:///run/own.sock"}}},
			want: osprofile.RuntimeContainerd,
		},
		"the other one": {
			reason: "the same the other way round", id: "ubuntu", docs: []document.Value{crio, other},
			want: osprofile.RuntimeCRIO,
		},
		"two of one": {
			reason: "a mistake that others find", id: "ubuntu", docs: []document.Value{crio, crio},
			want: osprofile.RuntimeCRIO,
		},
		"both": {
			reason: "the machine has its own", id: "ubuntu", docs: []document.Value{crio, containerd},
			want: osprofile.RuntimeContainerd,
		},
		"both, CoreOS": {
			reason: "the order counts nothing", id: "fedora-coreos",
			docs: []document.Value{crio, containerd}, want: osprofile.RuntimeCRIO,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var docs []document.Document
			for _, v := range tc.docs {
				docs = append(docs, document.Document{Value: v})
			}
			if got := target(t, tc.id, "").Runtime(docs); got != tc.want {
				t.Errorf("%s: got %s, want %s", tc.reason, got, tc.want)
			}
		})
	}
}

func TestOnlyTheMachineKnowsTheRuntimeOfManyImages(t *testing.T) {
	for id, want := range map[string]osprofile.ContainerRuntime{
		"ubuntu": "", "debian": "", "rocky": "", "photon": "", "sle-micro": "", "flatcar": osprofile.RuntimeContainerd,
		"fedora-coreos": osprofile.RuntimeCRIO, "windows-server-2022": osprofile.RuntimeContainerd,
	} {
		if got := target(t, id, "").KnownRuntime(nil); got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
}

func TestRuntimeBehind(t *testing.T) {
	for socket, want := range map[string]osprofile.ContainerRuntime{
		"unix:///run/containerd/containerd.sock": osprofile.RuntimeContainerd,
		"unix:///var/run/crio/crio.sock":         osprofile.RuntimeCRIO,
		"npipe:////./pipe/containerd-containerd": osprofile.RuntimeContainerd, "unix:///run/own.sock": "", "": "",
	} {
		if got := osprofile.RuntimeBehind(socket); got != want {
			t.Errorf("%q is %q's, want %q", socket, got, want)
		}
	}
}
