//go:build linux

package linux

import (
	"bufio"
	"bytes"
	"context"
	"regexp"
	"runtime"
	"strings"

	"github.com/machineadm/machineadm/domain/osprofile"
)

// Detect detects the operating system by os-release(5), and the containerd version. Values of the hint
// take precedence. A distribution without a profile uses the profile of its closest known ancestor.
func (h *Host) Detect(ctx context.Context, hint osprofile.Target) (osprofile.Target, error) {
	t := hint
	release := h.osRelease()
	if t.Profile.ID == "" {
		t.Profile = profile(release)
		t.Release = release["VERSION_ID"]
	}
	if t.Architecture == "" {
		t.Architecture = runtime.GOARCH
	}
	if t.ContainerdVersion == 0 {
		t.ContainerdVersion = h.containerdConfig(ctx)
	}
	return t, nil
}

// osRelease returns the fields of os-release(5).
func (h *Host) osRelease() map[string]string {
	fields := map[string]string{}
	data, err := h.tree.read("/etc/os-release")
	if err != nil {
		data, _ = h.tree.read("/usr/lib/os-release")
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		if key, value, found := strings.Cut(lines.Text(), "="); found {
			fields[key] = strings.Trim(value, `"'`)
		}
	}
	return fields
}

// profile returns the profile of the distribution or of the first known ID in ID_LIKE. An unknown distribution gets a
// profile without specific features; documents that need them are refused with its name.
func profile(release map[string]string) osprofile.Profile {
	ids := append([]string{distribution(release)}, strings.Fields(release["ID_LIKE"])...)
	for _, id := range ids {
		if p, known := osprofile.Find(strings.ToLower(id), release["VERSION_ID"]); known {
			return p
		}
	}
	return osprofile.Profile{ID: release["ID"], Name: release["PRETTY_NAME"], BinDir: "/usr/local/bin"}
}

// distribution returns the name of the profile. It is the ID of os-release(5), except where several systems share one
// ID. RHEL CoreOS has the ID rhel since OpenShift 4.19 (kubernetes-sigs/blob-csi-driver issue 2386).
func distribution(release map[string]string) string {
	variants := map[string]string{"fedora": "fedora-coreos", "rhel": "rhcos"}
	if name, shared := variants[release["ID"]]; shared && release["VARIANT_ID"] == "coreos" {
		return name
	}
	return release["ID"]
}

// containerdVersion matches the version in the output of containerd --version.
var containerdVersion = regexp.MustCompile(`\bv?(\d+)\.(\d+)\.\d+`)

// containerdConfig returns the configuration version that the installed containerd reads, or 0 without containerd.
func (h *Host) containerdConfig(ctx context.Context) int {
	if !h.run.has("containerd") {
		return 0
	}
	out, err := h.run.program(ctx, nil, "containerd", "--version")
	found := containerdVersion.FindSubmatch(out)
	if err != nil || found == nil {
		return 0
	}
	if string(found[1]) == "1" {
		return 2
	}
	return 3
}
