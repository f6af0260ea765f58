package osprofile_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

func TestCatalogHasEachNamedSystem(t *testing.T) {
	want := []string{
		"flatcar", "fedora-coreos", "rhcos", "ubuntu", "debian", "amazon-linux-2023", "rhel", "sle-micro", "photon",
		"almalinux", "rocky", "opensuse-leap-micro", "opensuse-microos", "talos", "windows-server-2022",
		"windows-server-2025",
		"bottlerocket", "ol", "azurelinux", "opensuse-leap", "sles", "windows-server-2019", "amazon-linux-2", "fedora",
		"openeuler",
	}
	for _, id := range want {
		if _, ok := osprofile.Lookup(id); !ok {
			t.Errorf("there is no profile %s", id)
		}
	}
	if !slices.IsSorted(osprofile.IDs()) {
		t.Errorf("the names are not in order: %v", osprofile.IDs())
	}
}

func TestLookupFindsWhatBuiltinLists(t *testing.T) {
	for i, p := range osprofile.Builtin() {
		if p.ID != osprofile.IDs()[i] {
			t.Errorf("profile %d is %s and its name is listed as %s", i, p.ID, osprofile.IDs()[i])
		}
		found, ok := osprofile.Lookup(p.ID)
		if !ok || found.ID != p.ID {
			t.Errorf("Lookup(%q) = %s, %v", p.ID, found.ID, ok)
		}
	}
	if _, ok := osprofile.Lookup("plan9"); ok {
		t.Error("a system was found that is not in the list")
	}
}

func TestFindKnowsTheIDsOfOSRelease(t *testing.T) {
	for _, tc := range []struct{ id, release, want string }{
		{"amzn", "2", "amazon-linux-2"},
		{"amzn", "2023", "amazon-linux-2023"},
		{"amzn", "2023.6.20250303", "amazon-linux-2023"},
		{"amzn", "", "amazon-linux-2023"},
		{"sl-micro", "6.1", "sle-micro"},
		{"openEuler", "24.03", "openeuler"},
		{"ubuntu", "24.04", "ubuntu"},
	} {
		if got, _ := osprofile.Find(tc.id, tc.release); got.ID != tc.want {
			t.Errorf("Find(%q, %q) = %s, want %s", tc.id, tc.release, got.ID, tc.want)
		}
	}
}

func TestParseRelease(t *testing.T) {
	for _, tc := range []struct{ id, version, want, finding string }{
		{"ubuntu", "24.04", "24.04", ""},
		{"ubuntu", "noble", "24.04", ""},
		{"ubuntu", "Jammy", "22.04", ""},
		{"ubuntu", "", "", ""},
		{"debian", "trixie", "13", ""},
		{"flatcar", "stable", "stable", ""},
		{"ubuntu", "22.04.5", "22.04.5", ""},
		{"debian", "12.9", "12.9", ""},
		{"rhel", "9.4", "9.4", ""},
		{"fedora-coreos", "42.20250705.3.0", "42.20250705.3.0", ""},
		{"photon", "4230.2.0", "4230.2.0", `error: v: "4230.2.0" is not a release of Photon OS, but has the form of one of ` +
			"Flatcar; write it as 5.0"},
		{
			"ubuntu", "4230.2.0", "4230.2.0", `error: v: "4230.2.0" is not a release of Ubuntu, but has the form of one of ` +
				"Flatcar; write it as 24.04",
		},
		{
			"flatcar", "24.04", "24.04", `error: v: "24.04" is not a release of Flatcar, but has the form of one of Ubuntu; ` +
				"write it as 4230.2.0",
		},
		{"ubuntu", "12", "12", `error: v: "12" is not a release of Ubuntu; write it as 24.04`},
		{"windows-server-2022", "20348", "20348", ""},
		{
			"debian", "noble", "", `error: v: "noble" is not a known release of Debian; write its number, such as 15, or ` +
				"one of the names buster, bullseye, bookworm, trixie, forky, duke",
		},
	} {
		p, _ := osprofile.Lookup(tc.id)
		got, found := p.ParseRelease(tc.version, "v")
		finding := ""
		for _, f := range found {
			finding += f.String()
		}
		if got != tc.want || finding != tc.finding {
			t.Errorf("%s %s is %q, want %q: %s", tc.id, tc.version, got, tc.want, finding)
		}
	}
}

