package host

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxCreatedHostname is the number of bytes of the host name of a created machine. The kernel accepts 64, and the label
// kubernetes.io/hostname of a Node 63.
const maxCreatedHostname = 63

// Hostname returns the host name for a machine. A hash replaces the end of a name that is too long.
func Hostname(machine string) string {
	if len(machine) <= maxCreatedHostname {
		return machine
	}
	sum := sha256.Sum256([]byte(machine))
	end := "-" + hex.EncodeToString(sum[:4])
	return strings.TrimRight(machine[:maxCreatedHostname-len(end)], "-.") + end
}
