package machine

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/report"
)

// maxWindowsPath is MAX_PATH without the final NUL, in UTF-16 code units. maxWindowsDirectory is the limit for
// directories, which leaves space for a file name in 8.3 format (learn.microsoft.com: Maximum Path Length Limitation).
const (
	maxWindowsPath      = 259
	maxWindowsDirectory = 247
)

var (
	drivePattern = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
	// devicePattern matches the names that Windows reserves for devices, with any extension (learn.microsoft.com:
	// Naming Files, Paths, and Namespaces).
	devicePattern = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$`)
)

// IsWindowsPath reports whether the path begins with a drive, as in C:\k.
func IsWindowsPath(s string) bool {
	// Each path of each machine is checked: the pattern matches only text with a colon here.
	return len(s) > 1 && s[1] == ':' && drivePattern.MatchString(s)
}

// checkWindowsPath returns findings for paths that Windows refuses or changes.
func checkWindowsPath(p report.Path, s string) report.Report {
	rest := s[3:]
	switch {
	case !utf8.ValidString(s):
		return report.Report{report.Errorf(p, "the path is not valid UTF-8").To("use another path")}
	case strings.ContainsRune(s, '/'):
		return report.Report{report.Errorf(p, "%q has a slash", s).To("write %q", strings.ReplaceAll(s, "/", `\`))}
	case rest == "":
		return report.Report{report.Errorf(p, "the path must not be the root directory").To("choose a path below it")}
	case strings.ContainsAny(rest, `<>:"|?*`) || strings.ContainsFunc(rest, isControl):
		return report.Report{report.Errorf(p,
			`%q has a character that no path of Windows holds: < > : " | ? * or a control character`, s)}
	case utf16Length(s) > maxWindowsPath:
		return report.Report{report.Errorf(p, "the path has %d characters; Windows allows %d", utf16Length(s),
			maxWindowsPath)}
	}
	if directory := s[:strings.LastIndex(s, `\`)]; utf16Length(directory) > maxWindowsDirectory {
		return report.Report{report.Errorf(p, "the directory has %d characters; Windows allows %d", utf16Length(directory),
			maxWindowsDirectory)}
	}
	for _, element := range strings.Split(rest, `\`) {
		if r := checkWindowsElement(p, s, element); len(r) > 0 {
			return r
		}
	}
	return nil
}

func checkWindowsElement(p report.Path, s, element string) report.Report {
	switch {
	case element == "" || element == "." || element == "..":
		return report.Report{report.Errorf(p, "%q is not clean", s).To("leave out doubled and final backslashes, . and ..")}
	case strings.HasSuffix(element, " ") || strings.HasSuffix(element, "."):
		return report.Report{report.Errorf(p, "%q has an element that ends in a blank or a dot, which Windows drops", s)}
	case IsDeviceName(element):
		return report.Report{report.Errorf(p, "%q is a device's name on Windows", element)}
	}
	return nil
}

// IsDeviceName reports whether Windows opens a device in place of a file of the name, in any directory.
func IsDeviceName(name string) bool { return devicePattern.MatchString(name) }

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// utf16Length returns the length in UTF-16 code units, as Windows counts it.
func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
