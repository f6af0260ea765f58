package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

// TestRuntime holds kubelet's socket to the runtime that is configured.
func TestRuntime(t *testing.T) {
	const (
		containerd = "unix:///run/containerd/containerd.sock"
		crio       = "unix:///var/run/crio/crio.sock"
		pipe       = "npipe:////./pipe/containerd-containerd"
		idle       = "warning: doc.registration.criSocket: kubelet uses %, so that it does not see the " +
			"settings of $ at other; " +
			"leave these out, or set the socket that kubelet uses here"
	)
	idleCRIO, idleContainerd := strings.NewReplacer("%", "containerd", "$", "crio"), strings.NewReplacer("%", "crio",
		"$", "containerd")
	cases := map[string]struct {
		reason, system string
		// given is the node's field, argument the value of kubelet's argument, config that of kubelet's configuration.
		given, argument, config string
		others                  []document.Value
		want, found             string
	}{
		"Ubuntu's":  {reason: "the image determines the runtime, so that kubeadm detects it", system: "ubuntu"},
		"Flatcar's": {reason: "its image contains containerd", system: "flatcar", want: containerd},
		"kubelet's argument": {
			reason: "it is the node's endpoint, too", system: "flatcar", argument: crio, want: crio,
		},
		"kubelet's argument without a scheme": {
			reason: "kubelet accepts a path", system: "ubuntu", argument: "/var/run/crio/crio.sock", want: crio,
		},
		"kubelet's argument, past the settings": {
			reason: "kubelet does not use containerd", system: "ubuntu", argument: crio,
			others: []document.Value{machine.ContainerdConfig{}}, want: crio, found: idleContainerd.Replace(idle),
		},
		"the field and the argument": {
			reason: "they contradict", system: "ubuntu", given: containerd, argument: crio,
			found: "error: doc.kubelet.extraArgs[0]: the node's field criSocket sets the argument " +
				"container-runtime-endpoint, too; keep one of them",
		},
		"Fedora CoreOS's": {reason: "its extension brings CRI-O", system: "fedora-coreos", want: crio},
		"Windows's": {
			reason: "a named pipe", system: "windows-server-2022",
			others: []document.Value{machine.ContainerdConfig{}}, want: pipe,
		},
		"configured, same": {
			reason: "no news", system: "ubuntu", others: []document.Value{machine.ContainerdConfig{}},
			want: containerd,
		},
		"containerd, CoreOS": {
			reason: "mirrors would have no effect otherwise", system: "fedora-coreos",
			others: []document.Value{machine.ContainerdConfig{}}, want: containerd,
		},
		"CRI-O, Ubuntu": {
			reason: "the same the other way round", system: "ubuntu",
			others: []document.Value{machine.CRIOConfig{}}, want: crio,
		},
		"a plane besides": {
			reason: "other kinds do not set it", system: "ubuntu",
			others: []document.Value{node.ControlPlaneConfig{}, machine.CRIOConfig{}}, want: crio,
		},
		"both, Ubuntu": {
			reason: "the system's, and a word about the other", system: "ubuntu",
			others: []document.Value{machine.ContainerdConfig{}, machine.CRIOConfig{}}, want: containerd,
			found: idleCRIO.Replace(idle),
		},
		"both, CoreOS": {
			reason: "the same elsewhere", system: "fedora-coreos",
			others: []document.Value{machine.ContainerdConfig{}, machine.CRIOConfig{}}, want: crio,
			found: idleContainerd.Replace(idle),
		},
		"a socket of its own": {
			reason: "the field wins, without a finding", system: "ubuntu", given: crio,
			others: []document.Value{machine.CRIOConfig{}}, want: crio,
		},
		"past the settings": {
			reason: "the socket is another's", system: "fedora-coreos", given: crio,
			others: []document.Value{machine.ContainerdConfig{}}, want: crio, found: idleContainerd.Replace(idle),
		},
		"kubelet's configuration": {
			reason: "kubeadm would detect another one, and pass it to kubelet", system: "ubuntu",
			config: "/var/run/crio/crio.sock", want: crio,
		},
		"the same twice": {reason: "both agree", system: "ubuntu", config: crio, given: crio, want: crio},
		"contradiction": {
			reason: "kubeadm's flag wins over the configuration", system: "ubuntu", config: crio, given: containerd,
			found: "error: doc.kubelet.config.containerRuntimeEndpoint: kubeadm passes the endpoint " + containerd +
				" to kubelet in place of this one; keep one of them",
		},
		"a stranger's socket": {
			reason: "its runtime is unknown", system: "ubuntu", given: "unix:///run/own.sock",
			others: []document.Value{machine.CRIOConfig{}}, want: "unix:///run/own.sock",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			n := bare(node.RoleWorker, "v1.36.3")
			n.Registration.CRISocket = tc.given
			if tc.argument != "" {
				n.Kubelet.Args = []node.Arg{{Name: node.ArgRuntimeEndpoint, Value: document.Text(tc.argument)}}
			}
			if tc.config != "" {
				n.Kubelet.Config = node.Tree{node.FieldRuntimeEndpoint: tc.config}
			}
			actions, found := plugintest.Expand(t, kubeadm.Expander{}, plugintest.Target(t, tc.system), n, tc.others...)
			plugintest.Check(t, tc.reason, tc.found, nil, found)
			if found.HasErrors() {
				return
			}
			config, _ := actions[0].Do.(action.WriteFile).Content.Static()
			want := `"criSocket":"` + tc.want + `"`
			if tc.want == "" && strings.Contains(string(config), "criSocket") || tc.want != "" &&
				!strings.Contains(string(config), want) {
				t.Errorf("%s: want the socket %q, got\n%s", tc.reason, tc.want, config)
			}
		})
	}
}
