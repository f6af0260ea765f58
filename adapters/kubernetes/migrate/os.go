package migrate

import (
	"strings"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// systemOf returns the operating system of the machines of a spec.
func (c *conversion) systemOf(d *manifest, in field) OS {
	if c.options.OS.Distribution != "" {
		return c.options.OS
	}
	if in.get("format").is("ignition") {
		d.add(in.get("format"), Note,
			"the operating system is Flatcar, because the format is ignition; set --os for another one")
		return OS{Distribution: "flatcar"}
	}
	d.add(in, Decision, "the operating system is not known, Ubuntu is assumed; convert again with --os")
	return OS{Distribution: "ubuntu"}
}

// needsImage reports whether a system installs Kubernetes by default. The images of the kubeadm provider contain it.
func needsImage(p osprofile.Profile) bool { return p.Provision != machine.ProvisionImage }

func trimVersion(s string) string { return strings.TrimPrefix(s, "v") }

// groupOf returns the group of an apiVersion.
func groupOf(f field) string {
	group, _, _ := strings.Cut(f.get("apiVersion").text(), "/")
	return group
}
