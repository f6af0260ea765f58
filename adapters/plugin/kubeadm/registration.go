package kubeadm

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

func (j *job) registrationAt() report.Path { return j.at.Field("registration") }

func (j *job) registration() nodeRegistration {
	reg := j.node.Registration
	if reg.ImagePullSerial != nil {
		j.needs(firstV1beta4, j.registrationAt().Field("imagePullSerial"), "whether images are pulled one by one")
	}
	j.found = append(j.found, checkContent("registration.name", reg.Name).Below(j.at)...)
	return nodeRegistration{
		Name:                  j.facts.text(reg.Name),
		CRISocket:             j.criSocket(),
		Taints:                j.taints(),
		KubeletExtraArgs:      j.kubeletArgs(),
		IgnorePreflightErrors: reg.IgnorePreflightErrors,
		ImagePullPolicy:       reg.ImagePullPolicy,
		ImagePullSerial:       reg.ImagePullSerial,
	}
}

// controlPlaneTaint is the one that kubeadm gives a control plane node that names none.
func controlPlaneTaint() taint {
	return taint{Key: "node-role.kubernetes.io/control-plane", Effect: "NoSchedule"}
}

// taints returns nil for kubeadm's default. Taints that are given without replacing the default are added to it.
func (j *job) taints() *[]taint {
	reg := j.node.Registration
	if !reg.TaintsSet && len(reg.Taints) == 0 {
		return nil
	}
	list := make([]taint, 0, len(reg.Taints)+1)
	if !reg.TaintsSet && j.node.Role.IsControlPlane() {
		list = append(list, controlPlaneTaint())
	}
	for _, t := range reg.Taints {
		list = append(list, taint{Key: t.Key, Value: t.Value, Effect: string(t.Effect)})
	}
	return &list
}

// kubeletArgs returns kubelet's arguments, labels among them, or nil. kubeadm passes them to kubelet in an environment
// file that systemd splits into words, so a value is one word without quotes.
func (j *job) kubeletArgs() any {
	reg, given := j.node.Registration, j.node.Kubelet.Args
	if len(reg.Labels)+len(given) == 0 {
		return nil
	}
	at := j.at.Field("kubelet").Field("extraArgs")
	args := make([]arg, 0, len(given)+1)
	if len(reg.Labels) > 0 {
		args = append(args, arg{Name: "node-labels", Value: j.facts.text(joinLabels(reg.Labels))})
	}
	for i, a := range given {
		j.checkKubeletArg(at.Index(i), a)
		args = append(args, arg{Name: a.Name, Value: j.facts.text(a.Value)})
	}
	return j.args(args, at, len(args)-len(given))
}

func joinLabels(labels []node.Label) document.Content {
	parts := make([]document.Content, 0, 4*len(labels))
	for i, l := range labels {
		if i > 0 {
			parts = append(parts, document.Text(","))
		}
		parts = append(parts, document.Text(l.Key+"="), l.Value)
	}
	return document.Join(parts...)
}

func (j *job) checkKubeletArg(p report.Path, a node.Arg) {
	reg := j.node.Registration
	conflict := ""
	switch {
	case a.Name == "node-labels" && len(reg.Labels) > 0:
		conflict = "labels"
	case a.Name == "register-with-taints" && len(reg.Taints) > 0:
		conflict = "taints"
	case a.Name == "hostname-override" && !reg.Name.IsZero():
		conflict = "name"
	case a.Name == node.ArgRuntimeEndpoint && reg.CRISocket != "":
		conflict = "criSocket"
	}
	switch {
	case conflict == "taints" && onlyUninitialized(reg.Taints):
		j.find(report.Errorf(p, "workers also start with the taint %s, which Cluster API requires, and kubelet accepts the "+
			"argument once", node.UninitializedTaint).To("write the taints in spec.node.taints"))
	case conflict != "":
		j.find(report.Errorf(p, "the node's field %s sets the argument %s, too", conflict, a.Name).To("keep one of them"))
	}
	if a.Name == "node-labels" {
		j.checkLabelArg(p, a.Value)
	}
	for _, f := range a.Value.Fragments() {
		if f.Fact == "" && !isWord(f.Literal) {
			j.find(notWord(p, f.Literal))
			return
		}
	}
}

// onlyUninitialized reports whether the taints are those of a worker whose user has set none.
func onlyUninitialized(taints []node.Taint) bool {
	return len(taints) == 1 && taints[0].Key == node.UninitializedTaint
}

// notWord returns the finding about a text that kubelet's environment file does not support.
func notWord(p report.Path, text []byte) report.Finding {
	if bytes.Contains(text, []byte("{{")) {
		return report.Errorf(p, "cloud-init does not replace placeholders here").
			To("write parts, which contain texts and facts such as instanceID")
	}
	return report.Errorf(p, "kubelet's environment file does not support blanks, quotes, backslashes and control "+
		"characters in arguments").To("use the field of kubelet.config for it")
}

// checkLabelArg holds labels in an argument to the rules of labels.
func (j *job) checkLabelArg(p report.Path, value document.Content) {
	text, static := value.Static()
	if !static {
		return
	}
	for _, pair := range strings.Split(string(text), ",") {
		key, v, _ := strings.Cut(pair, "=")
		j.found = append(j.found, node.Label{Key: key, Value: document.Text(v)}.Check(p)...)
	}
}

// isWord reports whether systemd leaves the text as it is when it splits a variable into words (systemd.exec(5),
// systemd.service(5)).
func isWord(b []byte) bool {
	for len(b) > 0 {
		c, size := utf8.DecodeRune(b)
		if c == utf8.RuneError || !unicode.IsPrint(c) || c == ' ' || c == '"' || c == '\'' || c == '\\' {
			return false
		}
		b = b[size:]
	}
	return true
}

// args returns arguments in the version's type: a list in v1beta4, a map in v1beta3, which cannot repeat a name. The
// first own arguments are not the user's, whose paths are counted from there.
func (j *job) args(list []arg, p report.Path, own int) any {
	if len(list) == 0 {
		return nil
	}
	if j.api.isV1beta4() {
		return list
	}
	table := make(map[string]string, len(list))
	for i, a := range list {
		if _, twice := table[a.Name]; twice {
			j.find(report.Errorf(p.Index(i-own), "the argument %s is repeated; kubeadm of Kubernetes %s accepts each name once",
				a.Name, j.api.name()).To("keep one of them, or use Kubernetes 1.%d or newer", firstV1beta4))
		}
		table[a.Name] = a.Value
	}
	return table
}

// checkContent finds text that kubeadm's configuration does not support.
func checkContent(p report.Path, c document.Content) report.Report {
	for _, f := range c.Fragments() {
		if r := checkText(p, f.Literal); len(r) > 0 {
			return r
		}
	}
	return nil
}
