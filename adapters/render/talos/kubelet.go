package talos

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"
	"github.com/siderolabs/talos/pkg/machinery/kubelet"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// kubelet renders kubelet's configuration and arguments.
func (b *build) kubelet() {
	at, k := b.nodeAt.Field("kubelet"), b.config.MachineConfig.MachineKubelet
	for _, field := range kubelet.ProtectedConfigurationFields {
		if _, given := b.node.Kubelet.Config[field]; given {
			b.find(report.Errorf(at.Field("config").Field(field), "Talos sets it; it cannot be changed").To("leave it out"))
		}
	}
	if len(b.node.Kubelet.Config) > 0 {
		tree, err := plainTree(b.node.Kubelet.Config)
		if err != nil {
			b.find(report.Errorf(at.Field("config"), "this is not a kubelet configuration"))
			return
		}
		k.KubeletExtraConfig.Object = tree
	}
	for i, a := range b.node.Kubelet.Args {
		b.kubeletConflict(at.Field("extraArgs").Index(i), a.Name)
	}
	k.KubeletExtraArgs = b.args(at.Field("extraArgs"), b.node.Kubelet.Args, kubeletDenied(), plain)
}

// kubeletConflict finds arguments that a field sets, too.
func (b *build) kubeletConflict(at report.Path, name string) {
	reg, field := b.node.Registration, ""
	switch {
	case name == "hostname-override" && !reg.Name.IsZero():
		field = "name"
	case name == "register-with-taints" && len(reg.Taints) > 0:
		field = "taints"
	case name == "node-labels" && len(reg.Labels) > 0:
		field = "labels"
	case name == "node-ip" && !b.node.AdvertiseAddress.IsZero():
		field = "advertiseAddress"
	}
	if field != "" {
		b.find(report.Errorf(at, "the node's field %s sets the argument %s, too", field, name).To("keep one of them"))
	}
}

// escape is how a component's arguments are written.
type escape func([]byte) []byte

// plain is for programs that Talos starts itself.
func plain(b []byte) []byte { return b }

// dollars is for static pods: kubelet expands $(NAME) in a pod's command and variables, and makes one dollar sign of
// two.
func dollars(b []byte) []byte {
	if !bytes.Contains(b, []byte("$(")) && !bytes.Contains(b, []byte("$$")) {
		return b
	}
	return bytes.ReplaceAll(b, []byte("$"), []byte("$$"))
}

// args renders a component's arguments. Talos refuses reserved ones only when it starts the component.
// Since 1.13 its types have lists for repeated names, but its loader does not read them
// (pkg/machinery 1.13.0).
func (b *build) args(at report.Path, given []node.Arg, denied []string, as escape) v1alpha1.Args {
	var args v1alpha1.Args
	for i, a := range given {
		p := at.Index(i)
		if slices.Contains(denied, a.Name) {
			b.find(report.Errorf(p, "Talos reserves the argument %s", a.Name).To("leave it out"))
		}
		if _, twice := args[a.Name]; twice {
			b.find(report.Errorf(p, "the argument %s is repeated; Talos accepts each name once", a.Name).To("keep one of them"))
		}
		if a.Value.IsZero() && b.contract.since(sinceEmpty) {
			b.find(report.Errorf(p.Field("value"), "Talos drops arguments without a value").To("give a value"))
		}
		if args == nil {
			args = v1alpha1.Args{}
		}
		args[a.Name] = v1alpha1.NewArgValue(b.text(p.Field("value"), a.Value, as), nil)
	}
	return args
}

// text returns a value that a program gets as an argument or a variable.
func (b *build) text(at report.Path, c document.Content, as escape) string {
	text, static := c.Static()
	switch {
	case !static:
		b.find(fact(at))
	case !utf8.Valid(text):
		b.find(report.Errorf(at, "the value is not valid UTF-8").To("use UTF-8"))
	case bytes.IndexByte(text, 0) >= 0:
		b.find(report.Errorf(at, "the value cannot hold a NUL byte"))
	case fragile(string(text)):
		b.find(report.Errorf(at, "Talos's encoder cannot write a multi-line value whose first line is empty or indented").
			To("change its first line"))
	default:
		return string(as(text))
	}
	return ""
}

// kubeletDenied are arguments of which Talos refuses a second (siderolabs/talos: KubeletSpecController).
func kubeletDenied() []string {
	return []string{
		"bootstrap-kubeconfig", "kubeconfig", "container-runtime", "container-runtime-endpoint",
		"config", "cert-dir",
	}
}
