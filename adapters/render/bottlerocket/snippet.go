package bottlerocket

import (
	"context"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// snippets merges the user's own settings into those that were made.
func (s *settings) snippets(ctx context.Context, list []plan.Snippet) {
	for _, snippet := range list {
		if ctx.Err() == nil {
			s.snippet(ctx, snippet)
		}
	}
}

func (s *settings) snippet(ctx context.Context, snippet plan.Snippet) {
	at := snippet.Source.Path
	tree, err := structured.TOML(ctx, []byte(snippet.Text))
	if err != nil {
		s.findings = append(s.findings, syntax(at, err))
		return
	}
	for _, key := range sortedKeys(tree) {
		below, isTable := tree[key].(map[string]any)
		if key != "settings" || !isTable {
			s.instead(at, "write tables such as [settings.motd]", "%s is not below settings", key)
			continue
		}
		m := merge{settings: s, at: at, strict: snippet.Strict, lines: strings.Split(snippet.Text, "\n")}
		m.table(below, nil)
	}
}

// syntax reports the position of a syntax error. The library's message may repeat the text, which may be secret, and is
// left out.
func syntax(at report.Path, err error) report.Finding {
	var broken *toml.DecodeError
	if !errors.As(err, &broken) {
		return structured.Finding(at, "this is not TOML", err)
	}
	f := report.Errorf(at, "this is not TOML").To("check it with a TOML validator; strings are quoted")
	f.Line, f.Column = broken.Position()
	return f
}

// merge puts a snippet's values into the settings.
type merge struct {
	*settings
	at     report.Path
	strict bool
	lines  []string
}

func (m merge) table(table map[string]any, above []string) {
	for _, key := range sortedKeys(table) {
		path := append(append([]string{}, above...), key)
		below, isTable := table[key].(map[string]any)
		switch {
		case isTable && m.index.branch(path):
			m.table(below, path)
		case m.index.branch(path) && !m.isRows(path, table[key]):
			m.find(path, report.Errorf(m.at, "settings.%s is not a table", dotted(path)).
				To("write it as [settings.%s]", dotted(path)))
		case m.known(path, table[key]):
			m.put(path, table[key])
		}
	}
}

// known reports whether the setting may have the value. A setting that the model does not know may be one of a newer
// Bottlerocket.
func (m merge) known(path []string, value any) bool {
	if rows, _ := value.([]any); m.isRows(path, value) {
		return m.rows(path, rows)
	}
	row, name, found := m.index.find(path)
	key := "settings." + dotted(path)
	switch {
	case !found && m.strict:
		m.find(path, report.Errorf(m.at, "machineadm does not know %s", key).To("check its spelling, or leave strict out"))
		return false
	case !found:
		m.find(path, report.Warningf(m.at, "machineadm does not know %s; Bottlerocket rejects the whole user data if it "+
			"does not know it either", key))
		return true
	}
	r, refused := m.refusal(row, name, path, value)
	if refused {
		m.find(path, report.Errorf(m.at, "%s", r.why).To("%s", r.instead))
	}
	return !refused
}

// isRows reports whether the value is a list where the model has a list of tables.
func (m merge) isRows(path []string, value any) bool {
	_, is := value.([]any)
	return is && m.index.branch(append(append([]string{}, path...), "[]"))
}

// rows holds each field of the tables in a list against the model.
func (m merge) rows(path []string, rows []any) bool {
	before := len(m.findings)
	for _, row := range rows {
		fields, is := row.(map[string]any)
		if !is {
			m.find(path, report.Errorf(m.at, "settings.%s is not a list of tables", dotted(path)).
				To("write each as [[settings.%s]]", dotted(path)))
		}
		for _, key := range sortedKeys(fields) {
			m.known(append(append([]string{}, path...), "[]", key), fields[key])
		}
	}
	return !m.findings[before:].HasErrors()
}

// put writes the value, unless machineadm or another snippet has written it.
func (m merge) put(path []string, value any) {
	table, last := m.settings.table(path[:len(path)-1]), path[len(path)-1]
	if _, there := table[last]; there {
		m.find(path, report.Errorf(m.at, "settings.%s is set at %s already", dotted(path), m.writer(path)).To(
			"remove one of them",
		))
		return
	}
	table[last] = value
	m.written[dotted(path)] = m.at
}

// writer returns the place that wrote the setting, or one below it.
func (m merge) writer(path []string) report.Path {
	key := dotted(path)
	if at, exact := m.written[key]; exact {
		return at
	}
	for _, written := range sortedKeys(m.written) {
		if strings.HasPrefix(written, key+".") {
			return m.written[written]
		}
	}
	return "spec"
}

// maxLines limits the findings of all snippets whose lines are searched for in the text.
const maxLines = 100

// find adds the finding with the first line that contains the last part of the path.
func (m merge) find(path []string, f report.Finding) {
	if len(m.findings) >= maxLines {
		m.findings = append(m.findings, f)
		return
	}
	for i, line := range m.lines {
		if at := strings.Index(line, path[len(path)-1]); at >= 0 && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			f.Line, f.Column = i+1, at+1
			break
		}
	}
	m.findings = append(m.findings, f)
}
