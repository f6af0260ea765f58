package bottlerocket

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// settings collects the settings of the output and the findings.
type settings struct {
	index index
	// release is that of the machine; empty means a current one.
	release string
	// kubernetesVersion is that of the machine.
	kubernetesVersion string
	tree              map[string]any
	findings          report.Report
	// written are the places of the documents that wrote each setting, by its path.
	written map[string]report.Path
}

func newSettings(t osprofile.Target) *settings {
	return &settings{
		index: known(), release: t.Release, kubernetesVersion: t.KubernetesVersion,
		tree: map[string]any{}, written: map[string]report.Path{},
	}
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
	if !found {
		s.instead(at, "check its name, or remove it", "Bottlerocket has no settings.%s", dotted(path))
		return false
	}
	r, refused := s.refusal(row, name, path, value)
	if refused {
		s.instead(at, r.instead, "%s", r.why)
	}
	return !refused
}

// refusal returns why the machine's Bottlerocket does not accept the value for a setting of the model, if so. The name
// is the user's in the path.
func (s *settings) refusal(row setting, name string, path []string, value any) (r refusal, refused bool) {
	key := "settings." + dotted(path)
	switch {
	case row.name.ok != nil && !row.name.ok(name):
		return refusal{fmt.Sprintf("%q is not a valid name in settings.%s", name, row.key), "write " + row.name.takes}, true
	case row.since != "" && s.before(row.since):
		return refusal{
			fmt.Sprintf("Bottlerocket has %s since %s, but the machine has %s", key, row.since, s.release),
			"leave it out, or use a newer release",
		}, true
	case !row.is.ok(value):
		return refusal{key + " does not take this value", "write " + row.is.takes}, true
	}
	items, _ := value.([]any)
	for _, item := range items {
		if word, _ := item.(string); row.words[word] != "" && s.before(row.words[word]) {
			return refusal{
				fmt.Sprintf("Bottlerocket takes %s in %s since %s, but the machine has %s", word, key, row.words[word], s.release),
				"leave it out, or use a newer release",
			}, true
		}
	}
	return refusal{}, false
}

// before reports whether the machine has an older release than the given one. An unknown release is a current one.
func (s *settings) before(release string) bool {
	return s.release != "" && osprofile.CompareReleases(s.release, release) < 0
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
