package facts_test

import (
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/test/golden"
)

// meanings describes each fact for the page.
func meanings() map[document.Fact]string {
	return map[document.Fact]string{
		document.FactHostname: "the name by which the cloud provider finds the node: the private DNS name on AWS and " +
			"Outscale, and the first label of the host name elsewhere",
		document.FactShortHostname: "the first label of the host name",
		document.FactFQDN:          "the host name with its domain; a machine whose platform sets no domain fails",
		document.FactPrivateIPv4:   "the first private IPv4 address",
		document.FactPublicIPv4:    "the first public IPv4 address",
		document.FactIPv6:          "the first IPv6 address with global scope that is neither temporary nor deprecated",
		document.FactInstanceID:    "the identifier of the platform; on OpenStack the UUID",
		document.FactRegion:        "the region",
		document.FactZone:          "the availability zone; on Oracle Cloud only with cloud-init",
		"metadata.uuid":            "the UUID of OpenStack and Metal3",
		"metadata.provider_id":     "the provider ID of Proxmox",
	}
}

// path is the page, and header the line before the rows of its table.
const (
	path   = "../../docs/facts.md"
	header = "\n|---|---|---|---|---|---|\n"
)

// TestPage generates the end of the page, from the rows of the table. UPDATE=1 writes it.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	prose, _, _ := strings.Cut(string(page), header)
	b.WriteString(prose + header)
	for _, f := range append(document.Facts(), "metadata.uuid", "metadata.provider_id") {
		name := "`" + string(f) + "`"
		if path, ok := f.MetadataPath(); ok {
			name = "`metadata: " + path + "`"
		}
		if meanings()[f] == "" {
			t.Errorf("%s has no description", f)
		}
		b.WriteString("| " + name + " | " + meanings()[f] + " | " + code(facts.InstanceData(f, "")) + " | " +
			code(facts.Variables(f)) + " | " + own(facts.Fallback(f, true)) + " | " + own(facts.Fallback(f, false)) + " |\n")
	}
	b.WriteString("\nOn " + strings.Join(facts.FullNameClouds(), " and ") + ", `hostname` is " +
		code(facts.InstanceData(document.FactHostname, facts.FullNameClouds()[0])) + " of cloud-init.\n\nThese variables " +
		"are not sources, because the API of the platform uses other values, which cloud-init provides:\n" + ignored() +
		". On OpenStack, afterburn provides the UUID since 5.5.0.\n\nInfrastructure providers write further files:\n\n")
	for _, file := range facts.ProviderFiles() {
		b.WriteString("- `" + file.Path + "`\n")
	}
	windows(&b)
	golden.File(t, path, []byte(b.String()))
}

func ignored() string {
	var names []string
	for _, f := range document.Facts() {
		names = append(names, facts.IgnoredVariables(f)...)
	}
	return code(names)
}

// windows writes the sources of facts on Windows.
func windows(b *strings.Builder) {
	b.WriteString(`
## Windows

Windows knows ` + "`hostname`, `shortHostname` and `privateIPv4`" + ` itself. The address is the first one of the
interface with the best default route. On Amazon EC2 and Oracle Cloud, the program asks the metadata service for further
facts, and for the host names on EC2, so that they are the same as on other systems. Other facts are refused with a
finding. The infrastructure of the machine determines its metadata service.

| fact | metadata service | address |
|---|---|---|
`)
	for _, service := range facts.Services() {
		for _, f := range document.Facts() {
			if path := service.Path(f); path != "" {
				b.WriteString("| `" + string(f) + "` | " + string(service) + " | `http://169.254.169.254" + path + "` |\n")
			}
		}
	}
}

func code(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

// own names the source of the running system.
func own(s facts.SystemFact) string {
	switch s {
	case facts.SystemHostname, facts.SystemFQDN:
		return "the kernel's host name"
	case facts.SystemAddress, facts.SystemIPv6:
		return "the network interfaces"
	case facts.SystemNone:
	}
	return ""
}
