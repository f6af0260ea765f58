package osprofile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

func target(t *testing.T, id, release string) osprofile.Target {
	t.Helper()
	p, ok := osprofile.Lookup(id)
	if !ok {
		t.Fatalf("there is no profile %s", id)
	}
	return osprofile.Target{Profile: p, Release: release, Architecture: "amd64"}
}

func TestVersionOf(t *testing.T) {
	cases := map[string]struct {
		reason      string
		id, release string
		format      delivery.Format
		want        string
	}{
		"flatcar now": {
			reason: "no release given is a current one",
			id:     "flatcar", format: delivery.FormatIgnition, want: "3.4.0",
		},
		"flatcar before Ignition 3": {
			reason: "a release older than every entry reads no version of the format",
			id:     "flatcar", release: "3139.2.3", format: delivery.FormatIgnition, want: "",
		},
		"first flatcar with Ignition 3": {
			reason: "since means including",
			id:     "flatcar", release: "3185.0.0", format: delivery.FormatIgnition, want: "3.3.0",
		},
		"later flatcar":       {id: "flatcar", release: "4230.2.4", format: delivery.FormatIgnition, want: "3.4.0"},
		"old flatcar, spec 2": {id: "flatcar", release: "2605.12.0", format: delivery.FormatIgnitionV2, want: "2.3.0"},
		"new flatcar, spec 2": {id: "flatcar", release: "4593.2.1", format: delivery.FormatIgnitionV2, want: "2.3.0"},
		"fedora coreos now": {
			reason: "every supported stream reads it", id: "fedora-coreos", format: delivery.FormatIgnition, want: "3.5.0",
		},
		"fedora coreos 31": {
			id: "fedora-coreos", release: "31.20200517.3.0", format: delivery.FormatIgnition,
			want: "3.0.0",
		},
		"fedora coreos 40": {
			id: "fedora-coreos", release: "40.20240416.3.1", format: delivery.FormatIgnition,
			want: "3.4.0",
		},
		"fedora coreos 44": {
			id: "fedora-coreos", release: "44.20260510.3.0", format: delivery.FormatIgnition,
			want: "3.6.0",
		},
		"rhcos before 4.6": {id: "rhcos", release: "4.5", format: delivery.FormatIgnition, want: ""},
		"rhcos 4.9": {
			reason: "4.9 is before 4.14", id: "rhcos", release: "4.9", format: delivery.FormatIgnition,
			want: "3.2.0",
		},
		"rhcos 4.18":    {id: "rhcos", release: "4.18.3", format: delivery.FormatIgnition, want: "3.4.0"},
		"rhcos 4.22":    {id: "rhcos", release: "4.22.0", format: delivery.FormatIgnition, want: "3.6.0"},
		"sle micro 5.5": {id: "sle-micro", release: "5.5", format: delivery.FormatIgnition, want: "3.3.0"},
		"talos now":     {id: "talos", format: delivery.FormatTalos, want: "1.13"},
		"talos with its v": {
			reason: "os-release has the v", id: "talos", release: "v1.11.2",
			format: delivery.FormatTalos, want: "1.11",
		},
		"talos 1.9": {
			reason: "1.9 is before 1.10", id: "talos", release: "1.9.5",
			format: delivery.FormatTalos, want: "1.9",
		},
		"talos before 1.9":     {id: "talos", release: "1.8.3", format: delivery.FormatTalos, want: ""},
		"microos snapshot":     {id: "opensuse-microos", release: "20261101", format: delivery.FormatIgnition, want: "3.4.0"},
		"leap micro 5.5":       {id: "opensuse-leap-micro", release: "5.5", format: delivery.FormatIgnition, want: "3.3.0"},
		"no versions":          {id: "ubuntu", release: "24.04", format: delivery.FormatCloudInit, want: ""},
		"not read":             {id: "ubuntu", release: "24.04", format: delivery.FormatIgnition, want: ""},
		"butane follows along": {id: "flatcar", release: "3374.2.0", format: delivery.FormatButane, want: "1.0.0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := target(t, tc.id, tc.release).VersionOf(tc.format); got != tc.want {
				t.Errorf("VersionOf(%s) = %q, want %q: %s", tc.format, got, tc.want, tc.reason)
			}
		})
	}
}

