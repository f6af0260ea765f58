package migrate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// image is a pattern of names of images. Its groups are the version, unless version is set.
type image struct {
	pattern               *regexp.Regexp
	distribution, version string
}

// images are the patterns of names, the most specific first. Sources: the names that image-builder, the infrastructure
// providers and the vendors use (image-builder images/capi/packer, July 2026).
func images() []image {
	re := regexp.MustCompile
	return []image{
		{pattern: re(`(?i)ubun(?:tu|2)?[-_ ]?(\d\d)[.-]?(04|10)\b`), distribution: "ubuntu"},
		{pattern: re(`(?i)ubuntu.*focal|focal.*server`), distribution: "ubuntu", version: "20.04"},
		{pattern: re(`(?i)ubuntu.*jammy|jammy.*server`), distribution: "ubuntu", version: "22.04"},
		{pattern: re(`(?i)ubuntu.*noble|noble.*server`), distribution: "ubuntu", version: "24.04"},
		{pattern: re(`(?i)flatcar[^0-9$]*(\d{4}\.\d+\.\d+)?`), distribution: "flatcar"},
		{pattern: re(`(?i)(?:windows|win)[-_a-z]*2025`), distribution: "windows-server-2025"},
		{pattern: re(`(?i)(?:windows|win)[-_a-z]*2022`), distribution: "windows-server-2022"},
		{pattern: re(`(?i)(?:windows|win)[-_a-z]*2019`), distribution: "windows-server-2019"},
		{pattern: re(`(?i)rocky(?:linux)?[-_ ]?(\d+)?`), distribution: "rocky"},
		{pattern: re(`(?i)\balma(?:linux)?[-_ ]?(\d+)?`), distribution: "almalinux"},
		{pattern: re(`(?i)centos[-_a-z ]*(\d+)?`), distribution: "centos"},
		{pattern: re(`(?i)\brhel[-_ ]?(\d+)?`), distribution: "rhel"},
		{pattern: re(`(?i)photon[-_ ]?(\d)?`), distribution: "photon"},
		{pattern: re(`(?i)debian[-_ ]?(\d+)?`), distribution: "debian"},
		{pattern: re(`(?i)fedora-?coreos|\bfcos\b`), distribution: "fedora-coreos"},
		{pattern: re(`(?i)\bfedora(?:-cloud)?[-_ ]?(\d+)?`), distribution: "fedora"},
		{pattern: re(`(?i)\b(?:azure-?linux|azl)[-_ ]?(\d)?`), distribution: "azurelinux"},
		{pattern: re(`(?i)oracle-?linux[-_ ]?(\d+)?`), distribution: "ol"},
		{pattern: re(`(?i)opensuse-leap-micro[-_ ]?(\d+\.\d+)?`), distribution: "opensuse-leap-micro"},
		{pattern: re(`(?i)opensuse-?leap[-_ ]?(\d+(?:\.\d+)?)?`), distribution: "opensuse-leap"},
		{pattern: re(`(?i)\bsles[-_ ]?(\d+)?`), distribution: "sles"},
		{pattern: re(`(?i)amazon-?linux-?2\b|\bamazon-2\b`), distribution: "amazon-linux-2"},
		{pattern: re(`(?i)openeuler`), distribution: "openeuler"},
		{pattern: re(`(?i)amazon-?linux-?2023|\bal2023\b`), distribution: "amazon-linux-2023"},
		{pattern: re(`(?i)bottlerocket`), distribution: "bottlerocket"},
		{pattern: re(`kindest/node`), distribution: "debian", version: "12"},
		{pattern: re(`(?i)\bubuntu\b`), distribution: "ubuntu"},
	}
}

// defaults are the systems of the images that infrastructure providers use if none is named. Sources, November 2026:
// DefaultLinuxGalleryImageName of CAPZ (azure/defaults.go), defaultMachineAMILookupBaseOS of CAPA
// (pkg/cloud/services/ec2/ami.go), and the base image of kind (images/base/Dockerfile), of which kindest/node is made.
func defaults() map[string]OS {
	azure, docker := OS{"ubuntu", "24.04"}, OS{"debian", "12"}
	return map[string]OS{
		"AzureMachine": azure, "AzureMachinePool": azure, "AWSMachine": {"ubuntu", "24.04"},
		"AWSMachinePool": {"ubuntu", "24.04"}, "DockerMachine": docker, "DockerMachinePool": docker, "DevMachine": docker,
		"DevMachinePool": docker,
	}
}

