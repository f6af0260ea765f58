package machine

import (
	"net/netip"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

var (
	// namePattern matches the names that useradd(8) and groupadd(8) accept, and also upper-case letters.
	namePattern = pattern.Of(32, `^[A-Za-z_][A-Za-z0-9_.-]*$`)
	// unitPattern matches a unit name of systemd.unit(5): a prefix, an optional instance, and a type.
	unitPattern = regexp.MustCompile(
		`^[A-Za-z0-9:_.\\-]+(@[A-Za-z0-9:_.\\-]*)?\.(service|socket|device|mount|automount|swap|target|path|timer|slice|` +
			`scope)$`)
	fileNamePattern = pattern.Of(200, `^[A-Za-z0-9_][A-Za-z0-9_.+-]*$`)
	sysctlPattern   = regexp.MustCompile(`^-?[A-Za-z0-9_*-]+([./][A-Za-z0-9_*:@-]+)+$`)
	modulePattern   = pattern.Of(64, `^[A-Za-z0-9_-]+$`)
	// packagePattern also matches apt's name=version, name/suite and task^, and dnf's @group and name-version.arch.
	packagePattern = regexp.MustCompile(`^[@A-Za-z0-9][A-Za-z0-9+._:~=@*/^-]*$`)
	guidPattern    = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	hostPattern    = regexp.MustCompile(
		`^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)*\.?$`)
	registryPattern = regexp.MustCompile(`^(_default|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?)$`)
	runtimePattern  = pattern.Of(63, `^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	// hashPattern matches a hash of crypt(5), $id$…, or the markers of a locked password.
	hashPattern = regexp.MustCompile(`^([!*]+|!?\$[0-9a-z]{1,3}\$[^:\s]+)$`)
)

// MaxPath is PATH_MAX of Linux, less the final NUL; maxPathElement is NAME_MAX.
const (
	MaxPath        = 4095
	maxPathElement = 255
)

// tooLarge is the smallest number that is not a valid user or group ID.
const tooLarge = 1<<32 - 1

// CheckPath returns error findings if the path is not absolute, not clean, or too long.
func CheckPath(p report.Path, s string) report.Report { return checkPath(p, s) }

func checkPath(p report.Path, s string) report.Report {
	switch {
	case s == "":
		return report.Report{report.Errorf(p, "the path is empty").To("set an absolute path")}
	case IsWindowsPath(s):
		return checkWindowsPath(p, s)
	case !strings.HasPrefix(s, "/"):
		return report.Report{report.Errorf(p, "%q is not absolute", s).To("begin it with a slash")}
	case strings.ContainsRune(s, 0):
		return report.Report{report.Errorf(p, "a path cannot contain a NUL byte").To("remove it")}
	case path.Clean(s) != s:
		return report.Report{report.Errorf(p, "%q is not clean", s).To("write %q", path.Clean(s))}
	case s == "/":
		return report.Report{report.Errorf(p, "the path must not be the root directory").To("choose a path below it")}
	case !utf8.ValidString(s):
		return report.Report{report.Errorf(p, "the path is not valid UTF-8").To("use another path")}
	}
	return checkPathLength(p, s)
}

func checkPathLength(p report.Path, s string) report.Report {
	if len(s) > MaxPath {
		return report.Report{report.Errorf(p, "the path has %d bytes; Linux allows %d", len(s), MaxPath).To("shorten it")}
	}
	for element := range strings.SplitSeq(s, "/") {
		if len(element) > maxPathElement {
			return report.Report{report.Errorf(p, "an element of the path has %d bytes; Linux allows %d", len(element),
				maxPathElement).To("shorten it")}
		}
	}
	return nil
}

// Check returns an error finding if the mode is out of range.
func (m Mode) Check(p report.Path) report.Report { return checkMode(p, m) }

func checkMode(p report.Path, m Mode) report.Report {
	if m > 0o7777 {
		return report.Report{report.Errorf(p, "%#o is not a file mode", uint32(m)).To("write octal digits such as 0644")}
	}
	return nil
}

// Check returns error findings for names that are invalid for both local and directory users and groups.
func (o Owner) Check(p report.Path) report.Report { return checkOwner(p, o) }

// checkOwner accepts more than checkName, because the owner may come from a directory service, as in EXAMPLE\Domain
// Users. It refuses a colon, which separates user and group, and a leading dash, which chown would read as an option.
func checkOwner(p report.Path, o Owner) report.Report {
	var r report.Report
	for _, name := range []string{o.User, o.Group} {
		if strings.ContainsAny(name, ":/\n\r\x00") || strings.HasPrefix(name, "-") || len(name) > maxPathElement ||
			!utf8.ValidString(name) {
			r = append(r, report.Errorf(p, "%q is not the name of a user or group", name).To(
				"use a name or a number without a colon"))
		}
		r = append(r, checkNumber(p, name)...)
	}
	return r
}

// checkNumber returns findings for numbers out of range, and for names that some programs read as a number and others
// as a name.
func checkNumber(p report.Path, name string) report.Report {
	digits := strings.TrimPrefix(name, "+")
	if _, ok := Number(name); ok || !isDigits(digits) {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not the number of a user or group", name).
		To("use a name, or digits alone for a number from 0 to %d", tooLarge-1)}
}

func checkName(p report.Path, s string) report.Report {
	if namePattern.MatchString(s) {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not the name of a user or group", s).
		To("use at most 32 letters, digits, underscores, dots and dashes, and begin with a letter or underscore")}
}

func checkID(p report.Path, id *int) report.Report {
	if id == nil || (*id >= 0 && *id < tooLarge) {
		return nil
	}
	return report.Report{report.Errorf(p, "%d is not a user or group ID", *id).To("use a number from 0 to 4294967294")}
}

// checkLine finds characters that end a line or cannot be part of a text file.
func checkLine(p report.Path, s string) report.Report {
	if strings.ContainsAny(s, "\n\r\x00") {
		return report.Report{report.Errorf(p, "the value must be a single line").To("remove the line breaks")}
	}
	if !utf8.ValidString(s) {
		return report.Report{report.Errorf(p, "the value is not valid UTF-8").To("use UTF-8")}
	}
	return nil
}

// checkItem is checkWord for an element of a list, which is not empty.
func checkItem(p report.Path, s string) report.Report {
	if s == "" {
		return report.Report{report.Errorf(p, "the value is empty").To("set it, or remove the entry")}
	}
	return checkWord(p, s)
}

// checkWord finds white space, which ends a word in the tables of Unix.
func checkWord(p report.Path, s string) report.Report {
	if strings.ContainsAny(s, " \t\v\f") {
		return report.Report{report.Errorf(p, "the value must not contain white space").To("remove it")}
	}
	return checkLine(p, s)
}

func checkPasswdField(p report.Path, s string) report.Report {
	if strings.ContainsRune(s, ':') {
		return report.Report{report.Errorf(p, "the value must not contain a colon, which separates the fields of passwd(5)").
			To("leave the colon out")}
	}
	return checkLine(p, s)
}

func checkPasswordHash(p report.Path, v secret.Value) report.Report {
	if v.IsZero() || hashPattern.Match(v.Reveal()) {
		return nil
	}
	return report.Report{report.Errorf(p, "this is not a crypt(3) hash").To("create one with: mkpasswd --method=SHA-512")}
}

func checkUnitName(p report.Path, s string) report.Report {
	if unitPattern.MatchString(s) && len(s) <= maxPathElement {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not the name of a unit", s).To(
		"end it in .service, .mount, .timer, …; escape other characters with systemd-escape")}
}

// checkDropInName follows conf_files_list of systemd, which ignores names with a leading dot.
func checkDropInName(p report.Path, s string) report.Report {
	switch {
	case !strings.HasSuffix(s, ".conf") || strings.HasPrefix(s, "."):
		return report.Report{report.Errorf(p, "%q is not the name of a drop-in", s).To(
			"end it in .conf, and do not begin it with a dot")}
	case strings.ContainsAny(s, "/\x00") || len(s) > maxPathElement || !utf8.ValidString(s):
		return report.Report{report.Errorf(p, "%q is not a file name", s).To(
			"use at most 255 bytes of UTF-8 without slashes")}
	}
	return nil
}

// checkText finds characters that cannot be part of a configuration file of lines.
func checkText(p report.Path, s string) report.Report {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		return report.Report{report.Errorf(p, "the value must be UTF-8 text without NUL bytes").To("remove other bytes")}
	}
	return nil
}

func checkFileName(p report.Path, s string) report.Report {
	if fileNamePattern.MatchString(s) {
		return nil
	}
	return report.Report{report.Errorf(p, "%q cannot be part of a file name", s).To(
		"use letters, digits, dots, dashes and underscores")}
}

func checkHost(p report.Path, s string) report.Report {
	if len(s) <= 253 && hostPattern.MatchString(s) {
		return nil
	}
	if _, err := netip.ParseAddr(s); err == nil {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not a host name; use a name or an address", s)}
}

// deviceAlias matches cloud-init's name of a temporary disk of a cloud, and of a partition on it: ephemeral0.1.
var deviceAlias = regexp.MustCompile(`^(ephemeral[0-9]{1,2})(?:\.([0-9]{1,3}))?$`)

// DeviceAlias splits cloud-init's name of a temporary disk, such as ephemeral0.1, into the disk and the number of the
// partition, which is empty for the disk itself. ok is false for other devices.
func DeviceAlias(device string) (disk, partition string, ok bool) {
	m := deviceAlias.FindStringSubmatch(device)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

func checkDevice(p report.Path, s string) report.Report {
	if deviceAlias.MatchString(s) {
		return nil
	}
	return CheckDevice(p, s)
}

// CheckDevice returns error findings for texts that are not the path of a device.
func CheckDevice(p report.Path, s string) report.Report {
	r := checkPath(p, s)
	if len(r) == 0 && !strings.HasPrefix(s, "/dev/") {
		r = append(r, report.Errorf(p, "%q is not the path of a device", s).To("begin it with /dev/"))
	}
	return append(r, checkWord(p, s)...)
}

func checkMountSource(p report.Path, s string) report.Report {
	for _, tag := range []string{"LABEL=", "UUID=", "PARTLABEL=", "PARTUUID="} {
		if rest, ok := strings.CutPrefix(s, tag); ok {
			if rest == "" {
				return report.Report{report.Errorf(p, "%s has no value", tag).To("write it as LABEL=data")}
			}
			return checkLine(p, s)
		}
	}
	return checkDevice(p, s)
}
