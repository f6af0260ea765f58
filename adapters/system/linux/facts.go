//go:build linux

package linux

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/ports"
)

// Facts asks, in this order: cloud-init's data of the instance, the metadata files of afterburn and its forks, and the system
// itself. It implements ports.Facts.
type Facts struct{ *Host }

// instanceData is where cloud-init keeps what it found out.
const instanceData = "/run/cloud-init/instance-data.json"

// metadataFiles are those of afterburn, as Fedora CoreOS and Flatcar have it.
func metadataFiles() []string {
	return []string{"/run/metadata/afterburn", "/run/metadata/flatcar", "/run/metadata/coreos"}
}

// Lookup returns the value of the fact, or ErrNoFact.
func (f Facts) Lookup(_ context.Context, fact document.Fact) (string, error) {
	for _, ask := range []func(document.Fact) string{f.cloudInit, f.metadata, system} {
		if value := ask(fact); value != "" {
			return value, nil
		}
	}
	return "", fmt.Errorf("%s: %w", fact, ports.ErrNoFact)
}

// cloudInit looks the fact up in the paths where cloud-init's data sources have it.
func (f Facts) cloudInit(fact document.Fact) string {
	paths := map[document.Fact][]string{
		document.FactHostname:    {"v1.local_hostname"},
		document.FactInstanceID:  {"v1.instance_id"},
		document.FactRegion:      {"v1.region"},
		document.FactZone:        {"v1.availability_zone"},
		document.FactPrivateIPv4: {"ds.meta_data.local_ipv4", "ds.meta_data.local-ipv4", "ds.meta_data.private_ipv4"},
		document.FactPublicIPv4:  {"ds.meta_data.public_ipv4", "ds.meta_data.public-ipv4"},
	}
	data, err := f.tree.read(instanceData)
	var all map[string]any
	if err != nil || json.Unmarshal(data, &all) != nil {
		return ""
	}
	for _, path := range paths[fact] {
		if value := dig(all, strings.Split(path, ".")); value != "" && value != "None" {
			return value
		}
	}
	return ""
}

func dig(from any, path []string) string {
	for _, key := range path {
		object, _ := from.(map[string]any)
		from = object[key]
	}
	value, _ := from.(string)
	return value
}

// metadata looks the fact up in an environment file. The prefix of a name is the platform's; what follows is not.
func (f Facts) metadata(fact document.Fact) string {
	suffixes := map[document.Fact][]string{
		document.FactHostname:    {"_HOSTNAME"},
		document.FactInstanceID:  {"_INSTANCE_ID"},
		document.FactRegion:      {"_REGION"},
		document.FactZone:        {"_AVAILABILITY_ZONE", "_ZONE"},
		document.FactPrivateIPv4: {"_IPV4_LOCAL", "_IPV4_PRIVATE", "_IPV4_PRIVATE_0"},
		document.FactPublicIPv4:  {"_IPV4_PUBLIC", "_IPV4_PUBLIC_0"},
	}
	for _, file := range metadataFiles() {
		data, err := f.tree.read(file)
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			key, value, _ := strings.Cut(lines.Text(), "=")
			for _, suffix := range suffixes[fact] {
				if strings.HasSuffix(key, suffix) && value != "" {
					return value
				}
			}
		}
	}
	return ""
}

// system asks the running system.
func system(fact document.Fact) string {
	switch fact {
	case document.FactHostname:
		name, err := os.Hostname()
		if err != nil || name == "localhost" {
			return ""
		}
		return name
	case document.FactPrivateIPv4:
		return firstPrivate()
	default:
		return ""
	}
}

// firstPrivate returns the first private IPv4 address of an interface that is up.
func firstPrivate() string {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsPrivate() {
			return n.IP.String()
		}
	}
	return ""
}
