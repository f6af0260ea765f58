package migrate

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/habits"
)

// The files by which scripts distinguish the machine that creates the cluster from those that join. A command creates
// them before all others.
const (
	initMarker = "/run/machineadm-init"
	joinMarker = "/run/machineadm-join"
	kubeadmYML = "/etc/machineadm/kubeadm.yaml"

	createMarker = `if grep -q '"kind":"InitConfiguration"' ` + kubeadmYML + `; then touch ` + initMarker +
		`; else touch ` + joinMarker + `; fi`
)

// habit is a command that has no purpose here.
type habit struct {
	pattern *regexp.Regexp
	// fact means that the text in the first group must be this fact.
	fact    fact
	message string
}

// removedCommands returns the commands that templates contain for the kubeadm provider only.
func removedCommands() []habit {
	re := regexp.MustCompile
	return []habit{
		{pattern: re(`^envsubst\s+<\s*` + habits.IgnitionConfig + `\s*>\s*\S+$`), message: configOfKubeadm},
		{
			pattern: re(`^(?:mv|cp)\s+(?:-f\s+)?\S*kubeadm\.yml\.tmp\s+` + habits.IgnitionConfig + `$`),
			message: configOfKubeadm,
		},
		{
			pattern: re(`(?s)^sed\s+-i\b.*@@[A-Z_]+@@.*(?:` + habits.IgnitionConfig + `|/run/kubeadm/\S+)$`),
			message: configOfKubeadm,
		},
		{
			pattern: re(`^export\s+COREOS_[A-Z0-9_]+=["']?\$?\$\{?COREOS_[^\s]*$`),
			message: variablesOfAfterburn,
		},
		{
			pattern: re(`^(?:sudo\s+)?hostnamectl\s+set-hostname\s+["']?([^"']+?)["']?` +
				`(?:\s*&&\s*hostname\s+-F\s+/etc/hostname)?$`),
			fact: factHostname, message: setsHostname,
		},
		{pattern: re(`^hostname\s+["']?([^"']+?)["']?$`), fact: factHostname, message: setsHostname},
		{pattern: re(`^echo\s+["']?([^"']+?)["']?\s*>\s*/etc/hostname$`), fact: factHostname, message: setsHostname},
	}
}

// removed returns the message about a command that has no purpose here.
func removed(command string) (string, bool) {
	command = strings.TrimSpace(command)
	for _, h := range removedCommands() {
		match := h.pattern.FindStringSubmatch(command)
		if match == nil {
			continue
		}
		if h.fact != "" {
			found, _ := pieces(match[1])
			if f, ok := onlyFact(found); !ok || f != h.fact {
				continue
			}
		}
		return h.message, true
	}
	return "", false
}

// commands converts the commands. Those before kubeadm and those after it ran in one shell.
func (s *specs) commands() {
	pre := s.list("preKubeadmCommands")
	post := s.list("postKubeadmCommands")
	s.emit("bootCommands", "machine.bootCommands", s.list("bootCommands"))
	var first []*node
	if len(s.started) > 0 {
		first = append(first, text("systemctl start "+strings.Join(s.started, " ")))
	}
	if s.telling {
		first = append(first, text(createMarker))
	}
	s.emit("preKubeadmCommands", "machine.preCommands", append(first, s.oneShell("preKubeadmCommands", pre, nil)...))
	s.emit("postKubeadmCommands", "machine.postCommands", s.oneShell("postKubeadmCommands", post, exportsOf(pre)))
}

// list returns the translated commands of a list.
func (s *specs) list(name string) []*node {
	var out []*node
	for _, item := range s.in.get(name).items() {
		n := item.take()
		if n.Kind != yaml.ScalarNode {
			item.report(NoCounterpart, "a command is a text, not a list; write it as one line")
			continue
		}
		if message, ok := removed(n.Value); ok {
			item.add(item, Changed, "%s", message)
			continue
		}
		if s.virtualIPCommand(item) {
			continue
		}
		translated := s.placeholders(item, s.initTests(item, n.Value))
		if ignoring, ok := ignoringTests(translated); ok {
			translated = ignoring
			item.add(item, Changed, testIgnored)
		}
		if translated != n.Value {
			replacement := text(translated)
			replacement.HeadComment, replacement.LineComment = n.HeadComment, n.LineComment
			replacement.FootComment = n.FootComment
			n = replacement
		}
		out = append(out, n)
	}
	return out
}

