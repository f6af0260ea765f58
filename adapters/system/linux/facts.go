//go:build linux

package linux

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// Facts looks a fact up in cloud-init's instance data, then in the metadata files of afterburn and its forks, and then
// in the system. Package facts lists where each source stores a fact. It implements ports.Facts.
type Facts struct{ *Host }

// instanceData is the file in which cloud-init stores the instance data.
const instanceData = "/run/cloud-init/instance-data.json"

// Lookup returns the value of the fact, or ErrNoFact.
func (f Facts) Lookup(_ context.Context, fact document.Fact) (string, error) {
	data, byCloudInit := f.instance()
	value := instanceFact(data, fact)
	if value == "" {
		value = f.metadata(fact)
	}
	if value == "" {
		value = f.system(fact, facts.Fallback(fact, byCloudInit))
	}
	if value == "" {
		return "", fmt.Errorf("%s: %w", fact, ports.ErrNoFact)
	}
	return value, nil
}

// instance returns cloud-init's instance data, and whether it exists.
func (f Facts) instance() (data map[string]any, found bool) {
	text, err := f.tree.read(instanceData)
	if err != nil {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return data, decoder.Decode(&data) == nil
}

// instanceFact looks the fact up at the paths that cloud-init's data sources use.
func instanceFact(data map[string]any, fact document.Fact) string {
	for _, path := range facts.InstanceData(fact, dig(data, facts.CloudName)) {
		value := dig(data, path)
		if fact == document.FactFQDN {
			value = facts.Shorten(fact, value, true)
		}
		if value != "" && !slices.Contains(facts.EmptyValues(), value) {
			return value
		}
	}
	return ""
}

func dig(data map[string]any, path string) string {
	var value any = data
	for key := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = element(object, key)
	}
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	default:
		return ""
	}
}

// element returns the value of the key. Keys may contain hyphens instead of underscores.
func element(object map[string]any, key string) any {
	if value, found := object[key]; found {
		return value
	}
	for name, value := range object {
		if strings.ReplaceAll(name, "-", "_") == key {
			return value
		}
	}
	return nil
}

// metadata looks the fact up in the metadata files. The first variable in the order of facts.Variables has the value.
// Of several variables with a name, such as those of two platforms, it is that of the first line of the first file.
func (f Facts) metadata(fact document.Fact) string {
	variables, prefixes := f.variables()
	prefix := "^(" + strings.Join(prefixes, "|") + ")"
	full := regexp.MustCompile(prefix + "(" + strings.Join(facts.FullNamePlatforms(), "|") + ")_")
	for _, name := range facts.Variables(fact) {
		pattern := regexp.MustCompile(prefix + facts.Platform + name + "$")
		for _, v := range variables {
			if !pattern.MatchString(v.name) || isIgnored(fact, v.name) {
				continue
			}
			if value := facts.Shorten(fact, v.value, full.MatchString(v.name)); value != "" {
				return value
			}
		}
	}
	return ""
}

func isIgnored(fact document.Fact, name string) bool {
	return slices.ContainsFunc(facts.IgnoredVariables(fact), func(end string) bool {
		return strings.HasSuffix(name, "_"+end)
	})
}

// variable is a line of an environment file. The value has no quotes.
type variable struct{ name, value string }

// variables returns the lines of the metadata files of the profiles and of infrastructure providers, and patterns of
// the prefixes that the names can have.
func (f Facts) variables() (lines []variable, prefixes []string) {
	for _, p := range osprofile.Builtin() {
		if p.Metadata == nil {
			continue
		}
		if data, err := f.tree.read(p.Metadata.File); err == nil {
			lines = append(lines, variablesOf(string(data))...)
			prefixes = append(prefixes, regexp.QuoteMeta(p.Metadata.Prefix))
		}
	}
	for _, file := range facts.ProviderFiles() {
		prefixes = append(prefixes, regexp.QuoteMeta(file.Prefix))
		if data, err := f.tree.read(file.Path); err == nil {
			lines = append(lines, variablesOf(string(data))...)
		}
	}
	return lines, prefixes
}

func variablesOf(text string) []variable {
	var all []variable
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if len(value) > 1 && value[0] == '"' && strings.HasSuffix(value, `"`) {
			value = value[1 : len(value)-1]
		}
		all = append(all, variable{name, value})
	}
	return all
}
