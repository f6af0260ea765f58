package osprofile

import (
	"sync"

	"github.com/machineadm/machineadm/domain/delivery"
)

// entry contains the constructor of a profile, so that callers do not share slices and maps.
type entry struct {
	id    string
	build func() Profile
}

// entries is the one list of profiles, in the order of their names. It is not modified.
var entries = sync.OnceValue(func() []entry { //nolint:gochecknoglobals // it never varies
	return []entry{
		{"almalinux", almaLinux},
		{"amazon-linux-2", amazonLinux2},
		{"amazon-linux-2023", amazonLinux2023},
		{"azurelinux", azureLinux},
		{"bottlerocket", bottlerocket},
		{"centos", centOS},
		{"debian", debian},
		{"fedora", fedora},
		{"fedora-coreos", fedoraCoreOS},
		{"flatcar", flatcar},
		{"ol", oracleLinux},
		{"openeuler", openEuler},
		{"opensuse-leap", leap},
		{"opensuse-leap-micro", leapMicro},
		{"opensuse-microos", microOS},
		{"photon", photon},
		{"rhcos", rhcos},
		{"rhel", rhel},
		{"rhel-edge", rhelEdge},
		{"rocky", rockyLinux},
		{"sle-micro", sleMicro},
		{"sles", sles},
		{"talos", talos},
		{"ubuntu", ubuntu},
		{"windows-server-2019", windowsServer2019},
		{"windows-server-2022", windowsServer2022},
		{"windows-server-2025", windowsServer2025},
	}
})

// Builtin returns all profiles, in the order of their names. The caller may modify them.
func Builtin() []Profile {
	list := entries()
	profiles := make([]Profile, len(list))
	for i, e := range list {
		profiles[i] = e.build()
	}
	return profiles
}

// alias is an ID of os-release(5) of a system whose profile has another ID.
type alias struct {
	id string
	// release is the first number of the releases that the alias is for; empty means all other releases.
	release string
	profile string
}

// aliases returns the IDs of os-release(5) that are not the ID of a profile (docs.aws.amazon.com/linux/al2 and al2023:
// Identifying Amazon Linux images, 2026-11; SUSE Linux Micro 6.0 release notes, 2026-11).
func aliases() []alias {
	return []alias{
		{id: "amzn", release: "2", profile: "amazon-linux-2"},
		{id: "amzn", profile: "amazon-linux-2023"},
		{id: "openEuler", profile: "openeuler"},
		{id: "sl-micro", profile: "sle-micro"},
	}
}

// Lookup returns the profile with the ID, or with the ID of os-release(5), and whether it exists.
func Lookup(id string) (Profile, bool) { return Find(id, "") }

// Find returns the profile with the ID, or with the ID and release of os-release(5), and whether it exists.
func Find(id, release string) (Profile, bool) {
	for _, a := range aliases() {
		if a.id == id && (a.release == "" || a.release == major(release)) {
			id = a.profile
		}
	}
	for _, e := range entries() {
		if e.id == id {
			return e.build(), true
		}
	}
	return Profile{}, false
}

// IDs returns the names of all profiles, in their order.
func IDs() []string {
	list := entries()
	ids := make([]string, len(list))
	for i, e := range list {
		ids[i] = e.id
	}
	return ids
}

// systemdArchitectures maps GOARCH to the names of ConditionArchitecture= in systemd.unit(5), which the file names of
// system extension images contain.
func systemdArchitectures() map[string]string {
	return map[string]string{"amd64": "x86-64", "arm64": "arm64"}
}

// cloudInit returns the formats of a system whose images contain cloud-init. #cloud-config has no versions.
func cloudInit(source string) []FormatSupport {
	return []FormatSupport{{Format: delivery.FormatCloudInit, Source: source}}
}
