package habits

import (
	"regexp"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

var (
	// assignment matches a line that only sets a variable of the shell.
	assignment = regexp.MustCompile(`(?m)^\s*(?:export\s+)?([A-Za-z_]\w*)=(?:[^\s;&|"'()` + "`" + `]|"[^"\n]*"|` +
		`'[^'\n]*'|\$\(.*\)|` + "`[^`\n]*`" + `)*\s*;?\s*(?:#.*)?$`)
	// set matches every word that may set a variable, also for one command.
	set = regexp.MustCompile(`(?:^|[\s;&|(])(?:(?:read|for)\s+(?:-\w+\s+)*([A-Za-z_]\w*)|([A-Za-z_]\w*)=)`)
	// use matches a variable that the shell replaces.
	use = regexp.MustCompile(`\$(?:([A-Za-z_]\w*)|\{[#!]?([A-Za-z_]\w*))`)
	// quoted matches text in which the shell replaces no variables.
	quoted = regexp.MustCompile(`'[^']*'`)
	// onlyState matches a command that only changes its own shell.
	onlyState = regexp.MustCompile(`^\s*(?:cd\s+[^;&|\n]+|set\s+[-+][^;&|\n]+|export\s+[^;&|\n]+|umask\s+[0-7]+)\s*;?\s*$`)
)

// shells finds commands that prepare the shell of later commands of their phase. Each command has its own shell.
func shells(docs []document.Document) report.Report {
	var r report.Report
	for _, phase := range []document.Phase{document.PhaseBoot, document.PhasePre, document.PhasePost} {
		in := func(d document.Document) bool {
			v, isCommand := d.Value.(machine.Command)
			return isCommand && v.Phase == phase
		}
		if first := slices.IndexFunc(docs, in); first >= 0 && slices.ContainsFunc(docs[first+1:], in) {
			r = append(r, shellsOf(slices.DeleteFunc(slices.Clone(docs), func(d document.Document) bool { return !in(d) }))...)
		}
	}
	return r
}

func shellsOf(commands []document.Document) report.Report {
	var r report.Report
	setters := map[string]report.Path{}
	for i, d := range commands {
		v, _ := d.Value.(machine.Command)
		at := d.Source.Path.Field("script")
		if name := missing(v.Script, setters); name != "" {
			r = append(r, report.Errorf(at, "the variable %s is set by the command at %s, whose shell has ended", name,
				setters[name]).To("join both commands into one, with line breaks between them"))
		}
		if i < len(commands)-1 && onlyState.MatchString(v.Script) {
			r = append(r, report.Warningf(at, "each command has its own shell, so that this one has no effect on the next").
				To("join it with the commands that need it, with line breaks between them; set -e is not needed, because a "+
					"command that fails stops the bootstrap"))
		}
		for _, m := range assignment.FindAllStringSubmatch(v.Script, -1) {
			setters[m[1]] = d.Source.Path
		}
	}
	return r
}

// missing returns the first variable that a script uses and only an earlier command sets, or an empty name.
func missing(script string, setters map[string]report.Path) string {
	if len(setters) == 0 {
		return ""
	}
	own := map[string]bool{}
	for _, m := range set.FindAllStringSubmatch(script, -1) {
		own[m[1]+m[2]] = true
	}
	for _, m := range use.FindAllStringSubmatch(quoted.ReplaceAllString(script, "''"), -1) {
		name := m[1] + m[2]
		if _, earlier := setters[name]; earlier && !own[name] {
			return name
		}
	}
	return ""
}
