package bottlerocket

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// settings collects the settings of the output and the findings.
type settings struct {
	index index
	// release is that of the machine; empty means a current one.
	release  string
	tree     map[string]any
	findings report.Report
	// written are the places of the documents that wrote each setting, by its path.
	written map[string]report.Path
}

func newSettings(release string) *settings {
	return &settings{index: known(), release: release, tree: map[string]any{}, written: map[string]report.Path{}}
}

// set writes the value at the path below settings, if the model takes it. The finding is at the field and does not
// repeat the value, which may be secret. It reports whether the value was taken.
func (s *settings) set(at report.Path, value any, path ...string) bool {
	if !s.allowed(at, value, path) {
		return false
	}
	table := s.table(path[:len(path)-1])
	table[path[len(path)-1]] = value
	s.written[dotted(path)] = at
	return true
}

// allowed holds the value against the model.
func (s *settings) allowed(at report.Path, value any, path []string) bool {
	row, name, found := s.index.find(path)
	key := "settings." + dotted(path)
	switch {
	case !found:
		s.instead(at, "check its name, or remove it", "Bottlerocket has no %s", key)
	case row.name.ok != nil && !row.name.ok(name):
		s.instead(at, "write "+row.name.takes, "%q is not a valid name in settings.%s", name, row.key)
	case row.since != "" && s.release != "" && osprofile.CompareReleases(s.release, row.since) < 0:
		s.instead(at, "leave it out, or use a newer release", "Bottlerocket has %s since %s, but the machine has %s", key,
			row.since, s.release)
	case !row.is.ok(value):
		s.instead(at, "write "+row.is.takes, "%s does not take this value", key)
	default:
		return true
	}
	return false
}

// table returns the table at the path and creates it if necessary. Only tables are above a setting.
func (s *settings) table(path []string) map[string]any {
	table := s.tree
	for _, part := range path {
		next, _ := table[part].(map[string]any)
		if next == nil {
			next = map[string]any{}
			table[part] = next
		}
		table = next
	}
	return table
}

// add appends a table to the list at the path, if the model takes all its values.
func (s *settings) add(at report.Path, row map[string]any, path ...string) {
	for _, key := range sortedKeys(row) {
		if !s.allowed(at, row[key], append(slices.Clone(path), "[]", key)) {
			return
		}
	}
	table, last := s.table(path[:len(path)-1]), path[len(path)-1]
	rows, _ := table[last].([]map[string]any)
	table[last] = append(rows, row)
	s.written[dotted(path)] = at
}

// instead adds an error finding with a remedy.
func (s *settings) instead(at report.Path, remedy, message string, args ...any) {
	s.findings = append(s.findings, report.Errorf(at, message, args...).To("%s", remedy))
}

func (s *settings) warn(at report.Path, message string, args ...any) {
	s.findings = append(s.findings, report.Warningf(at, message, args...))
}

func (s *settings) inform(at report.Path, message string, args ...any) {
	s.findings = append(s.findings, report.Infof(at, message, args...))
}

// dotted writes a path as TOML does; parts with a dot in them are quoted.
func dotted(path []string) string {
	parts := slices.Clone(path)
	for i, p := range parts {
		if strings.ContainsAny(p, "./ ") {
			parts[i] = `"` + p + `"`
		}
	}
	return strings.Join(parts, ".")
}
