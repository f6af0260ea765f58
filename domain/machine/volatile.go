package machine

import (
	"slices"
	"strings"
)

// IsVolatile reports whether the path is below a directory that a reboot empties (file-hierarchy(7)). The path is
// clean, and only its text is compared: /var/run and /var/lock are links to /run and /run/lock. /var/tmp survives.
func IsVolatile(path string) bool {
	return slices.ContainsFunc([]string{"/dev/", "/run/", "/tmp/", "/var/lock/", "/var/run/"}, func(d string) bool {
		return strings.HasPrefix(path, d)
	})
}