// systemIn returns the operating system that a text names.
func systemIn(s string) (OS, bool) {
	for _, i := range images() {
		match := i.pattern.FindStringSubmatch(s)
		if match == nil {
			continue
		}
		if _, known := osprofile.Lookup(i.distribution); !known {
			continue
		}
		os := OS{Distribution: i.distribution, Version: i.version}
		if groups := match[1:]; len(groups) > 0 && groups[0] != "" {
			os.Version = strings.Join(groups, ".")
		}
		return os, true
	}
	return OS{}, false
}

// systemOf returns the operating system of the machines of a spec, and reports its source.
func (c *conversion) systemOf(d *manifest, in field) OS {
	if c.options.OS.Distribution != "" {
		return c.options.OS
	}
	machines := c.machinesOf(d)
	for _, m := range machines {
		if os, source, ok := systemOfObject(m); ok {
			d.add(in, Note, "the operating system is %s, as in %s", os, source)
			return os
		}
	}
	if in.get("format").is("ignition") {
		d.add(in.get("format"), Note,
			"the operating system is Flatcar, because the format is ignition; set --os for another one")
		return OS{Distribution: "flatcar"}
	}
	if windows(in) {
		d.add(in, Note,
			"the operating system is Windows Server 2022, because paths begin with a drive; set --os for another one")
		return OS{Distribution: "windows-server-2022"}
	}
	for _, m := range machines {
		if os, ok := defaults()[infrastructure.KindOf(m.kind())]; ok {
			d.add(in, Note, "the operating system is %s, that of the default image of %s; set --os for another one", os,
				m.kind())
			return os
		}
	}
	d.add(in, Decision, "the operating system is not known, Ubuntu is assumed; convert again with --os")
	return OS{Distribution: "ubuntu"}
}

// String returns the distribution and the version.
func (o OS) String() string { return strings.TrimSpace(o.Distribution + " " + o.Version) }

// systemOfObject returns the operating system that an object of an infrastructure provider names, and the field.
func systemOfObject(m *manifest) (OS, string, bool) {
	spec := m.field().get("spec")
	if os, source, ok := systemOfField(m, spec); ok {
		return os, source, ok
	}
	if strings.HasPrefix(m.kind(), "Azure") && spec.contains("Windows") {
		return OS{Distribution: "windows-server-2022"}, m.object, true
	}
	return OS{}, "", false
}

// imageFields are parts of the names of fields that contain images.
var imageFields = regexp.MustCompile(
	`(?i)image|template|baseos|sku|offer|\bos\b|ami|gallery|slug|url|name$|filter|marketplace|disk|checksum|version`)

func systemOfField(m *manifest, f field) (OS, string, bool) {
	if f.node == nil {
		return OS{}, "", false
	}
	if s := f.text(); s != "" && imageFields.MatchString(string(f.path)) {
		if os, ok := systemIn(s); ok {
			return os, fmt.Sprintf("%s of %s", f.path, m.object), true
		}
	}
	for _, child := range append(f.children(), f.items()...) {
		if os, source, ok := systemOfField(m, child); ok {
			return os, source, ok
		}
	}
	return OS{}, "", false
}

// contains reports whether one of the scalars below the field is the text.
func (f field) contains(value string) bool {
	if f.text() == value {
		return true
	}
	return slices.ContainsFunc(append(f.children(), f.items()...), func(c field) bool { return c.contains(value) })
}

// windows reports whether the spec is for Windows.
func windows(in field) bool {
	for _, f := range in.get("files").items() {
		if windowsPath.MatchString(f.get("path").text()) {
			return true
		}
	}
	socket := in.get("joinConfiguration", "nodeRegistration", "criSocket")
	return strings.HasPrefix(socket.text(), "npipe")
}

// needsImage reports whether a system installs Kubernetes by default. The images of the kubeadm provider contain it.
func needsImage(p osprofile.Profile) bool { return p.Provision != machine.ProvisionImage }

func trimVersion(s string) string { return strings.TrimPrefix(s, "v") }

// groupOf returns the group of an apiVersion.
func groupOf(f field) string {
	group, _, _ := strings.Cut(f.get("apiVersion").text(), "/")
	return group
}
