package osprofile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

func TestBuiltinProfilesAreRight(t *testing.T) {
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		if found := p.Check("profile"); found != nil {
			t.Error(found)
		}
	})
}

func TestProfileCheck(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*osprofile.Profile)
		// want are the paths of the findings.
		want string
	}{
		"right": {change: func(*osprofile.Profile) {}},
		"id": {
			reason: "spec.os.distribution has to be able to name it",
			change: func(p *osprofile.Profile) { p.ID = "My OS" }, want: "id",
		},
		"name":      {reason: "findings contain it", change: func(p *osprofile.Profile) { p.Name = "a\nb" }, want: "name"},
		"family":    {change: func(p *osprofile.Profile) { p.Family = "bsd" }, want: "family"},
		"shell":     {change: func(p *osprofile.Profile) { p.Shell = "" }, want: "shell"},
		"manager":   {change: func(p *osprofile.Profile) { p.PackageManager = "brew" }, want: "packageManager"},
		"daemon":    {change: func(p *osprofile.Profile) { p.TimeDaemons[1] = "sundial" }, want: "timeDaemons[1]"},
		"runtime":   {change: func(p *osprofile.Profile) { p.ContainerRuntime = "docker" }, want: "containerRuntime"},
		"updater":   {change: func(p *osprofile.Profile) { p.Updaters = []string{"a.service", "b c"} }, want: "updaters[1]"},
		"source":    {change: func(p *osprofile.Profile) { p.Sources = []string{" "} }, want: "sources[0]"},
		"group":     {change: func(p *osprofile.Profile) { p.SudoGroup = "a:b" }, want: "sudoGroup"},
		"no format": {change: func(p *osprofile.Profile) { p.Formats, p.ButaneVariant = nil, "" }, want: "formats"},
		"format": {
			reason: "a name has no blanks; the list of renderers decides whether there is one",
			change: func(p *osprofile.Profile) { p.Formats[0].Format = "Kick start" }, want: "formats[0].format",
		},
		"twice": {
			change: func(p *osprofile.Profile) { p.Formats[1].Format = delivery.FormatIgnition },
			want:   "formats[1].format",
		},
		"Butane first": {change: func(p *osprofile.Profile) { p.Formats = p.Formats[2:] }, want: "formats[0].format"},
		"variant":      {change: func(p *osprofile.Profile) { p.ButaneVariant = "" }, want: "formats"},
		"version": {
			change: func(p *osprofile.Profile) { p.Formats[0].Versions[0].Version = "three" },
			want:   "formats[0].versions[0].version formats[0].versions[1].version",
		},
		"version order": {
			change: func(p *osprofile.Profile) { p.Formats[0].Versions[1].Version = "3.2.0" },
			want:   "formats[0].versions[1].version",
		},
		"release order": {
			change: func(p *osprofile.Profile) { p.Formats[0].Versions[1].Since = "3000" },
			want:   "formats[0].versions[1].since",
		},
		"release": {
			change: func(p *osprofile.Profile) { p.Formats[0].Versions[0].Since = "1 2" },
			want:   "formats[0].versions[0].since",
		},
		"packages of a runtime": {
			change: func(p *osprofile.Profile) {
				p.PackageManager = osprofile.PackageManagerDNF
				p.RuntimePackages = []osprofile.RuntimePackage{
					{Since: "2", Name: "-a", Version: "one"}, {Since: "1", Name: "a"}, {Since: "1 2"},
				}
			},
			want: "runtimePackages[0].name runtimePackages[0].version runtimePackages[1].since runtimePackages[2].since",
		},
		"packages without a manager": {
			change: func(p *osprofile.Profile) { p.RuntimePackages = []osprofile.RuntimePackage{{Name: "containerd"}} },
			want:   "runtimePackages",
		},
		"containerd": {
			change: func(p *osprofile.Profile) { p.ContainerdConfig[0].Version = 1 },
			want:   "containerdConfig[0].version",
		},
		"runtime order": {
			change: func(p *osprofile.Profile) { p.ContainerdConfig[1].Since = "" },
			want:   "containerdConfig[1]",
		},
		"kubernetes": {
			change: func(p *osprofile.Profile) {
				p.KubernetesRanges = []osprofile.KubernetesRange{{Release: "1.14", Oldest: "v1.32", Newest: "1.37"}}
			},
			want: "kubernetesRanges[0].oldest",
		},
		"kubernetes order": {
			change: func(p *osprofile.Profile) {
				p.KubernetesRanges = []osprofile.KubernetesRange{
					{Release: "1.14", Oldest: "1.32", Newest: "1.31"}, {Release: "1.13", Oldest: "1.31", Newest: "1.36"},
				}
			},
			want: "kubernetesRanges[0].newest kubernetesRanges[1].release",
		},
		"relative": {change: func(p *osprofile.Profile) { p.ReadOnly = []string{"usr"} }, want: "readOnly[0]"},
		"not clean": {
			change: func(p *osprofile.Profile) { p.Writable = []string{"/usr/../etc", "/a/"} },
			want:   "writable[0] writable[1]",
		},
		"read-only":    {change: func(p *osprofile.Profile) { p.BinDir = "/usr/bin" }, want: "binDir"},
		"cannot start": {change: func(p *osprofile.Profile) { p.NoExec = []string{"/opt"} }, want: "binDir"},
		"of Windows": {
			reason: "a path of another system", change: func(p *osprofile.Profile) { p.BinDir = `C:\k` },
			want: "binDir",
		},
		"provision":  {change: func(p *osprofile.Profile) { p.Provision = machine.ProvisionAuto }, want: "provision"},
		"no manager": {change: func(p *osprofile.Profile) { p.Provision = machine.ProvisionPackage }, want: "provision"},
		"no place": {
			change: func(p *osprofile.Profile) { p.Provision, p.BinDir = machine.ProvisionDownload, "" },
			want:   "binDir",
		},
		"architecture": {change: func(p *osprofile.Profile) {
			p.SysextArch["s390x"], p.SysextArch["amd64"] = "s390x",
				"x 86"
		}, want: `sysextArchitectures["amd64"] sysextArchitectures["s390x"]`},
		"trust, partial": {
			change: func(p *osprofile.Profile) { p.Trust = osprofile.Trust{Extension: "crt"} },
			want:   "trust.directory trust.extension trust.command",
		},
		"no trust": {
			reason: "some systems have no files of it",
			change: func(p *osprofile.Profile) { p.Trust = osprofile.Trust{} },
		},
		"metadata": {
			change: func(p *osprofile.Profile) { p.Metadata = &osprofile.Metadata{Unit: "a", Prefix: "A-"} },
			want:   "metadata.unit metadata.file metadata.prefix",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, _ := osprofile.Lookup("flatcar")
			tc.change(&p)
			var got []string
			for _, f := range p.Check("") {
				got = append(got, string(f.Path))
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

func TestProfileCheckKnowsWindows(t *testing.T) {
	p, _ := osprofile.Lookup("windows-server-2025")
	p.Writable, p.ReadOnly = []string{`C:\k`, `D:\a\..\b`}, []string{"/usr"}
	var got []string
	for _, f := range p.Check("") {
		got = append(got, string(f.Path))
	}
	if diff := cmp.Diff([]string{"readOnly[0]", "writable[1]"}, got); diff != "" {
		t.Error(diff)
	}
}