func TestVersionOfTakesTheRequestedVersion(t *testing.T) {
	to := target(t, "fedora-coreos", "")
	to.FormatVersion = "3.1.0"
	if got := to.VersionOf(delivery.FormatIgnition); got != "3.1.0" {
		t.Errorf("VersionOf = %q", got)
	}
	if got := to.Newest(delivery.FormatIgnition); got != "3.5.0" {
		t.Errorf("Newest = %q", got)
	}
}

func TestDefaultFormat(t *testing.T) {
	cases := map[string]struct {
		id, release string
		want        delivery.Format
	}{
		"flatcar":                   {id: "flatcar", want: delivery.FormatIgnition},
		"flatcar before Ignition 3": {id: "flatcar", release: "3033.2.0", want: delivery.FormatIgnitionV2},
		"rhcos before Ignition 3":   {id: "rhcos", release: "4.5", want: delivery.FormatIgnition},
		"ubuntu":                    {id: "ubuntu", release: "22.04", want: delivery.FormatCloudInit},
		"windows 2019":              {id: "windows-server-2019", want: delivery.FormatCloudbaseInit},
		"windows 2022":              {id: "windows-server-2022", want: delivery.FormatCloudbaseInit},
		"windows 2025":              {id: "windows-server-2025", want: delivery.FormatCloudbaseInit},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := target(t, tc.id, tc.release).DefaultFormat(); got != tc.want {
				t.Errorf("DefaultFormat() = %s, want %s", got, tc.want)
			}
		})
	}
	if got := (osprofile.Target{}).DefaultFormat(); got != "" {
		t.Errorf("a target without a profile has the format %q", got)
	}
}

func TestContainerdConfigVersion(t *testing.T) {
	cases := map[string]struct {
		reason          string
		id, release     string
		requested, want int
	}{
		"flatcar now":    {reason: "no release is a current one", id: "flatcar", want: 3},
		"flatcar 4459":   {reason: "containerd 2.0.7", id: "flatcar", release: "4459.2.3", want: 3},
		"older flatcar":  {reason: "containerd 1.7", id: "flatcar", release: "3975.2.0", want: 2},
		"ubuntu 24.04":   {id: "ubuntu", release: "24.04", want: 2},
		"ubuntu now":     {reason: "containerd 1.7 refuses version 3", id: "ubuntu", want: 2},
		"ubuntu 25.10":   {id: "ubuntu", release: "25.10", want: 3},
		"asked for":      {reason: "the user knows the image", id: "debian", requested: 4, want: 4},
		"asked for less": {reason: "newer containerd reads older files", id: "flatcar", requested: 2, want: 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			to := target(t, tc.id, tc.release)
			to.ContainerdVersion = tc.requested
			if got := to.ContainerdConfigVersion(); got != tc.want {
				t.Errorf("ContainerdConfigVersion() = %d, want %d: %s", got, tc.want, tc.reason)
			}
		})
	}
	if got := (osprofile.Target{}).ContainerdConfigVersion(); got != 2 {
		t.Errorf("a target without a profile reads version %d", got)
	}
}

// TestContainerdConfigVersionOfAllReleases keeps the version of a profile that has one for all releases.
func TestContainerdConfigVersionOfAllReleases(t *testing.T) {
	to := osprofile.Target{Profile: osprofile.Profile{
		ContainerdConfig: []osprofile.RuntimeVersion{{Version: 3}, {Since: "5", Version: 4}},
	}}
	if got := to.ContainerdConfigVersion(); got != 3 {
		t.Errorf("ContainerdConfigVersion() = %d, want 3", got)
	}
}

// A release before every entry must not fall into the newest one.
func TestContainerdConfigVersionOfAnOlderRelease(t *testing.T) {
	to := osprofile.Target{
		Release: "1",
		Profile: osprofile.Profile{ContainerdConfig: []osprofile.RuntimeVersion{{Since: "5", Version: 4}}},
	}
	if got := to.ContainerdConfigVersion(); got != 2 {
		t.Errorf("ContainerdConfigVersion() = %d, want 2", got)
	}
}

