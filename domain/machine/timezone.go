package machine

import "strings"

// WindowsTimeZone returns Windows's name of the time zone: a Windows name is kept, and a city's name is translated if
// it represents a zone.
func WindowsTimeZone(name string) (string, bool) {
	for line := range strings.SplitSeq(windowsZones, "\n") {
		windows, city, _ := strings.Cut(line, "=")
		if name != "" && (name == windows || name == city) {
			return windows, true
		}
	}
	return "", false
}

// IANATimeZone returns the IANA's name of the time zone: one of Windows's own is translated, any other kept.
func IANATimeZone(name string) string {
	for line := range strings.SplitSeq(windowsZones, "\n") {
		windows, city, _ := strings.Cut(line, "=")
		if name == windows && name != "UTC" && name != "" {
			return city
		}
	}
	return name
}
