package osprofile

import (
	"regexp"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

var versionPattern = regexp.MustCompile(`^[0-9]{1,4}(\.[0-9]{1,4}){1,2}$`)

// Check returns error findings if the target does not support the format, if its release is too old, or if the release
// does not support the requested version of the format, and for an invalid disk to install to. All findings have paths
// below p.
func (t Target) Check(f delivery.Format, p report.Path) report.Report {
	if t.Profile.ID == "" {
		return nil
	}
	return append(t.checkFormat(f), t.checkInstallDisk("os.installDisk")...).Below(p)
}

func (t Target) checkInstallDisk(p report.Path) report.Report {
	switch {
	case t.InstallDisk == "":
		return nil
	case !t.Profile.InstallsItself():
		return report.Report{report.Errorf(p, "%s is on the machine's disk before the first boot", t.Profile.Name).
			To("remove the field; the infrastructure provider or the host's installer selects the disk of the image")}
	default:
		return machine.CheckDevice(p, t.InstallDisk)
	}
}

func (t Target) checkFormat(f delivery.Format) report.Report {
	support, known := t.Profile.Supports(f)
	if !known {
		return report.Report{report.Errorf("format", "%s does not read %s", t.Profile.Name,
			f).To("use %s", t.formats())}
	}
	if len(support.Versions) == 0 {
		return t.checkUnversioned(f, "formatOptions.version")
	}
	if t.Newest(f) == "" {
		return report.Report{report.Errorf("os.version", "%s %s does not read %s; releases since %s do",
			t.Profile.Name, t.Release, f, support.Versions[0].Since).To("use %s", t.alternative(f))}
	}
	return t.checkVersion(f, "formatOptions.version")
}

func (t Target) checkUnversioned(f delivery.Format, p report.Path) report.Report {
	if t.FormatVersion == "" {
		return nil
	}
	return report.Report{report.Errorf(p, "%s has no versions, but version %s is requested", f, t.FormatVersion).
		To("leave the version out")}
}

func (t Target) checkVersion(f delivery.Format, p report.Path) report.Report {
	newest, requested := t.Newest(f), t.FormatVersion
	switch {
	case requested == "":
		return nil
	case !versionPattern.MatchString(requested) || strings.Count(requested, ".") != strings.Count(newest, "."):
		return report.Report{report.Errorf(p, "%q is not a version of %s", requested, f).To("write it as %s", newest)}
	case major(requested) != major(newest):
		return report.Report{report.Errorf(p, "%s has no version %s that %s supports", f, requested, t.name()).
			To("use %s or leave it out", newest)}
	case CompareReleases(requested, newest) > 0:
		return report.Report{report.Errorf(p, "%s reads %s up to version %s, but %s is requested", t.name(), f,
			newest, requested).
			To("use %s or leave it out", newest)}
	}
	return nil
}

func major(version string) string {
	number, _, _ := strings.Cut(version, ".")
	return number
}

func (t Target) name() string {
	if t.Release == "" && t.Profile.DefaultRelease != "" {
		return t.Profile.Name + " " + t.Profile.DefaultRelease + ", the release without spec.os.version,"
	}
	if t.Release == "" {
		return t.Profile.Name
	}
	return t.Profile.Name + " " + t.Release
}

// alternative returns the remedy for a release that is too old for the format.
func (t Target) alternative(f delivery.Format) string {
	if other := t.DefaultFormat(); other != f && t.Newest(other) != "" {
		return string(other) + " or a newer release"
	}
	return "a newer release"
}

func (t Target) formats() string {
	names := make([]string, len(t.Profile.Formats))
	for i, s := range t.Profile.Formats {
		names[i] = string(s.Format)
	}
	return strings.Join(names, " or ")
}