func (s *specs) emit(from, to string, commands []*node) {
	in := s.in.get(from)
	if len(commands) > 0 {
		set(s.out, to, list(commands...))
		copyComments(in.key, s.out, to)
	}
	if len(commands) > 0 && in.exists() && !s.isIgnition() {
		in.add(in, Note, "cloud-init ignores commands that fail; here the first one that fails stops the bootstrap, unless "+
			"it ends with || true")
	}
	if in.exists() && in.node.Kind == yaml.ScalarNode {
		move(in, s.out, to)
		in.add(in, Decision, "a text replaces the whole list; make sure that it is a list of commands")
	}
}

// initTest matches a test for the configuration of kubeadm, which differs between the first machine and the others.
var (
	initTest  = regexp.MustCompile(`(-[efs]\s+["']?)` + habits.InitConfig + `\b`)
	joinTest  = regexp.MustCompile(`(-[efs]\s+["']?)` + habits.JoinConfig + `\b`)
	shellTest = regexp.MustCompile(`(\[\[?) -f ` + habits.IgnitionScript +
		` (\]\]?) && grep -q (?:-e )?["']kubeadm init["'] ` + habits.IgnitionScript)
	kubeadmFile = regexp.MustCompile(
		`(?:` + habits.InitConfig + `|` + habits.JoinConfig + `|` + habits.IgnitionConfig + `)\b`)
	editsFile = regexp.MustCompile(`\b(?:sed|yq|perl|awk)\b[^\n]*` + kubeadmFile.String())
)

// initTests converts the tests whether a machine creates the cluster, and other uses of kubeadm's configuration.
func (s *specs) initTests(in field, value string) string {
	out := shellTest.ReplaceAllString(value, "$1 -f "+initMarker+" $2")
	out = initTest.ReplaceAllString(out, "${1}"+initMarker)
	out = joinTest.ReplaceAllString(out, "${1}"+joinMarker)
	if out != value {
		s.telling = true
		in.add(in, Changed, markers)
	}
	switch {
	case editsFile.MatchString(out):
		in.add(in, NoCounterpart,
			"kubeadm's configuration is JSON in %s, and this does not change it; use the fields of spec.node and "+
				"spec.controlPlane", kubeadmYML)
	case kubeadmFile.MatchString(out):
		out = kubeadmFile.ReplaceAllString(out, kubeadmYML)
		in.add(in, Decision, "kubeadm's configuration is in %s; check that this change is still right", kubeadmYML)
	}
	return out
}

// placeholders replaces placeholders in a command by commands that print the fact.
func (s *specs) placeholders(in field, value string) string {
	if s.jinja() && !habits.HasJinja(value) || !s.jinja() && !placeholder.MatchString(value) {
		return value
	}
	s.statements(in, value)
	found, unknown := pieces(value)
	for _, u := range unknown {
		in.add(in, NoCounterpart, "no fact replaces the placeholder %q; set the value by hand", u)
	}
	var out strings.Builder
	var before quotes
	for _, p := range found {
		if p.fact == "" {
			out.WriteString(p.text)
			before.add(p.text)
			continue
		}
		s.facts[p.fact] = true
		out.WriteString(before.around("$(cat " + factPath(p.fact) + ")"))
		in.add(in, Changed, factFile, factPath(p.fact), p.fact)
	}
	return out.String()
}

// factPath is the path of a file that contains a fact.
func factPath(f fact) string {
	return "/etc/machineadm-facts/" + strings.NewReplacer("/", "-", ".", "-").Replace(string(f))
}

// quotes are the quotes that are open after a text of the shell.
type quotes struct {
	open    byte
	escaped bool
}

func (q *quotes) add(text string) {
	for i := range len(text) {
		switch c := text[i]; {
		case q.escaped:
			q.escaped = false
		case c == '\\' && q.open != '\'':
			q.escaped = true
		case q.open == 0 && (c == '"' || c == '\''):
			q.open = c
		case c == q.open:
			q.open = 0
		}
	}
}

// around returns an expression for the place after the text: in double quotes as it is, otherwise with such quotes.
func (q *quotes) around(expression string) string {
	switch q.open {
	case '"':
		return expression
	case '\'':
		return `'"` + expression + `"'`
	}
	return `"` + expression + `"`
}

// factFiles adds the files with facts that commands read.
func (s *specs) factFiles() {
	for _, f := range slices.Sorted(mapKeys(s.facts)) {
		file := put(mapping(), "path", text(factPath(f)))
		put(file, "permissions", quoted("0644"))
		extend(s.out, "machine.files", put(file, "parts", parts([]piece{{fact: f}})))
	}
}
