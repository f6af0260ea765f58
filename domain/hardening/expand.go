package hardening

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// Expand replaces the Config among the documents by its settings. It does not change the given documents. It keeps
// settings of the user; a warning names the checks from which they differ.
func Expand(given []document.Document, t osprofile.Target) ([]document.Document, report.Report) {
	c, at, found := document.First[Config](given)
	if !found {
		return given, nil
	}
	e := expansion{Config: c, source: at, target: t}
	for _, d := range given {
		switch {
		case d.Kind() != Kind:
			e.docs = append(e.docs, d)
		case d.Source != at:
			e.findings = append(e.findings, report.Errorf(d.Source.Path, "another %s is at %s, and a machine has at most one",
				Kind, at).To("keep one of them"))
		}
	}
	if e.findings = append(e.findings, c.Check(at.Path)...); !e.findings.HasErrors() {
		e.expand()
	}
	return e.docs, e.findings
}

// expansion is the state of Expand.
type expansion struct {
	Config
	source   document.Source
	target   osprofile.Target
	docs     []document.Document
	findings report.Report
	modes    []string
}

func (e *expansion) expand() {
	n, _, joins := document.First[node.NodeConfig](e.docs)
	for _, a := range Settings() {
		if e.checksToApply(a) == nil || a.Part != PartSysctl && !joins || a.Part.controlPlane() && !n.Role.IsControlPlane() {
			continue
		}
		e.apply(a)
	}
	if len(e.modes) > 0 && e.target.Profile.Shell == osprofile.ShellPOSIX {
		script := "set -e\n" + strings.Join(e.modes, "\n")
		e.docs = append(e.docs, document.Document{Value: machine.Command{
			Phase:  document.PhasePost,
			Script: script,
		}, Source: e.source})
	}
}

func (e *expansion) apply(a Setting) {
	text, _ := a.Value.(string)
	switch a.Part {
	case PartSysctl:
		if e.target.Profile.Family != osprofile.FamilyWindows {
			edit(e, a, func(c machine.SysctlConfig) (machine.SysctlConfig, string) { return withSysctl(c, a.Name, text) })
		}
	case PartKubelet:
		edit(e, a, func(n node.NodeConfig) (node.NodeConfig, string) {
			var given string
			n.Kubelet.Config, given = withField(n.Kubelet.Config, strings.Split(a.Name, "."), a.Value)
			return n, given
		})
	case PartMode:
		e.modes = append(e.modes, fmt.Sprintf("for f in %s; do [ ! -e \"$f\" ] || chmod %s \"$f\"; done", a.Name, text))
	case PartAPIServer, PartControllerManager, PartScheduler, PartEtcd, PartAudit:
		edit(e, a, func(c node.ControlPlaneConfig) (node.ControlPlaneConfig, string) { return withControlPlane(c, a, text) })
	}
}

// edit changes the document of type T, or adds one. change also returns the user's value of the setting if it differs.
func edit[T document.Value](e *expansion, a Setting, change func(T) (T, string)) {
	i := slices.IndexFunc(e.docs, func(d document.Document) bool { _, is := d.Value.(T); return is })
	if i < 0 {
		var zero T
		e.docs = append(e.docs, document.Document{Value: zero, Source: e.source})
		i = len(e.docs) - 1
	}
	value, is := e.docs[i].Value.(T)
	if !is {
		return
	}
	changed, given := change(value)
	e.docs[i].Value = changed
	if given != "" {
		e.findings = append(e.findings, report.Warningf(e.docs[i].Source.Path,
			"%s is %s, which differs from the setting for the %s checks %s",
			a.Name, given, e.Profile, strings.Join(a.Checks(e.Profile), ", ")).
			To("leave it to the profile, or name the checks in %s.except", e.source.Path))
	}
}

func withSysctl(c machine.SysctlConfig, name, value string) (machine.SysctlConfig, string) {
	for _, s := range c.Settings {
		if strings.ReplaceAll(s.Name, "/", ".") == name {
			return c, other(s.Value, value)
		}
	}
	c.Settings = append(slices.Clone(c.Settings), machine.Sysctl{Name: name, Value: value})
	slices.SortStableFunc(c.Settings, func(a, b machine.Sysctl) int { return strings.Compare(a.Name, b.Name) })
	return c, ""
}

// other returns the current value if it differs from the wanted one.
func other(current, wanted string) string {
	if current == wanted {
		return ""
	}
	return current
}

// withField sets a field of a tree, which it copies on the way.
func withField(t map[string]any, path []string, value any) (map[string]any, string) {
	out := make(map[string]any, len(t)+1)
	for k, v := range t {
		out[k] = v
	}
	current, given := out[path[0]]
	if len(path) == 1 {
		if given {
			return out, other(fmt.Sprint(current), fmt.Sprint(value))
		}
		out[path[0]] = plain(value)
		return out, ""
	}
	inner, isTree := current.(map[string]any)
	if given && !isTree {
		return out, "something else"
	}
	changed, kept := withField(inner, path[1:], value)
	out[path[0]] = changed
	return out, kept
}

// plain converts a value to the types that encoding/json decodes to.
func plain(value any) any {
	list, is := value.([]string)
	if !is {
		return value
	}
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func withControlPlane(c node.ControlPlaneConfig, a Setting, value string) (node.ControlPlaneConfig, string) {
	var kept string
	switch a.Part {
	case PartAPIServer:
		c.APIServer.Args, kept = withArg(c.APIServer.Args, a.Name, value)
	case PartControllerManager:
		c.ControllerManager.Args, kept = withArg(c.ControllerManager.Args, a.Name, value)
	case PartScheduler:
		c.Scheduler.Args, kept = withArg(c.Scheduler.Args, a.Name, value)
	case PartEtcd:
		if c.ExternalEtcd == nil {
			var local node.LocalEtcd
			if c.LocalEtcd != nil {
				local = *c.LocalEtcd
			}
			local.Args, kept = withArg(local.Args, a.Name, value)
			c.LocalEtcd = &local
		}
	case PartAudit:
		if c.APIServer.Audit != nil {
			return c, "another one"
		}
		c.APIServer.Audit = &node.Audit{Policy: []byte(value)}
	case PartSysctl, PartKubelet, PartMode:
	}
	return c, kept
}

func withArg(args []node.Arg, name, value string) ([]node.Arg, string) {
	for _, a := range args {
		if a.Name == name {
			current, static := a.Value.Static()
			if !static {
				return args, "set on the machine"
			}
			return args, other(string(current), value)
		}
	}
	return append(slices.Clone(args), node.Arg{Name: name, Value: document.Text(value)}), ""
}