func TestCheck(t *testing.T) {
	spec := report.Path("spec")
	format, release, version := spec.Field("format"), spec.Field("os").Field("version"),
		spec.Field("formatOptions").Field("version")
	cases := map[string]struct {
		reason      string
		id, release string
		format      delivery.Format
		version     string
		want        report.Report
	}{
		"default": {id: "flatcar", format: delivery.FormatIgnition},
		"older than newest": {
			reason: "every engine reads older specifications", id: "fedora-coreos",
			format: delivery.FormatIgnition, version: "3.0.0",
		},
		"newest asked for":   {id: "flatcar", format: delivery.FormatIgnition, version: "3.4.0"},
		"cloud-init":         {id: "debian", release: "12", format: delivery.FormatCloudInit},
		"spec 2 on flatcar":  {id: "flatcar", release: "4230.2.0", format: delivery.FormatIgnitionV2, version: "2.3.0"},
		"butane for flatcar": {id: "flatcar", format: delivery.FormatButane},
		"not read": {
			id: "ubuntu", format: delivery.FormatIgnition,
			want: report.Report{report.Errorf(format, "Ubuntu does not read ignition").To("use cloud-init")},
		},
		"spec 2 on Fedora CoreOS": {
			reason: "it refuses specification 2 at first boot",
			id:     "fedora-coreos", format: delivery.FormatIgnitionV2,
			want: report.Report{report.Errorf(format, "Fedora CoreOS does not read ignition-v2").To("use ignition or butane")},
		},
		"release too old": {
			id: "flatcar", release: "3033.2.0", format: delivery.FormatIgnition,
			want: report.Report{report.Errorf(release, "Flatcar 3033.2.0 does not read ignition; releases since 3185.0.0 do").
				To("use ignition-v2 or a newer release")},
		},
		"release too old for anything": {
			id: "rhcos", release: "4.5", format: delivery.FormatIgnition,
			want: report.Report{report.Errorf(release, "RHEL CoreOS 4.5 does not read ignition; releases since 4.6 do").
				To("use a newer release")},
		},
		"version too new for the release": {
			id: "flatcar", release: "3185.0.0", format: delivery.FormatIgnition, version: "3.4.0",
			want: report.Report{report.Errorf(version,
				"Flatcar 3185.0.0 reads ignition up to version 3.3.0, but 3.4.0 is requested").
				To("use 3.3.0 or leave it out")},
		},
		"version too new for any release": {
			id: "flatcar", format: delivery.FormatIgnition, version: "3.5.0",
			want: report.Report{report.Errorf(version, "Flatcar reads ignition up to version 3.4.0, but 3.5.0 is requested").
				To("use 3.4.0 or leave it out")},
		},
		"another major version": {
			reason: "2.3.0 is less than 3.4.0 and yet another language",
			id:     "flatcar", format: delivery.FormatIgnition, version: "2.3.0",
			want: report.Report{report.Errorf(version, "ignition has no version 2.3.0 that Flatcar supports").To(
				"use 3.4.0 or leave it out",
			)},
		},
		"no version": {
			id: "flatcar", format: delivery.FormatIgnition, version: "3.4",
			want: report.Report{report.Errorf(version, `"3.4" is not a version of ignition`).To("write it as 3.4.0")},
		},
		"talos contract": {id: "talos", release: "v1.12.0", format: delivery.FormatTalos, version: "1.11"},
		"talos contract, too long": {
			reason: "a contract has two numbers",
			id:     "talos", format: delivery.FormatTalos, version: "1.13.0",
			want: report.Report{report.Errorf(version, `"1.13.0" is not a version of talos`).To("write it as 1.13")},
		},
		"version of a format without": {
			id: "ubuntu", format: delivery.FormatCloudInit, version: "1.0.0",
			want: report.Report{report.Errorf(version, "cloud-init has no versions, but version 1.0.0 is requested").
				To("leave the version out")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			to := target(t, tc.id, tc.release)
			to.FormatVersion = tc.version
			if diff := cmp.Diff(tc.want, to.Check(tc.format, spec)); diff != "" {
				t.Errorf("%s\n-want +got\n%s", tc.reason, diff)
			}
		})
	}
}

