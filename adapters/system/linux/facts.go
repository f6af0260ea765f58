//go:build linux

package linux

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
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
		value = system(facts.Fallback(fact, byCloudInit))
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
		if value := dig(data, path); value != "" && !slices.Contains(facts.EmptyValues(), value) {
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

// metadata looks the fact up in the metadata files of the profiles.
func (f Facts) metadata(fact document.Fact) string {
	for _, p := range osprofile.Builtin() {
		if p.Metadata == nil {
			continue
		}
		data, err := f.tree.read(p.Metadata.File)
		if err != nil {
			continue
		}
		if value := variable(environment(string(data)), p.Metadata.Prefix, facts.Variables(fact)); value != "" {
			return value
		}
	}
	return ""
}

// variable returns the value of the first variable that is set. A file contains the variables of one platform only.
func variable(values map[string]string, prefix string, names []string) string {
	for _, name := range names {
		pattern := regexp.MustCompile("^" + regexp.QuoteMeta(prefix) + facts.Platform + name + "$")
		for key, value := range values {
			if value != "" && pattern.MatchString(key) {
				return value
			}
		}
	}
	return ""
}

// system returns the fact that the running system itself provides.
func system(own facts.SystemFact) string {
	switch own {
	case facts.SystemHostname:
		name, err := os.Hostname()
		if err != nil || name == facts.NoHostname {
			return ""
		}
		return name
	case facts.SystemAddress:
		return firstGlobal()
	case facts.SystemNone:
	}
	return ""
}

// firstGlobal returns the first IPv4 address with global scope, in the order of the interfaces.
func firstGlobal() string {
	interfaces, err := net.Interfaces()
	if err != nil {
		return ""
	}
	for _, i := range interfaces {
		addresses, err := i.Addrs()
		if err != nil {
			continue
		}
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
				return n.IP.String()
			}
		}
	}
	return ""
}
