//go:build linux

package linux

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
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

// metadata looks the fact up in the metadata files of the profiles and of infrastructure providers.
func (f Facts) metadata(fact document.Fact) string {
	for _, file := range metadataFiles() {
		data, err := f.tree.read(file.Path)
		if err != nil {
			continue
		}
		if value := variable(environment(string(data)), file.Prefix, fact); value != "" {
			return value
		}
	}
	return ""
}

func metadataFiles() []facts.File {
	var files []facts.File
	for _, p := range osprofile.Builtin() {
		if p.Metadata != nil {
			files = append(files, facts.File{Path: p.Metadata.File, Prefix: p.Metadata.Prefix})
		}
	}
	return append(files, facts.ProviderFiles()...)
}

// variable returns the value of the first variable that is set. A file contains the variables of one platform only.
func variable(values map[string]string, prefix string, fact document.Fact) string {
	full := regexp.MustCompile("^" + regexp.QuoteMeta(prefix) + "(" + strings.Join(facts.FullNamePlatforms(), "|") + ")_")
	for _, name := range facts.Variables(fact) {
		pattern := regexp.MustCompile("^" + regexp.QuoteMeta(prefix) + facts.Platform + name + "$")
		for key, value := range values {
			if value == "" || !pattern.MatchString(key) || strings.HasSuffix(key, facts.IgnoredVariable) {
				continue
			}
			if value = facts.Shorten(fact, value, full.MatchString(key)); value != "" {
				return value
			}
		}
	}
	return ""
}
