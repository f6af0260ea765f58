// Package habits finds text that works in a KubeadmConfig of Cluster API, and fails or has no effect on a machine of
// machineadm. Each habit is a row of a table, with what happens and what to write instead.
package habits

import (
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Habit is text that users carry over from a KubeadmConfig.
type Habit struct {
	// Name describes the text in documents.
	Name string
	// pattern matches the text. If it has a group, the first one is the path of a file that the user may write.
	pattern *regexp.Regexp
	// unless matches commands in which the text has a meaning; nil for none.
	unless *regexp.Regexp
	// Severity is that of the finding for a command. Elsewhere the finding is a warning, because the machine may not use
	// the text.
	Severity report.Severity
	// Message and Remedy are those of the finding.
	Message, Remedy string
	// Source names who gives the text its meaning.
	Source string
}

const provider = "kubernetes-sigs/cluster-api v1.14.2, bootstrap/kubeadm: "

// The files of the kubeadm provider, as parts of patterns.
const (
	InitConfig     = `/(?:run/kubeadm|tmp)/kubeadm\.yaml`
	JoinConfig     = `/(?:run/kubeadm|tmp)/kubeadm-join-config\.yaml`
	IgnitionConfig = `/etc/kubeadm\.yml`
	IgnitionScript = `/etc/kubeadm\.sh`
)

// KubeadmUnit is the unit by which the kubeadm provider runs kubeadm with Ignition.
const KubeadmUnit = "kubeadm.service"

const (
	// expressions are those with a variable of cloud-init's instance data. A name after a dot is one of another language.
	expressions = `\{\{[-+]?(?:[^{}]*[^{}.\w])?(?:ds[.\[]|v1\.|_?local_hostname\b|instance_id\b|` +
		`availability_zone\b|region\b)[^{}]*\}\}`
	statements = `\{%[-+]?\s*(?:if|for|set)\s[^{}]*%\}`
)

var (
	jinja          = regexp.MustCompile(expressions + `|` + statements)
	jinjaStatement = regexp.MustCompile(statements)
	// cloudInit matches the commands of cloud-init that render expressions.
	cloudInit    = regexp.MustCompile(`\bcloud-init\s+(query|devel)\b`)
	ignitionFile = regexp.MustCompile(`((?:` + IgnitionConfig + `|` + IgnitionScript + `)(?:\.tmp)?)\b`)
	runFile      = regexp.MustCompile(`(/run/kubeadm/[A-Za-z0-9._*-]+|` + InitConfig + `|` + JoinConfig + `)`)
	kubeadmUnit  = regexp.MustCompile(
		`\b` + regexp.QuoteMeta(KubeadmUnit) + `\b|\bsystemctl\s[^;&|\n]*\bkubeadm(?:[\s;&|]|$)`)
)

// HasJinja reports whether cloud-init would replace a part of a text.
func HasJinja(text string) bool { return jinja.MatchString(text) }

// HasJinjaStatement reports whether the text has a statement, such as a condition.
func HasJinjaStatement(text string) bool { return jinjaStatement.MatchString(text) }

// Habits returns the table.
func Habits() []Habit {
	return []Habit{
		{
			Name: "Jinja expressions such as `{{ ds.meta_data.hostname }}`", pattern: jinja,
			unless: cloudInit, Severity: report.Error,
			Message: "a Jinja expression of cloud-init is not replaced here",
			Remedy: "write a file whose parts contain facts, and read it; on systems with cloud-init, run: cloud-init query " +
				"ds.meta_data.…",
			Source: provider + "internal/cloudinit, the header of its userdata is ## template: jinja",
		},
		{
			Name: "`/etc/kubeadm.yml`, `/etc/kubeadm.sh`", pattern: ignitionFile,
			Severity: report.Error,
			Message:  "the kubeadm provider writes this file with Ignition; it does not exist here",
			Remedy:   "remove it; facts of the machine belong to fields with parts, and kube-vip to spec.controlPlane.virtualIP",
			Source:   provider + "internal/ignition/clc",
		},
		{
			Name:     "files in `/run/kubeadm`, `/tmp/kubeadm.yaml`, `/tmp/kubeadm-join-config.yaml`",
			pattern:  runFile,
			Severity: report.Error,
			Message:  "kubeadm's configuration has another path here, so that a test of this file is always false",
			Remedy: "set the field for it; before kubeadm runs, /etc/machineadm/kubeadm.yaml on the first machine of a " +
				"cluster contains kind: InitConfiguration; kube-vip belongs to spec.controlPlane.virtualIP",
			Source: provider + "internal/cloudinit",
		},
		{
			Name: "`kubeadm.service`", pattern: kubeadmUnit, Severity: report.Warning,
			Message: "no unit kubeadm.service runs kubeadm here, so that this has no effect",
			Remedy:  "remove it; use preCommands for what kubeadm needs, and spec.machine.proxy for its environment",
			Source:  provider + "internal/ignition/clc",
		},
	}
}

// Check returns the findings of a job. It does not quote text, which may be secret.
func Check(job plan.Job) report.Report {
	c := checker{
		documents: job.Documents, replaced: infrastructure.PlaceholdersOf(job.Target.Infrastructure),
		environmentFile: writesEnvironmentFile(job.Format),
	}
	var found report.Report
	for _, d := range job.Documents {
		c.findings = nil
		c.document(d.Value)
		found = append(found, c.findings.Below(d.Source.Path)...)
	}
	found = append(found, shells(job.Documents)...)
	c.findings = found
	for _, s := range job.Snippets {
		c.text(s.Source.Path, s.Text, false)
	}
	return append(c.findings, unusedSnippets(job)...)
}

type checker struct {
	findings report.Report
	// documents are those of the job, with the files that the user writes.
	documents []document.Document
	// replaced is text that the infrastructure provider replaces.
	replaced delivery.Placeholders
	// environmentFile means that kubelet's arguments are in an environment file.
	environmentFile bool
}

// document adds the findings for a document, with paths relative to it.
func (c *checker) document(value document.Value) {
	switch v := value.(type) {
	case machine.Command:
		c.text("script", v.Script, true)
	case machine.File:
		if strings.Contains(v.Path, "/kubeadm.service.d/") {
			c.text("path", v.Path, false)
		}
		for _, f := range v.Content.Fragments() {
			if !strings.HasPrefix(string(f.Literal), "## template: jinja") {
				c.text("", string(f.Literal), false)
			}
		}
	case machine.Unit:
		c.unit(v)
	case node.NodeConfig:
		c.nodeValues(v)
	case node.ControlPlaneConfig:
		c.controlPlane(v)
	case node.StaticPod:
		c.text("", string(v.Manifest), false)
	default: // has no text of users
	}
}

// unit checks the name and the text of a unit. A unit kubeadm.service of the user is one that runs.
func (c *checker) unit(u machine.Unit) {
	if u.Name == KubeadmUnit && !u.Content.IsZero() {
		return
	}
	text := document.Join(document.Text(u.Name+"\n"), u.Content)
	for _, d := range u.DropIns {
		text = document.Join(text, document.Text("\n"), d.Content)
	}
	c.text("", string(text.Resolve(func(document.Fact) string { return "" })), false)
}

// text adds the findings for a text, one for each habit.
func (c *checker) text(at report.Path, text string, command bool) {
	if !strings.Contains(text, "kubeadm") && !strings.Contains(text, "{") {
		return // Each pattern contains one of them.
	}
	for _, h := range Habits() {
		if !c.contains(h, text) || command && h.unless != nil && h.unless.MatchString(text) {
			continue
		}
		f := report.Warningf(at, "%s", h.Message).To("%s", h.Remedy)
		if command {
			f.Severity = h.Severity
		}
		c.findings = append(c.findings, f)
	}
}

// contains reports whether the text contains the habit, except files that the user writes, and expressions that the
// infrastructure provider replaces.
func (c *checker) contains(h Habit, text string) bool {
	for _, m := range h.pattern.FindAllStringSubmatch(text, -1) {
		path := len(m) > 1 && c.writes(m[1])
		if !path && !c.replaces(m[0]) {
			return true
		}
	}
	return false
}

// writes reports whether the user writes the file.
func (c *checker) writes(path string) bool {
	return slices.ContainsFunc(c.documents, func(d document.Document) bool {
		f, isFile := d.Value.(machine.File)
		return isFile && f.Path == path
	})
}

// replaces reports whether the infrastructure provider replaces the whole expression.
func (c *checker) replaces(expression string) bool {
	for _, match := range c.replaced.Find([]byte(expression)) {
		if match[0] == 0 && match[1] == len(expression) {
			return true
		}
	}
	return false
}

// unusedSnippets returns a warning for each snippet if none of them is in the language of the machine's format.
func unusedSnippets(job plan.Job) report.Report {
	if len(job.Snippets) == 0 || len(job.SnippetsFor(job.Format)) > 0 {
		return nil
	}
	var r report.Report
	for _, s := range job.Snippets {
		remedy := "write it for the format %s, or set spec.format"
		if s.Format == "ignition-v2" {
			remedy = "a Container Linux Config is for Ignition 2; write it in Butane for the format %s, or set spec.format to " +
				"ignition-v2 for an old release of Flatcar"
		}
		r = append(r, report.Warningf(s.Source.Path, "the snippet has the format %s, and the machine's format is %s: it is "+
			"left out", s.Format, job.Format).To(remedy, job.Format))
	}
	return r
}
