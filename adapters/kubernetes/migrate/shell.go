package migrate

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
)

func mapKeys[K comparable, V any](m map[K]V) iter.Seq[K] { return maps.Keys(m) }

var (
	// changesShell matches a command whose effect on the shell the next commands may need.
	changesShell = regexp.MustCompile(
		`(?m)^\s*(?:export\s+\w+|cd\s|\.\s+/|source\s|umask\s|[A-Za-z_]\w*=\S*\s*$)`)
	exportNames = regexp.MustCompile(`(?m)^\s*export\s+([A-Za-z_]\w*)=`)
	// testAndCommand matches a line with a test, and a command that only runs if the test succeeds.
	testAndCommand = regexp.MustCompile(`^\s*(?:!\s+)?(?:\[\[?\s.*\s\]\]?|(?:test|grep)\s[^&|]*)\s*&&`)
)

// ignoringTests returns the command with a status of 0 if its last line is a test and a command. The status of such a
// line is that of the test, for which neither cloud-init nor a shell with set -e stops. A command that fails stops the
// bootstrap here.
func ignoringTests(command string) (string, bool) {
	command = strings.TrimRight(command, " \n")
	line := command[strings.LastIndexByte(command, '\n')+1:]
	several := strings.Contains(line, ";") && !strings.HasSuffix(line, "}")
	if !testAndCommand.MatchString(line) || several || strings.Contains(line, "||") || strings.Contains(line, "<<") ||
		strings.ContainsAny(line, `#\`) {
		return command, false
	}
	return command + " || true", true
}

// oneShell joins the commands from the first one that changes the shell. The kubeadm provider runs all commands in one
// shell, machineadm runs each in its own. before are commands of an earlier list that export variables.
func (s *specs) oneShell(name string, commands []*node, before []*node) []*node {
	in := s.in.get(name)
	if used := usedExports(before, commands); len(used) > 0 {
		in.add(in, Changed, "variables that preKubeadmCommands exports are exported here again")
		commands = append(used, commands...)
	}
	first := slices.IndexFunc(commands, func(n *node) bool { return changesShell.MatchString(n.Value) })
	if first < 0 || first == len(commands)-1 {
		return commands
	}
	lines := []string{"set -e"}
	for _, n := range commands[first:] {
		for _, comment := range []string{n.HeadComment, n.LineComment} {
			if comment != "" {
				lines = append(lines, comment)
			}
		}
		lines = append(lines, strings.TrimRight(n.Value, "\n"))
	}
	in.add(in, Changed, oneCommand, first+1)
	return append(slices.Clone(commands[:first]), text(strings.Join(lines, "\n")+"\n"))
}

// exportsOf returns the commands that only export variables.
func exportsOf(commands []*node) []*node {
	var out []*node
	for _, n := range commands {
		if exportNames.MatchString(n.Value) && !strings.Contains(strings.TrimSpace(n.Value), "\n") {
			out = append(out, n)
		}
	}
	return out
}

// usedExports returns the exporting commands, if one of the others uses one of the variables.
func usedExports(exports, commands []*node) []*node {
	for _, e := range exports {
		for _, match := range exportNames.FindAllStringSubmatch(e.Value, -1) {
			used := regexp.MustCompile(`\$\{?` + regexp.QuoteMeta(match[1]) + `\b`)
			if slices.ContainsFunc(commands, func(n *node) bool { return used.MatchString(n.Value) }) {
				return exports
			}
		}
	}
	return nil
}
