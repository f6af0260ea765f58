package habits

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

var (
	// placeholder matches text of templates of other providers that another program replaces: expressions of Jinja
	// (cloud-init), variables of CoreOS's and afterburn's metadata (envsubst), and marks (sed).
	placeholder = regexp.MustCompile(`\{\{.*?\}\}|\{%|\$\{?(?:COREOS|AFTERBURN)_|@@[A-Z_]+@@`)
	// substitution matches a command whose output a shell inserts. No shell reads arguments of kubelet.
	substitution = regexp.MustCompile("\\$\\([^)]*\\)|`[^`]*`")
)

// nodeValues checks the texts of a node that templates often fill with placeholders.
func (c *checker) nodeValues(n node.NodeConfig) {
	c.value("registration.name", n.Registration.Name, "write nameParts, which contain texts and facts")
	for i, l := range n.Registration.Labels {
		c.value(report.Path("registration.labels").Index(i), l.Value, "write the label in labelParts, with texts and facts")
	}
	c.value("advertiseAddress", n.AdvertiseAddress, "write advertiseAddressParts, such as the fact privateIPv4")
	for i, a := range n.Kubelet.Args {
		c.kubeletArg(report.Path("kubelet.extraArgs").Index(i), a.Value)
	}
	c.tree("kubelet.config", n.Kubelet.Config)
}

// kubeletArg checks an argument of kubelet. The plugin that writes kubelet's environment file reports expressions with
// blanks and quotes.
func (c *checker) kubeletArg(at report.Path, value document.Content) {
	const remedy = "write parts, which contain texts and facts such as instanceID"
	for _, f := range value.Fragments() {
		if substitution.Match(f.Literal) {
			c.findings = append(c.findings, report.Errorf(at,
				"no shell reads this text, so that the command in it does not run").To(remedy))
			return
		}
	}
	text, _ := value.Static()
	if !c.environmentFile || !strings.Contains(string(text), "{{") || !strings.ContainsAny(string(text), " \t\"'\\") {
		c.value(at, value, remedy)
	}
}

// controlPlane checks the arguments and names of the control plane, in which facts are not supported.
func (c *checker) controlPlane(p node.ControlPlaneConfig) {
	args := map[string][]node.Arg{
		"apiServer": p.APIServer.Args, "controllerManager": p.ControllerManager.Args, "scheduler": p.Scheduler.Args,
	}
	if p.LocalEtcd != nil {
		args["localEtcd"] = p.LocalEtcd.Args
	}
	for _, field := range slices.Sorted(maps.Keys(args)) {
		for i, a := range args[field] {
			c.value(report.Path(field).Field("extraArgs").Index(i), a.Value, "write the value, or leave the argument out")
		}
	}
	for i, name := range p.APIServer.CertSANs {
		c.value(report.Path("apiServer.certSANs").Index(i), document.Text(name),
			"write a name or an address; kubeadm adds the machine's own")
	}
}

// tree checks the texts of kubelet's configuration.
func (c *checker) tree(at report.Path, value any) {
	switch v := value.(type) {
	case string:
		c.value(at, document.Text(v), "write the argument in spec.node.kubelet.extraArgs, with parts")
	case node.Tree:
		if len(v) > 0 {
			c.tree(at, map[string]any(v))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			c.tree(at.Field(key), v[key])
		}
	case []any:
		for i, item := range v {
			c.tree(at.Index(i), item)
		}
	}
}

// value adds an error if a text of the value contains a placeholder that the infrastructure provider does not replace.
func (c *checker) value(at report.Path, value document.Content, remedy string) {
	for _, f := range value.Fragments() {
		if !bytes.ContainsAny(f.Literal, "{$@") {
			continue // Each placeholder contains one of them.
		}
		for _, m := range placeholder.FindAll(f.Literal, -1) {
			if !c.replaces(string(m)) {
				c.findings = append(c.findings, report.Errorf(at, "no program replaces the placeholder in this text").
					To("%s", remedy))
				return
			}
		}
	}
}

// writesEnvironmentFile reports whether the machines of a format get kubelet's arguments by an environment file.
func writesEnvironmentFile(f delivery.Format) bool {
	return f != delivery.FormatTalos && f != delivery.FormatBottlerocket
}
