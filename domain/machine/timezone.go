package machine

import "strings"

// WindowsTimeZone returns the Windows name of a time zone. It returns Windows names unchanged and translates IANA
// names. It is false for all other names.
func WindowsTimeZone(name string) (string, bool) {
	for line := range strings.SplitSeq(windowsZones, "\n") {
		windows, city, _ := strings.Cut(line, "=")
		if name != "" && (name == windows || name == city) {
			return windows, true
		}
	}
	return "", false
}

// IANATimeZone returns the IANA name of a time zone. It translates Windows names and returns all other names unchanged.
func IANATimeZone(name string) string {
	for line := range strings.SplitSeq(windowsZones, "\n") {
		windows, city, _ := strings.Cut(line, "=")
		if name == windows && name != "UTC" && name != "" {
			return city
		}
	}
	return name
}