func TestLookupSharesNothing(t *testing.T) {
	first, _ := osprofile.Lookup("flatcar")
	first.ReadOnly[0], first.SysextArch["amd64"], first.Metadata.File = "/x", "x", "x"
	second, _ := osprofile.Lookup("flatcar")
	if second.ReadOnly[0] == "/x" || second.SysextArch["amd64"] == "x" || second.Metadata.File == "x" {
		t.Error("a caller changed the profile of the next one")
	}
}

func eachProfile(t *testing.T, check func(*testing.T, osprofile.Profile)) {
	t.Helper()
	for _, p := range osprofile.Builtin() {
		t.Run(p.ID, func(t *testing.T) { check(t, p) })
	}
}

func TestProfilesAreComplete(t *testing.T) {
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		given := map[string]bool{
			"name": p.Name != "", "family": p.Family != "", "format": p.DefaultFormat() != "", "shell": p.Shell != "",
			"container runtime": p.ContainerRuntime != "", "provision": p.Provision != machine.ProvisionAuto,
			"sources": len(p.Sources) > 0, "containerd": len(p.ContainerdConfig) > 0,
		}
		for what, ok := range given {
			if !ok {
				t.Errorf("no %s is given", what)
			}
		}
	})
}

// What a system with a shell must have besides, since the core plugins need it.
func TestProfilesWithAShellAreComplete(t *testing.T) {
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		if p.Shell != osprofile.ShellPOSIX {
			return
		}
		given := map[string]bool{
			"binary directory": p.BinDir != "", "time daemon": len(p.TimeDaemons) > 0,
			"trust":               p.Trust.Directory != "" && p.Trust.Extension != "" && p.Trust.Command != "",
			"sudo group":          p.SudoGroup != "",
			"kubelet environment": p.KubeletEnvironment != "",
			"amd64":               p.SysextArch["amd64"] != "", "arm64": p.SysextArch["arm64"] != "",
		}
		for what, ok := range given {
			if !ok {
				t.Errorf("no %s is given", what)
			}
		}
	})
}

// paths returns the paths of the profile that are given.
func paths(p osprofile.Profile) []string {
	all := slices.Concat(p.ReadOnly, p.Writable, p.NoExec, []string{p.BinDir, p.Trust.Directory, p.KubeletEnvironment})
	if p.Metadata != nil {
		all = append(all, p.Metadata.File)
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func TestProfilesHaveCleanPaths(t *testing.T) {
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		for _, s := range paths(p) {
			if !p.IsAbs(s) || path.Clean(s) != s {
				t.Errorf("%q is not absolute and clean", s)
			}
		}
	})
}

func TestProfilesPutFilesWhereTheyCanBe(t *testing.T) {
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		for _, s := range []string{p.BinDir, p.Trust.Directory, p.KubeletEnvironment} {
			if s != "" && !p.CanWrite(s) {
				t.Errorf("%s cannot be written", s)
			}
		}
		if p.Shell == osprofile.ShellPOSIX && !p.CanWrite("/etc/machineadm") {
			t.Error("there is no place for the bootstrap program")
		}
		if p.BinDir != "" && !p.CanExec(p.BinDir) {
			t.Errorf("nothing in %s can be started", p.BinDir)
		}
	})
}

func TestCanWriteKnowsDirectoriesFromPrefixes(t *testing.T) {
	p := osprofile.Profile{ReadOnly: []string{"/usr"}, Writable: []string{"/usr/local"}, NoExec: []string{"/etc"}}
	cases := map[string]bool{
		"/usr": false, "/usr/bin/x": false, "/usrx": true, "/usr/local": true, "/usr/local/bin": true,
		"/usr/locale": false, "/opt": true,
	}
	for path, want := range cases {
		if got := p.CanWrite(path); got != want {
			t.Errorf("CanWrite(%q) = %v", path, got)
		}
	}
	if p.CanExec("/etc/x") || !p.CanExec("/etcetera/x") {
		t.Error("CanExec mistakes a prefix for a directory")
	}
}