func TestCheckInstallDisk(t *testing.T) {
	at := report.Path("spec.os.installDisk")
	cases := map[string]struct {
		reason, id, disk string
		format           delivery.Format
		want             string
	}{
		"none": {reason: "the format has a default", id: "talos", format: delivery.FormatTalos},
		"NVMe": {id: "talos", format: delivery.FormatTalos, disk: "/dev/nvme0n1"},
		"link": {
			reason: "it stays the same",
			id:     "talos",
			format: delivery.FormatTalos,
			disk:   "/dev/disk/by-id/ata-X_1",
		},
		"no device": {id: "talos", format: delivery.FormatTalos, disk: "/etc/passwd", want: "is not the path of a device"},
		"parent":    {id: "talos", format: delivery.FormatTalos, disk: "/dev/../etc/x", want: ".."},
		"relative":  {id: "talos", format: delivery.FormatTalos, disk: "sda", want: `"sda"`},
		"alias": {
			reason: "only cloud-init and Azure know this name", id: "talos", format: delivery.FormatTalos, disk: "ephemeral0",
			want: `"ephemeral0"`,
		},
		"newline": {id: "talos", format: delivery.FormatTalos, disk: "/dev/sda\nwipe: true", want: "installDisk"},
		"space":   {id: "talos", format: delivery.FormatTalos, disk: "/dev/sda /dev/sdb", want: "installDisk"},
		"NUL":     {id: "talos", format: delivery.FormatTalos, disk: "/dev/sda\x00", want: "installDisk"},
		"long": {
			id: "talos", format: delivery.FormatTalos, disk: "/dev/" + strings.Repeat("a/", 4000) + "a", want: "installDisk",
		},
		"Ubuntu": {
			reason: "its image is on the disk", id: "ubuntu", format: delivery.FormatCloudInit, disk: "/dev/sda",
			want: "Ubuntu is on the machine's disk before the first boot; remove the field",
		},
		"Flatcar": {
			id: "flatcar", format: delivery.FormatIgnition, disk: "/dev/sda", want: "Flatcar is on the machine's disk",
		},
		"Windows": {
			id: "windows-server-2022", format: delivery.FormatUnattend, disk: "/dev/sda", want: "is on the machine's disk",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			to := target(t, tc.id, "")
			to.InstallDisk = tc.disk
			found := to.Check(tc.format, "spec")
			if found.HasErrors() != (tc.want != "") || !strings.Contains(found.String(), tc.want) {
				t.Errorf("%s: found %s, want %q", tc.reason, found, tc.want)
			}
			for _, f := range found {
				if f.Path != at {
					t.Errorf("the finding is at %s", f.Path)
				}
			}
		})
	}
}

func TestCheckOfAnUnknownSystem(t *testing.T) {
	if r := (osprofile.Target{FormatVersion: "9"}).Check("any", "spec"); r != nil {
		t.Errorf("found %s", r)
	}
}

func TestCompareReleases(t *testing.T) {
	cases := []struct {
		a, b string
		want int
	}{
		{"4230.2.0", "4593.0.0", -1},
		{"4593.0.0", "4230.2.0", 1},
		{"24.04", "24.04", 0},
		{"24.10", "24.9", 1},
		{"4.9", "4.14", -1},
		{"9", "9.0", -1},
		{"", "1", -1},
		{"", "", 0},
		{"44.20260510.3.0", "44.20260501", 1},
		{"8-rc1", "8-rc2", -1},
		{"08.1", "8.1", 0},
		{"9999999999999999999999", "9999999999999999999998", 1},
		{"99999999999999999999999", "9999999999999999999998", 1},
		{"next", "5", 1},
		{"v1.13.0", "1.13", 1},
		{"v1.9", "v1.10", -1},
		{"v1.9", "1.9", 0},
		{"v", "1", 1},
	}
	for _, tc := range cases {
		if got := osprofile.CompareReleases(tc.a, tc.b); got != tc.want {
			t.Errorf("CompareReleases(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
		if got := osprofile.CompareReleases(tc.b, tc.a); got != -tc.want {
			t.Errorf("CompareReleases(%q, %q) = %d, want %d", tc.b, tc.a, got, -tc.want)
		}
	}
}
