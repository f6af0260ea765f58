package linuxcmd

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"time"
)

// The limits of a download. A connection of 128 kbit/s is fast enough.
const (
	// DownloadTimeout is for all attempts together.
	DownloadTimeout = 4 * time.Hour
	// DownloadWindow is the period in which a server must send an average of DownloadRate bytes per second.
	DownloadWindow = time.Minute
	DownloadRate   = 16 << 10
	// DownloadRetries is the number of attempts after the first.
	DownloadRetries = 5
)

// temporarySuffix ends the name of an incomplete file, and maxName is the longest name of a file, in bytes.
const (
	temporarySuffix = ".machineadm-new"
	maxName         = 255
)

// Temporary returns the path of a file until it is complete. Its name begins with a dot, so that programs that read all
// files of a directory ignore it, as kubelet does for static pods. The name is always the same, so that the next run
// replaces what a power cut left.
func Temporary(at string) string {
	dir, base := path.Split(at)
	if len(base)+len(temporarySuffix)+1 > maxName {
		sum := sha256.Sum256([]byte(base))
		base = hex.EncodeToString(sum[:])
	}
	return dir + "." + base + temporarySuffix
}