func TestCanWriteKnowsTheRoot(t *testing.T) {
	p := osprofile.Profile{ReadOnly: []string{"/"}, Writable: []string{"/var", "/etc/x.part"}}
	cases := map[string]bool{
		"/": false, "/etc": false, "/var": true, "/var/lib": true, "/variable": false,
		"/etc/x.part": true, "/etc/x": false,
	}
	for path, want := range cases {
		if got := p.CanWrite(path); got != want {
			t.Errorf("CanWrite(%q) = %v", path, got)
		}
	}
}

func TestPathsOfWindows(t *testing.T) {
	p := osprofile.Profile{
		Family: osprofile.FamilyWindows, ReadOnly: []string{`C:\Windows`},
		Writable: []string{`C:\Windows\Temp`},
	}
	writable := map[string]bool{
		`C:\k`: true, `c:\windows\x`: false, `C:/Windows`: false, `C:\WindowsX`: true,
		`C:/Windows/temp/x`: true,
	}
	for path, want := range writable {
		if got := p.CanWrite(path); got != want {
			t.Errorf("CanWrite(%q) = %v", path, got)
		}
	}
	absolute := map[string]bool{
		`C:\k`: true, "c:/k": true, `\k`: false, "/k": false, "C:": false, "C:k": false, "": false,
		`1:\k`: false, `\\host\x`: false,
	}
	for path, want := range absolute {
		if got := p.IsAbs(path); got != want {
			t.Errorf("IsAbs(%q) = %v", path, got)
		}
	}
	if linux := (osprofile.Profile{}); !linux.IsAbs("/k") || linux.IsAbs(`C:\k`) {
		t.Error("IsAbs takes a path of Windows for one of Linux")
	}
}

func TestVersionsAreInTheOrderOfTheirReleases(t *testing.T) {
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		for _, f := range p.Formats {
			if f.Source == "" {
				t.Errorf("%s: no source is given", f.Format)
			}
			for i := 1; i < len(f.Versions); i++ {
				older, newer := f.Versions[i-1], f.Versions[i]
				if osprofile.CompareReleases(older.Since, newer.Since) >= 0 {
					t.Errorf("%s: release %q comes before %q", f.Format, older.Since, newer.Since)
				}
				if osprofile.CompareReleases(older.Version, newer.Version) >= 0 {
					t.Errorf("%s: version %s comes before %s", f.Format, older.Version, newer.Version)
				}
			}
		}
		for i := 1; i < len(p.ContainerdConfig); i++ {
			older, newer := p.ContainerdConfig[i-1], p.ContainerdConfig[i]
			if osprofile.CompareReleases(older.Since, newer.Since) >= 0 || older.Version >= newer.Version {
				t.Errorf("containerd: %+v comes before %+v", older, newer)
			}
		}
	})
}

func TestFormatsAreListedOnce(t *testing.T) {
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		seen := map[delivery.Format]bool{}
		for _, f := range p.Formats {
			if seen[f.Format] {
				t.Errorf("%s is listed twice", f.Format)
			}
			seen[f.Format] = true
		}
		if seen[delivery.FormatButane] != (p.ButaneVariant != "") {
			t.Errorf("Butane is listed: %v; its variant is %q", seen[delivery.FormatButane], p.ButaneVariant)
		}
		if p.DefaultFormat() == delivery.FormatButane {
			t.Error("no machine boots Butane, and it is the default")
		}
	})
}

func TestUnitsHaveTypes(t *testing.T) {
	unit := regexp.MustCompile(`^[a-z0-9-]+\.(service|timer)$`)
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		for _, u := range p.Updaters {
			if !unit.MatchString(u) {
				t.Errorf("%q is no unit", u)
			}
		}
		if m := p.Metadata; m != nil && (!unit.MatchString(m.Unit) || !strings.HasSuffix(m.Prefix, "_")) {
			t.Errorf("metadata %+v", m)
		}
	})
}

// Without a package manager nothing can be installed at first boot; the profile must not provision Kubernetes from
// packages.
func TestProvisionFitsThePackageManager(t *testing.T) {
	eachProfile(t, func(t *testing.T, p osprofile.Profile) {
		if p.Provision == machine.ProvisionPackage && p.PackageManager == osprofile.PackageManagerNone {
			t.Error("packages are to be installed without a package manager")
		}
	})
}
